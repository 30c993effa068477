// What operators and owners see of the whole: what waits, the money, how the issuers answer, holders, and who did what.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { addIssuerMinute } from '../../../src/issuer/queries.ts'
import { newId } from '../../../src/lib/ids.ts'
import { fund, issueCard } from '../../books/steps.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import { join } from '../people/people.ts'

let server: TestServer
let company: TestCompany

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
})
afterAll(() => server.stop())

interface Waiting {
  count: number
  oldest: string | null
  companyId: string | null
}
interface Overview {
  waiting: Record<'verifications' | 'holders' | 'reviews' | 'failingEndpoints', Waiting>
  money: { environment: string; companies: number; available: string; held: string; onCards: string }[]
}
const admin = <Body>(path: string) => server.get<Body>(`/admin/v1${path}`, server.operatorToken)
const overview = async () => {
  // The figures are shared for a few seconds.
  server.clock.advance(6_000)
  return (await admin<Overview>('/overview')).body
}
test('the overview says what waits, since when and where, and what all companies have', async () => {
  expect((await overview()).waiting.verifications).toEqual({ count: 0, oldest: null, companyId: null })
  await fund(server, company, '1000')
  await issueCard(server, company)
  const before = server.clock.now().toISOString()
  const created = await server.post<{ id: string }>('/admin/v1/companies', server.operatorToken, {
    name: 'Waiting Ltd',
    kind: 'corporate',
  })
  const { waiting, money } = await overview()
  expect(waiting.verifications).toEqual({ count: 1, oldest: before, companyId: created.body.id })
  const sandbox = money.find(({ environment }) => environment === 'sandbox')
  const { body: balance } = await server.get<{ available: string; held: string }>('/api/v1/balance', company.key)
  const { body: cards } = await server.get<{ data: { balance: string }[] }>('/api/v1/cards', company.key)
  expect(sandbox).toMatchObject({ companies: 2, ...pick(balance), onCards: cards.data[0]?.balance })
  const listed = await admin<{ data: { id: string; balances: object[] }[] }>('/companies?q=waiting')
  expect(listed.body.data).toMatchObject([
    { id: created.body.id, balances: [{ available: '0.00', held: '0.00' }, { available: '0.00' }] },
  ])
})

const pick = ({ available, held }: { available: string; held: string }) => ({ available, held })

test('health shows answers of all processes, and since when an issuer has not answered', async () => {
  interface Health {
    issuers: {
      environment: string
      notAnsweringSince: string | null
      lastAnswerAt: string | null
      latencyMs: number | null
      unansweredShare: number | null
      history: { answered: number; unanswered: number }[]
    }[]
  }
  const read = async () => (await admin<Health>('/health')).body.issuers[0]
  const first = await read()
  // The card above was issued by this process.
  expect(first).toMatchObject({ environment: 'sandbox', notAnsweringSince: null, unansweredShare: 0 })
  expect(first?.lastAnswerAt).not.toBeNull()
  server.clock.advance(10 * 60_000)
  const at = server.clock.now()
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000)
  // Another process.
  const failures = { unanswered: 3, answered: 0, answeredMs: 0, lastAnswerAt: null }
  await addIssuerMinute(server.db, {
    environment: 'sandbox',
    minute,
    ...failures,
    firstUnansweredAt: at,
    lastUnansweredAt: at,
  })
  expect(await read()).toMatchObject({
    notAnsweringSince: at.toISOString(),
    lastAnswerAt: first?.lastAnswerAt,
    unansweredShare: 1,
    history: [...(first?.history ?? []), { unanswered: 3 }],
  })
})

test('health says how many operations wait to be sent, and since when the oldest does', async () => {
  const read = async () =>
    (await admin<{ issuers: { queued: number; oldestQueuedAt: string | null }[] }>('/health')).body.issuers[0]
  expect(await read()).toMatchObject({ queued: 0, oldestQueuedAt: null })
  const oldest = server.clock.now()
  const newer = new Date(oldest.getTime() + 1_000)
  const ids = [newId(newer), newId(oldest)]
  // Not due yet, so that the server leaves them alone.
  await server.db.run(sql`
    insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
    select ${company.id}, 'sandbox', id, 'topup', 'queued', ${newer}::timestamptz + interval '1 year', 0 from unnest(${ids}::uuid[]) id`)
  expect(await read()).toMatchObject({ queued: 2, oldestQueuedAt: oldest.toISOString() })
  await server.db.run(sql`delete from issuer_request where company_id = ${company.id} and id = any (${ids}::uuid[])`)
})

test('a holder of a company waits for approval, is approved, and is pending again under another name in live', async () => {
  const { body: holder } = await server.post<{ id: string }>(
    `/admin/v1/companies/${company.wireId}/holders`,
    server.operatorToken,
    { environment: 'live', name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' },
  )
  const place = `/companies/${company.wireId}/holders`
  const list = async (status: string) =>
    (await admin<{ data: { id: string }[] }>(`${place}?environment=live&status=${status}`)).body.data.map(
      ({ id }) => id,
    )
  expect(await list('active')).toEqual([holder.id])
  const key = await server.createKey(company.id, { environment: 'live', scopes: ['holders:write'] })
  const change = (body: object, token = key) =>
    server.request<{ name: string; status: string }>('PATCH', `/api/v1/holders/${holder.id}`, { token, body })
  expect((await change({ email: 'ada@acme.example', externalId: 'e-1' })).body).toMatchObject({
    status: 'active',
    email: 'ada@acme.example',
    externalId: 'e-1',
  })
  expect((await change({ name: 'Ada King', externalId: null })).body).toEqual({
    id: holder.id,
    name: 'Ada King',
    email: 'ada@acme.example',
    kind: 'individual',
    status: 'pending',
  })
  expect(await list('pending')).toEqual([holder.id])
  expect((await overview()).waiting.holders).toMatchObject({ count: 1, companyId: company.wireId })
  const other = await server.createCompany()
  expectError(await change({ name: 'Eve' }, other.key), 'not_found')
})

test('the company sees who of its own did what, and not which operator', async () => {
  const owner = await join(server, 'owner', company)
  const { body } = await owner.send<{ data: Record<string, unknown>[] }>('GET', '/api/v1/audit-log?limit=100')
  const update = body.data.find(({ action }) => action === 'holder.updated')
  expect(update).toMatchObject({ by: expect.any(String), byId: expect.stringMatching(/^key_/) })
  const approval = body.data.find(({ action }) => action === 'company.approved' || action === 'holder.created')
  expect(approval).toMatchObject({ by: 'The card programme', byId: null, address: null })
  const stranger = await join(server, 'owner', await server.createCompany())
  const theirs = await stranger.send<{ data: { object: string }[] }>('GET', '/api/v1/audit-log')
  expect(theirs.body.data.some(({ object }) => object === update?.['object'])).toBe(false)
})

test('an audit of the books is kept with its result', async () => {
  await admin('/ledger/audit')
  const { body } = await admin<{ data: object[] }>('/audit-log?object=ledger')
  expect(body.data).toEqual([
    expect.objectContaining({ action: 'ledger.audited', details: expect.objectContaining({ differences: 0 }) }),
  ])
})
