// An export has everything of one company as the API shows it, nothing of another, and no secret. It is whole or not there.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportCompany } from '../../src/export/export-company.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { addHolder } from '../api/rows.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { INVOICES } from '../support/invoices.ts'
import { until } from '../support/wait.ts'
import { register, waitingOf } from '../support/webhooks.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

interface Line {
  object: string
  environment: string | null
  data: Record<string, unknown>
}

/** More than two pages of the export. */
const MANY = 2_100
const folder = mkdtempSync(join(tmpdir(), 'cardstock-export-'))
const path = join(folder, 'company.ndjson')

let server: TestServer
let receiver: Receiver
let company: TestCompany
let other: TestCompany
let secret: string
let lines: Line[]
let counts: Record<string, number>

const exportTo = (file: string, companyId = company.id, note: (text: string) => void = () => undefined) =>
  exportCompany({ connection: server.connection, companyId, path: file, version: '1.2.3', clock: systemClock, note })

/** Makes one of everything. */
async function furnish(target: TestCompany): Promise<void> {
  const holderId = await addHolder(server, target.scope)
  const funding = await server.post('/api/v1/sandbox/funding', target.key, { amount: '500.00' })
  expect(funding.status).toBe(200)
  const body = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '25.00', name: 'Ada' }
  const { id } = (await server.post<{ id: string }>('/api/v1/operations', target.key, body)).body
  const readStatus = async () =>
    (await server.get<{ status: string }>(`/api/v1/operations/${id}`, target.key)).body.status
  await until('the card is issued', async () => (await readStatus()) === 'completed')
  expect((await server.post(INVOICES, target.key, { amount: '50' })).status).toBe(201)
}

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  other = await server.createCompany()
  receiver = await startReceiver()
  ;({ secret } = await register(server, company, receiver.url))
  await furnish(company)
  await furnish(other)
  // An attempt changes the health of the endpoint, so it must not come between the export and what it is compared with.
  await until('every event is delivered', async () => (await waitingOf(server, company)) === 0)
  await server.db.run({
    name: undefined,
    text: `insert into holder (company_id, environment, id, name, email, kind, status, created_at)
           select $1, 'live', gen_random_uuid(), 'Holder ' || n, n || '@example.com', 'individual', 'active', now()
           from generate_series(1, $2::integer) n`,
    values: [company.id, MANY],
  })
  counts = await exportTo(path)
  lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
})
afterAll(async () => {
  await server.stop()
  await receiver.close()
  rmSync(folder, { recursive: true })
})

const ofKind = (kind: string, environment: string | null = 'sandbox') =>
  lines.filter((line) => line.object === kind && line.environment === environment).map(({ data }) => data)

it('begins with what it is, and ends with how much of everything it has', () => {
  expect(lines[0]).toMatchObject({ object: 'export', data: { format: 1, version: '1.2.3' } })
  expect(lines[1]).toMatchObject({ object: 'company', data: { id: company.wireId } })
  expect(lines.at(-1)).toEqual({ object: 'end', environment: null, data: { counts } })
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  expect(lines).toHaveLength(total + 3)
})

it.each([
  ['holder', '/api/v1/holders'],
  ['card', '/api/v1/cards'],
  ['operation', '/api/v1/operations'],
  ['transaction', '/api/v1/transactions'],
  ['entry', '/api/v1/account-entries'],
  ['event', '/api/v1/events'],
  ['webhook_endpoint', '/api/v1/webhook-endpoints'],
])('has each %s as the API shows it', async (kind, list) => {
  const { status, body } = await server.get<{ data: object[] }>(list, company.key)
  expect(status).toBe(200)
  expect(ofKind(kind)).toEqual(body.data)
})

it('has invoices without the links to pay them', async () => {
  const { body } = await server.get<{ data: Record<string, unknown>[] }>(INVOICES, company.key)
  expect(body.data.length).toBeGreaterThan(0)
  for (const invoice of body.data) delete invoice['payUrl']
  expect(ofKind('invoice')).toEqual(body.data)
})

it('has keys and the audit log', () => {
  expect(ofKind('key', null).length).toBeGreaterThan(0)
  expect(ofKind('audit_entry', null).length).toBeGreaterThan(0)
})

it('has more than a page of a kind, each once, from both environments', () => {
  const ids = ofKind('holder', 'live').map(({ id }) => id)
  expect(ids).toHaveLength(MANY)
  expect(new Set(ids).size).toBe(MANY)
})

it('has no secret and nothing of another company', () => {
  const text = readFileSync(path, 'utf8')
  for (const hidden of [company.key, secret, other.wireId, other.id]) expect(text).not.toContain(hidden)
  expect(ofKind('key', null).every((key) => !('key' in key))).toBe(true)
})

it('can be read by nobody else', () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('is refused for a company that does not exist, and leaves no file', async () => {
  const file = join(folder, 'nobody.ndjson')
  await expect(exportTo(file, '00000000-0000-7000-8000-000000000001')).rejects.toThrow('There is no company')
  expect([existsSync(file), existsSync(`${file}.partial`)]).toEqual([false, false])
})

it('leaves the file of an export that is under way alone', async () => {
  const file = join(folder, 'busy.ndjson')
  writeFileSync(`${file}.partial`, 'mine')
  await expect(exportTo(file)).rejects.toThrow('Another export')
  expect(readFileSync(`${file}.partial`, 'utf8')).toBe('mine')
})

it('shows what was there at one moment', async () => {
  const file = join(folder, 'moment.ndjson')
  let added: Promise<unknown> | undefined
  // The first progress comes before the holders are read.
  const late = await exportTo(file, company.id, () => {
    added ??= addHolder(server, company.scope)
  })
  await added
  expect(late['holder']).toBe(counts['holder'])
})
