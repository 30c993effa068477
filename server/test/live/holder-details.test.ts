// What the issuer needs to know of a cardholder is entered through the server and kept by the issuer alone: Lithic's simulator behind the
// real adapter and a real server, and the reference issuer.
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { productList, VIRTUAL_PRODUCTS } from '../../src/adapter/provider-kit/products.ts'
import { createLithic } from '../../src/adapter/providers/lithic/lithic.ts'
import { type LithicSimulator, startLithicSimulator } from '../../src/adapter/simulators/lithic/start.ts'
import { formatId } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import { createLog } from '../../src/lib/log.ts'
import { API_KEY, FUNDING } from '../adapter/lithic/world.ts'
import { addHolder } from '../api/rows.ts'
import { AdapterWorld } from '../support/adapter.ts'
import { listEveryRow } from '../support/every-row.ts'
import { FaultProxy } from '../support/fault-proxy.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { LiveWorld, SECRET } from '../support/live.ts'
import { createLiveCompany } from '../support/live-company.ts'
import { until } from '../support/wait.ts'

interface Details {
  isOffered: boolean
  reason: string | null
  fields: { name: string; isRequired: boolean }[]
  enteredAt: string | null
  isEnrolled: boolean
}
interface Refusal {
  code: string
  details: { refusals: { field: string; message: string }[] }
}

/** Words that nothing else in the test contains. */
const STREET = '742 Evergreen Quagmire'
const PHONE = '+12025550177'
const ADDRESS = { address1: STREET, city: 'Quillville', state: 'NE', postal_code: '68022', country: 'USA' }
const ENTERED = { first_name: 'Adalinda', last_name: 'Lovelacey', phone_number: PHONE, ...ADDRESS }
const entry = (texts: Record<string, string>) => ({
  values: Object.entries(texts).map(([field, value]) => ({ field, value })),
})

const logged: string[] = []
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged.push(chunk.toString())
    done()
  },
})
let simulator: LithicSimulator
let world: AdapterWorld
let company: TestCompany
let holderId: string

beforeAll(async () => {
  world = await AdapterWorld.start({
    log: createLog({ level: 'debug', destination }),
    async createProvider(clock) {
      const account = { apiKey: API_KEY, mode: 'balance', fundingAccount: FUNDING } as const
      const place = { clock, log: createLog({ level: 'silent' }), host: '127.0.0.1', port: 0, controlPort: 0 }
      simulator = await startLithicSimulator({ ...account, ...place, float: 10_000_000n })
      const more = { transferSubtype: 'CUSTOM', timeoutMs: 60_000, cardProgram: undefined, physicalProducts: new Map() }
      const virtualProducts = productList(VIRTUAL_PRODUCTS)
      return createLithic({ ...account, ...more, virtualProducts, url: simulator.url, clock })
    },
  })
  company = await world.createCompany()
  holderId = await addHolder(world.server, company.scope)
})
afterAll(async () => {
  await world.stop()
  await simulator.stop()
})

const path = () => `/api/v1/holders/${holderId}/details`
const read = (key = company.key) => world.server.get<Details>(path(), key)
const enter = <Body = Details>(texts: Record<string, string>, key = company.key) =>
  world.server.request<Body>('PUT', path(), { token: key, body: entry(texts) })

async function issue(): Promise<{ status: string; failure?: { code: string; message: string } }> {
  const order = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '50', name: 'Travel' }
  const answer = await world.server.post<{ id: string }>('/api/v1/operations', company.key, order)
  expect(answer.status, answer.text).toBe(201)
  return until('the operation has ended', async () => {
    world.server.clock.advance(1_000)
    const { body } = await world.server.get<{ status: string }>(`/api/v1/operations/${answer.body.id}`, company.key)
    return (body.status === 'completed' || body.status === 'failed') && body
  })
}

test('a card is issued only after the details were entered, and nothing in the server has them', async () => {
  expect((await read()).body).toMatchObject({ isOffered: true, reason: null, enteredAt: null, isEnrolled: false })
  expect((await read()).body.fields).toContainEqual({
    name: 'address1',
    label: 'Street and number (no PO box)',
    isRequired: true,
  })
  const refused = await issue()
  expect(refused).toMatchObject({ status: 'failed', failure: { code: 'holder_details_missing' } })
  expect(refused.failure?.message).toContain("holder's page")

  const wrong = await enter<Refusal>({ ...ENTERED, postal_code: 'Springfield-1', planet: 'Earth' })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  expect(wrong.body.details.refusals.map(({ field }) => field).toSorted()).toEqual(['planet', 'postal_code'])
  expect(wrong.text).not.toContain('Springfield-1')
  expect((await read()).body.enteredAt).toBeNull()

  const entered = await enter(ENTERED)
  expect(entered.status, entered.text).toBe(200)
  expect(entered.body.enteredAt).not.toBeNull()
  expect(entered.text).not.toContain(STREET)
  expect(await issue()).toMatchObject({ status: 'completed' })
  expect([...simulator.world.holders.values()]).toHaveLength(1)
  expect((await read()).body).toMatchObject({ isEnrolled: true })

  await world.server.app.requestLog?.flush()
  const kept = [...(await listEveryRow(world.server)).map(({ table, line }) => `${table} ${line}`), ...logged]
  const personal = [...Object.values(ENTERED).filter((value) => value.length > 5), 'Springfield-1']
  expect(kept.filter((text) => personal.some((value) => text.includes(value)))).toEqual([])
  expect(kept.some((text) => text.startsWith('request_log') && text.includes(path()))).toBe(true)
  expect(kept.some((text) => text.startsWith('audit_log') && text.includes('holder.details_sent'))).toBe(true)
})

