// Whatever a company does changes only what it is done to: no row of another company, none of its other environment, and none of
// its own earlier objects.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '../../src/lib/invariant.ts'
import { expectDone, furnish } from '../support/furnish.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { openInvoice, pay, resolve } from '../support/invoices.ts'
import { until } from '../support/wait.ts'
import { emit, ENDPOINTS, register } from '../support/webhooks.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

/** Copied as they are into environments in which nothing is done. */
const COPIED = [
  'holder', 'erasure', 'card', 'card_change', 'transaction', 'operation', 'issuer_request', 'card_operation', 'exchange', 'entry',
  'deposit', 'invoice', 'invoice_payment', 'payment_review', 'event', 'event_counter', 'webhook_endpoint', 'delivery_queue',
  'webhook_secret', 'webhook_attempt', 'delivery',
] // prettier-ignore
/** A company's new objects change these rows of its earlier ones: they count, they are queues, or they end with a day. */
const SHARED = new Set([
  'account',
  'access_version',
  'api_key',
  'delivery_queue',
  'event_counter',
  'payment_slot',
  'seal',
])

const server = await TestServer.start()
const receivers: Receiver[] = []
let actor: TestCompany
let failing: Receiver
let other: TestCompany
beforeAll(async () => {
  failing = await listen(500)
  actor = await server.createCompany()
  other = await server.createCompany()
})
afterAll(async () => {
  await server.stop()
  for (const receiver of receivers) await receiver.close()
})

const listen = async (answer: number) => {
  const receiver = await startReceiver(answer)
  receivers.push(receiver)
  return receiver
}
/** Does everything that can be done with new objects. */
async function act(company: TestCompany): Promise<void> {
  const earlier = new Set(await listReviews(company))
  const { cards, reviews, transactionId, endpointId } = await furnish(server, company, failing.url)
  const post = (path: string, body?: unknown) => expectDone(server.post(path, company.key, body))
  const second = must(cards[1])
  const [issue = '', topup = '', service = ''] = reviews
  await expectDone(resolve(server, issue, { outcome: 'completed' }))
  await expectDone(resolve(server, topup, { outcome: 'failed' }))
  await post(`/api/v1/sandbox/reviews/${service}/resolve`, { outcome: 'completed' })
  await post(`/api/v1/cards/${second.id}/unfreeze`)
  await post(`/api/v1/cards/${second.id}/close`)
  await post(`/api/v1/sandbox/transactions/${transactionId}/status`, { status: 'settled' })

  const [late = '', later = ''] = (await listReviews(company)).filter((id) => !earlier.has(id))
  await expectDone(resolve(server, late, { outcome: 'completed' }))
  await expectDone(resolve(server, later, { outcome: 'failed' }))
  for (const outcome of ['completed', 'failed'] as const) {
    const { id } = await openInvoice(server, company)
    await expectDone(pay(server, company, id, { amount: '60' }))
    await expectDone(resolve(server, id, { outcome, ...(outcome === 'completed' ? { receivedAmount: '60' } : {}) }))
  }

  const path = `${ENDPOINTS}/${endpointId}`
  await expectDone(server.request('PATCH', path, { token: company.key, body: { description: 'mine' } }))
  for (const action of ['rotate-secret', 'ping', 'recover']) await post(`${path}/${action}`, {})
  const gone = await listen(410)
  const { id: goneId } = await register(server, company, gone.url)
  await emit(server, company)
  await until('the endpoint is disabled', async () => {
    const { body } = await server.get<{ status: string }>(`${ENDPOINTS}/${goneId}`, company.key)
    return body.status === 'disabled'
  })
  const { body: events } = await server.get<{ data: { id: string }[] }>('/api/v1/events?limit=1', company.key)
  await expectDone(
    server.request('PATCH', `${ENDPOINTS}/${goneId}`, { token: company.key, body: { status: 'enabled' } }),
  )
  await post(`/api/v1/events/${events.data[0]?.id}/resend`)
  await expectDone(server.request('DELETE', `${ENDPOINTS}/${goneId}`, { token: company.key }))
  await expectDone(server.request('DELETE', path, { token: company.key }))

  await post(`/api/v1/holders/${second.holderId}/erase`)
  await administer(company)
}

