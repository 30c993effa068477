// Lists of the audit log say what their objects are called now: each kind of object, only those of the record's own company, only what
// the reader's role may see, and nothing of who was erased.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditRecord, programActor } from '../../../src/access/audit.ts'
import { insertAudit } from '../../../src/access/queries.ts'
import { sql } from '../../../src/db/sql.ts'
import { requireId } from '../../../src/errors.ts'
import { formatId, newId } from '../../../src/lib/ids.ts'
import { fund, operate, settled } from '../../books/steps.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { type Browser, invite, join, type MeBody } from '../people/people.ts'
import { addCard, addHolder } from '../rows.ts'

const server = await TestServer.start({ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' })
const company = await server.createCompany()
const other = await server.createCompany()
afterAll(() => server.stop())

interface Entry {
  action: string
  object: string | null
  objectName?: string
}
/** The id of an object of each kind, by what it is called. */
const objects = new Map<string, string>()
let owner: Browser & { email: string }
let viewer: Browser
let holderId = ''
let foreignHolderId = ''

/** Writes a record about the object, as if somebody of the company had changed it, or had only tried to. */
function record(home: TestCompany | null, object: string): Promise<unknown> {
  const entry = auditRecord(server.clock, programActor('test'), { action: 'test.changed', object })
  return insertAudit(server.db, entry, home === null ? null : home.id)
}

async function makeObjects({ key, scope, wireId }: TestCompany): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await server.post<{ id: string }>(`/api/v1/${path}`, key, body)
    if (answer.status >= 300) throw new Error(answer.text)
    return answer.body.id
  }
  holderId = await addHolder(server, scope, { name: 'Zelda Quisling' })
  const cardId = await addCard(server, scope, { holderId, name: 'Fuel', balance: 5_000n })
  const topup = await settled(
    server,
    company,
    await operate(server, company, { type: 'topup', cardId, amount: '25.00' }),
  )
  const issue = await operate(server, company, {
    type: 'issue',
    productId: 'prod_card_virtual',
    holderId,
    amount: '20.00',
  })
  const issued = await settled(server, company, issue)
  const { last4 } = (await server.get<{ last4: string }>(`/api/v1/cards/${issued.result.cardId}`, key)).body
  const staff = (
    await server.get<{ data: { id: string; name: string }[] }>(
      `/admin/v1/companies/${wireId}/keys`,
      server.operatorToken,
    )
  ).body
  const me = (await owner.get<MeBody>('/console/v1/me')).body
  const invoiceId = await post('card-account/invoices', { amount: '100' })
  const [changeId, paymentId, at] = [newId(server.clock.now()), newId(server.clock.now()), server.clock.now()]
  await server.db.run(sql`
    insert into card_change (company_id, environment, id, card_id, wanted, status, failure_code, created_at, status_at)
    values (${company.id}, 'sandbox', ${changeId}, ${requireId('card', cardId)}, 'frozen', 'failed', 'declined', ${at}, ${at})`)
  await server.db.run(sql`
    insert into payment_review (company_id, environment, id, invoice_id, payment_key, amount, created_at, status_at)
    values (${company.id}, 'sandbox', ${paymentId}, ${requireId('inv', invoiceId)}, 'p', 5500000, ${at}, ${at})`)
  for (const [name, id] of [
    ['Test company', wireId],
    ['Zelda Quisling', holderId],
    ['Fuel ·· 4242', cardId],
    ['Top-up of ·· 4242', topup.id],
    [`Virtual card for Zelda Quisling ·· ${last4}`, issued.id],
    ['Invoice for 100.00 USD', invoiceId],
    ['Freeze card of Zelda Quisling ·· 4242', formatId('chg', changeId)],
    ['Late payment of 5.50 USDT', formatId('rev', paymentId)],
    [
      'Corner shop',
      await post('sandbox/transactions', { cardId, type: 'purchase', amount: '1.00', merchant: 'Corner shop' }),
    ],
    ['hooks.example:8443', await post('webhook-endpoints', { url: 'https://hooks.example:8443/secret-path' })],
    [staff.data[0]?.name ?? '', staff.data[0]?.id ?? ''],
    ['The owner', me.id],
    ['new@example.com', (await invite(server, 'viewer', { company, email: 'new@example.com' })).id],
    ['Virtual card', 'prod_card_virtual'],
  ] as const)
    objects.set(name, id)
}