test('another company, a key that may only read, and the sandbox enter nothing', async () => {
  const stranger = await world.createCompany()
  expect((await read(stranger.key)).status).toBe(404)
  expect((await enter(ENTERED, stranger.key)).status).toBe(404)
  const reader = await world.server.createKey(company.id, { environment: 'live', scopes: ['holders:read'] })
  expect((await enter(ENTERED, reader)).status).toBe(403)
  const theirs = `/admin/v1/companies/${formatId('co', stranger.id)}/holders/${holderId}/details`
  expect((await world.server.get(theirs, world.server.operatorToken)).status).toBe(404)
  const ours = `/admin/v1/companies/${formatId('co', company.id)}/holders/${holderId}/details`
  const token = world.server.operatorToken
  expect((await world.server.request('PUT', ours, { token, body: entry(ENTERED) })).status).toBe(200)
  const sandbox = await world.server.createCompany()
  const inSandbox = `/api/v1/holders/${await addHolder(world.server, sandbox.scope)}/details`
  expect((await world.server.get<Details>(inSandbox, sandbox.key)).body).toMatchObject({ isOffered: false, fields: [] })
  const refused = await world.server.request<Refusal>('PUT', inSandbox, { token: sandbox.key, body: entry(ENTERED) })
  expect(refused).toMatchObject({ status: 400, body: { code: 'not_offered' } })
})

test('the reference issuer pretends the need, and an issuer of protocol 1.0 is said not to take details', async () => {
  const live = await LiveWorld.start([0], {}, { needsHolderDetails: true })
  try {
    const buyer = await live.createCompany()
    await live.fund(buyer, '1000')
    const holder = await addHolder(live.server, buyer.scope)
    const place = `/api/v1/holders/${holder}/details`
    const issueOne = async () => {
      const body = { type: 'issue', productId: 'prod_card_virtual', amount: '21', holderId: holder }
      return (await live.server.post<{ id: string }>('/api/v1/operations', buyer.key, body)).body.id
    }
    const failed = await live.waitForOperation(buyer, await issueOne(), 'failed')
    expect(failed).toMatchObject({ failure: { code: 'holder_details_missing' } })
    const body = entry({ street: STREET, postal_code: '22202', city: 'Arlington' })
    expect((await live.server.request('PUT', place, { token: buyer.key, body })).status).toBe(200)
    await live.waitForOperation(buyer, await issueOne(), 'completed')
    const removal = await live.server.request('PUT', place, { token: buyer.key, body: { values: [] } })
    expect(removal).toMatchObject({ status: 200, body: { enteredAt: null } })
    await live.waitForOperation(buyer, await issueOne(), 'failed')
  } finally {
    await live.stop()
  }
  const old = await LiveWorld.start([0], {}, { protocol: '1.0' })
  try {
    const buyer = await old.createCompany()
    const place = `/api/v1/holders/${await addHolder(old.server, buyer.scope)}/details`
    const { body } = await old.server.get<Details>(place, buyer.key)
    expect(body).toMatchObject({ isOffered: false, fields: [] })
    expect(body.reason).toContain('does not take details')
  } finally {
    await old.stop()
  }
})

test('a company whose calls the issuer does not answer leaves places for others, and is told when it has too many', async () => {
  const live = await LiveWorld.start([0], {}, { needsHolderDetails: true })
  const proxy = await FaultProxy.open({ host: '127.0.0.1', port: Number(new URL(live.issuer.url).port) })
  const ISSUER_URL = `http://127.0.0.1:${must(proxy.connection.port)}`
  const server = await TestServer.start({ ISSUER_URL, ISSUER_SECRET: SECRET, ISSUER_TIMEOUT_MS: '60000' })
  try {
    const [greedy, other] = [await createLiveCompany(server), await createLiveCompany(server)]
    const ask = async ({ scope, key }: TestCompany) => {
      const holder = await addHolder(server, scope)
      return () => server.get<Details & { code?: string }>(`/api/v1/holders/${holder}/details`, key)
    }
    const [asGreedy, asOther] = [await ask(greedy), await ask(other)]
    expect((await asOther()).body).toMatchObject({ isOffered: true })
    await proxy.setMode('drop')
    const statuses: number[] = []
    const all = Array.from({ length: 23 }, () => asGreedy().then((answer) => statuses.push(answer.status)))
    await until('one is refused', async () => statuses.length > 0)
    await proxy.setMode('pass')
    expect((await asOther()).body).toMatchObject({ isOffered: true })
    // The calls that hang are given up now, and those that waited for them are answered.
    await proxy.setMode('reset')
    await proxy.setMode('pass')
    await Promise.all(all)
    expect(statuses.toSorted((a, b) => b - a)).toEqual([503, 503, 429, ...Array.from({ length: 20 }, () => 200)])
  } finally {
    await server.stop()
    await proxy.close()
    await live.stop()
  }
})