/** Of payments for invoices that were paid already. */
async function listReviews(company: TestCompany): Promise<string[]> {
  const { data } = await expectDone(
    server.get<{ data: { id: string; companyId: string }[] }>('/admin/v1/reviews?limit=100', server.operatorToken),
  )
  return data.filter(({ id, companyId }) => id.startsWith('rev_') && companyId === company.wireId).map(({ id }) => id)
}

/** What operators do with a company and its keys. */
async function administer(company: TestCompany): Promise<void> {
  const admin = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    expectDone(
      server.request<Body>(method, `/admin/v1/companies/${company.wireId}${path}`, {
        token: server.operatorToken,
        ...(body === undefined ? {} : { body }),
      }),
    )
  for (const suspended of [true, false]) await admin('POST', '/suspension', { suspended, reason: 'a test' })
  const key = await admin<{ id: string }>('POST', '/keys', {
    name: 'k',
    environment: 'sandbox',
    scopes: ['cards:read'],
  })
  const next = await admin<{ id: string }>('POST', `/keys/${key.id}/rotate`, {})
  await admin('DELETE', `/keys/${next.id}`)
}

const select = <Row>(text: string, values: unknown[] = []) => server.db.many<Row>({ name: undefined, text, values })

/** A row as text, by its table. */
type Rows = ReadonlyMap<string, readonly string[]>

async function readRows(where: string, values: unknown[]): Promise<Rows> {
  const tables = await select<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = current_schema() and column_name = 'company_id'
     and table_name in (select relname from pg_class where relkind = 'r') order by 1`,
  )
  const rows = new Map<string, string[]>()
  for (const { name } of tables) {
    // The use of a key is written some time after it, whoever else does something meanwhile.
    const text = `select (to_jsonb(t) - 'last_used_at')::text as line from ${name} t where ${where} order by 1`
    rows.set(
      name,
      (await select<{ line: string }>(text, values)).map(({ line }) => line),
    )
  }
  return rows
}

async function copyRows(to: TestCompany): Promise<void> {
  for (const table of COPIED) {
    const columns = await select<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and column_name not in ('company_id', 'environment') and is_generated = 'NEVER'`,
      [table],
    )
    const names = columns.map(({ name }) => name).join(', ')
    await select(
      `insert into ${table} (company_id, environment, ${names})
       select $1, 'live', ${names} from ${table} where company_id = $2 and environment = 'sandbox'`,
      [to.id, other.id],
    )
  }
}

it('nothing that a company does touches anything else', async () => {
  await furnish(server, other, failing.url)
  await furnish(server, actor, failing.url)
  for (const company of [actor, other]) await copyRows(company)
  const readAll = async () => ({
    others: await readRows(`t.company_id = $1 or (t.company_id = $2 and to_jsonb(t) ->> 'environment' = 'live')`, [
      other.id,
      actor.id,
    ]),
    own: await readRows(`t.company_id = $1 and to_jsonb(t) ->> 'environment' = 'sandbox'`, [actor.id]),
  })
  await server.app.requestLog?.flush()
  const before = await readAll()
  await act(actor)
  const after = await readAll()

  const filled = [...before.others].filter(([, lines]) => lines.length > 0).map(([name]) => name)
  expect(filled).toEqual(
    expect.arrayContaining(['account', 'card', 'delivery', 'delivery_queue', 'invoice', 'payment_review']),
  )
  for (const [name, lines] of before.others) {
    expect(missingIn(after.others.get(name), lines), name).toEqual([])
    // The worker seals accounts from time to time, whatever anybody does.
    if (name !== 'seal') expect(missingIn(lines, after.others.get(name)), name).toEqual([])
  }
  for (const [name, lines] of before.own)
    if (!SHARED.has(name)) expect(missingIn(after.own.get(name), lines), name).toEqual([])
})

function missingIn(lines: readonly string[] = [], wanted: readonly string[] = []): string[] {
  const found = new Set(lines)
  return wanted.filter((line) => !found.has(line))
}