beforeAll(async () => {
  owner = await join(server, 'owner', company)
  viewer = await join(server, 'viewer', company)
  await fund(server, company, '1000')
  await makeObjects(company)
  foreignHolderId = await addHolder(server, other.scope, { name: 'Somebody else' })
  for (const id of objects.values()) await record(company, id)
})

async function ofCompany(browser: Browser): Promise<Entry[]> {
  return (await browser.get<{ data: Entry[] }>('/api/v1/audit-log?limit=100')).body.data
}
async function ofProgramme(): Promise<Entry[]> {
  return (await server.get<{ data: Entry[] }>('/admin/v1/audit-log?limit=100', server.operatorToken)).body.data
}
const tested = (entries: readonly Entry[]) =>
  Object.fromEntries(
    entries.filter(({ action }) => action === 'test.changed').map(({ object, objectName }) => [object, objectName]),
  )
const byId = () => Object.fromEntries([...objects].map(([name, id]) => [id, name]))

describe('the names of objects', () => {
  it('are in both lists, for every kind of object that has one', async () => {
    expect(tested(await ofProgramme())).toEqual(byId())
    expect(tested(await ofCompany(owner))).toEqual(byId())
  })

  it('of webhook endpoints and keys are only for roles that may read those', async () => {
    const hidden = Object.fromEntries(
      Object.entries(byId()).map(([id, name]) => [id, /^(?:we|key)_/.test(id) ? undefined : name]),
    )
    expect(tested(await ofCompany(viewer))).toEqual(hidden)
  })

  it('of sessions, people, tokens and invitations of the programme are only for operators', async () => {
    const operator = await join(server, 'operator')
    const me = (await operator.get<MeBody>('/console/v1/me')).body
    const made = await server.request<{ id: string }>('POST', '/admin/v1/operator-tokens', {
      token: server.operatorToken,
      body: { name: 'Night shift' },
    })
    const invited = await invite(server, 'support', { email: 'support@example.com' })
    const names = {
      [me.id]: 'The operator',
      [me.session.id]: 'Session of The operator',
      [made.body.id]: 'Night shift',
      [invited.id]: 'support@example.com',
    }
    for (const id of Object.keys(names)) await record(company, id)
    expect(tested(await ofProgramme())).toMatchObject(names)
    const seen = tested(await ofCompany(owner))
    for (const id of Object.keys(names)) expect([id, id in seen, seen[id]]).toEqual([id, true, undefined])
  })

  it('never belong to another company, whose ids somebody tried', async () => {
    const ids = [foreignHolderId, other.wireId, ...objects.values()].filter((id) => !id.startsWith('prod_'))
    await record(company, foreignHolderId)
    await record(company, other.wireId)
    for (const seen of [tested(await ofCompany(owner)), tested(await ofProgramme())]) {
      expect([foreignHolderId in seen, seen[foreignHolderId], seen[other.wireId]]).toEqual([true, undefined, undefined])
    }
    const stranger = await join(server, 'owner', other)
    for (const id of ids) await record(other, id)
    const own = { [foreignHolderId]: 'Somebody else', [other.wireId]: 'Test company' }
    expect(tested(await ofCompany(stranger))).toEqual(Object.fromEntries(ids.map((id) => [id, own[id]])))
  })

  it('do not bring back a holder that was erased', async () => {
    const shopper = await addHolder(server, company.scope, { name: 'Brief Visitor' })
    await record(company, shopper)
    expect(tested(await ofCompany(owner))[shopper]).toBe('Brief Visitor')
    expect((await server.post(`/api/v1/holders/${shopper}/erase`, company.key)).status).toBe(200)
    for (const entries of [await ofCompany(owner), await ofProgramme()]) {
      expect(tested(entries)[shopper]).toBe('Erased')
      expect(JSON.stringify(entries)).not.toContain('Brief Visitor')
    }
  })
})
