// Real rails under kills: the server and the issuer are real processes that die again and again, and Lithic and TRON are simulators that lose
// answers. In the end every deposit is credited once or listed, every card has what was paid for it, and the books agree three ways.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HDKey } from '@scure/bip32'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/access/permissions.ts'
import { PAYER } from '../../src/adapter/simulators/tron/control-routes.ts'
import { type LithicSimulator, startLithicSimulator } from '../../src/adapter/simulators/lithic/start.ts'
import { startTronSimulator, type TronSimulator } from '../../src/adapter/simulators/tron/start.ts'
import { firstAddresses, parseXpub } from '../../src/adapter/tron/xpub.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { must } from '../../src/lib/invariant.ts'
import { createLog } from '../../src/lib/log.ts'
import { findAccount } from '../../src/tron/address.ts'
import { parseMicros } from '../../src/tron/usdt.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase } from '../support/harness.ts'
import { SECRET } from '../support/live.ts'
import { ask, readCredentials, type ServerProcess, startIssuer, startServer, until } from './server.ts'

const ROUNDS = 4
const ISSUES_PER_ROUND = 6
const TOPUPS_PER_ROUND = 4
const FLOAT = 100_000_000n
const FUNDING = '5e9483eb-8103-4e16-9794-2106111b2eca'
const DETAILS = {
  first_name: 'Grace',
  last_name: 'Hopper',
  phone_number: '+12025550123',
  address1: '1 Navy Way',
  city: 'Arlington',
  state: 'VA',
  postal_code: '22202',
  country: 'USA',
}
const BLOCK_MS = 3_000
const XPUB = HDKey.fromMasterSeed(Buffer.alloc(32, 9)).derive("m/44'/195'/0'").publicExtendedKey

/** Nobody is given it: what comes to it belongs to no invoice. */
const UNUSED_ADDRESS = parseXpub(XPUB).addressAt(15)
const STRAY_AMOUNT = '3.210000'

const folder = mkdtempSync(join(tmpdir(), 'cardstock rails '))
const dataDir = join(folder, 'data')
const databases: Awaited<ReturnType<typeof createDatabase>>[] = []
let lithic: LithicSimulator
let tron: TronSimulator
let issuerDb: Pool
let serverDb: Pool
let issuerEnviron: Record<string, string>
let serverEnviron: Record<string, string>
let issuer: ServerProcess | undefined
let server: ServerProcess | undefined
let key = ''
let holderId = ''
let serial = 0
let miner: NodeJS.Timeout | undefined

beforeAll(async () => {
  const log = createLog({ level: 'silent' })
  const shared = { clock: systemClock, log, host: '127.0.0.1', controlPort: 0 }
  const apiKey = 'simulated-lithic-key'
  lithic = await startLithicSimulator({
    ...shared,
    port: 0,
    mode: 'balance',
    apiKey,
    fundingAccount: FUNDING,
    float: FLOAT,
  })
  tron = await startTronSimulator({ ...shared, ports: [0], solidLag: 0 })
  tron.chain.mine(2)
  miner = setInterval(() => tron.chain.mine(1), BLOCK_MS)
  const [port, issuerPort, controlPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const issuerUrl = await newDatabaseUrl()
  issuerDb = createPool({ connectionString: issuerUrl }, { size: 2, onError: () => {} })
  issuerEnviron = {
    DATA_DIR: join(folder, 'issuer'),
    ISSUER_SECRET: SECRET,
    ISSUER_PORT: String(issuerPort),
    ISSUER_CONTROL_PORT: String(controlPort),
    ISSUER_DATABASE_URL: issuerUrl,
    ISSUER_EVENTS_URL: `http://127.0.0.1:${port}`,
    LITHIC_URL: lithic.url,
    LITHIC_API_KEY: apiKey,
    LITHIC_FUNDING_ACCOUNT: FUNDING,
    TRON_NETWORK: 'simulated',
    TRON_NODES: must(tron.nodes[0]).url,
    TRON_XPUB: XPUB,
    TRON_CONFIRMED: firstAddresses(parseXpub(XPUB)).join(','),
  }
  const serverUrl = await newDatabaseUrl()
  serverDb = createPool({ connectionString: serverUrl }, { size: 2, onError: () => {} })
  serverEnviron = {
    DATA_DIR: dataDir,
    DATABASE_URL: serverUrl,
    PORT: String(port),
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    ISSUER_URL: `http://127.0.0.1:${issuerPort}`,
    ISSUER_SECRET: SECRET,
    ISSUER_TIMEOUT_MS: '4000',
  }
  await start()
})
afterAll(async () => {
  clearInterval(miner)
  await server?.kill()
  await issuer?.kill()
  await lithic.stop()
  await tron.stop()
  await issuerDb.close()
  await serverDb.close()
  for (const { drop } of databases) await drop()
  rmSync(folder, { recursive: true, force: true })
})

async function newDatabaseUrl(): Promise<string> {
  const database = await createDatabase()
  databases.push(database)
  return toDatabaseUrl(database.connection)
}
async function startTheIssuer(): Promise<void> {
  issuer = await startIssuer(issuerEnviron, ['--cards', 'lithic', '--invoices', 'tron'])
}
async function start(): Promise<void> {
  await startTheIssuer()
  server = await startServer(serverEnviron)
}
/** The dead process cannot go on, so whoever comes next need not wait for its lease. */
async function killIssuer(): Promise<void> {
  await issuer?.kill()
  await issuerDb.run(sql`update issuer_adapter.task set leased_until = now() where true`)
}

function api<Body>(method: string, path: string, more: { body?: unknown; key?: string } = {}) {
  return ask<Body>({ baseUrl: server?.baseUrl ?? '' }, method, `/api/v1${path}`, { token: key, ...more })
}
async function admin<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const token = readCredentials(dataDir).operatorToken
  const answer = await ask<Body>({ baseUrl: server?.baseUrl ?? '' }, method, `/admin/v1${path}`, { token, body })
  if (answer === undefined || answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer.body
}
async function control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const baseUrl = `http://127.0.0.1:${issuerEnviron['ISSUER_CONTROL_PORT']}`
  const answer = await ask<Body>({ baseUrl }, method, `/control${path}`, { token: SECRET, body })
  expect(answer?.status, JSON.stringify(answer?.body)).toBe(200)
  return must(answer).body
}
/** The server may be dead: the same order is sent again with the same key until it is answered. */
async function send<Body>(path: string, body: unknown): Promise<Body> {
  const idempotencyKey = `k${(serial += 1)}`
  return until(`${path} is answered`, async () => {
    const answer = await api<Body>('POST', path, { body, key: idempotencyKey })
    if (answer !== undefined && answer.status >= 400 && answer.status < 500) throw new Error(JSON.stringify(answer))
    return answer !== undefined && answer.status < 300 && answer.body
  })
}

function pay(address: string, amount: string): void {
  const to = Buffer.from(must(findAccount(address))).toString('hex')
  tron.chain.send({ kind: 'transfer', from: PAYER, to, amount: parseMicros(amount) })
  tron.chain.mine(1)
}
/** Makes an invoice and pays it. Returns its id. */
async function payInvoice(amount: string): Promise<string> {
  const invoice = await send<{ id: string; address: string; payAmount: string }>('/card-account/invoices', { amount })
  pay(invoice.address, invoice.payAmount)
  return invoice.id
}
async function deposit(amount: string): Promise<void> {
  const before = await readBalance()
  await payInvoice(amount)
  // The issuer dies while it reads the block, or before or after it.
  await killIssuer()
  await startTheIssuer()
  await until('the deposit is credited', async () => (await readBalance()) > before)
}
async function readBalance(): Promise<number> {
  const answer = await api<{ total: string }>('GET', '/balance')
  return Number(answer?.body.total ?? Number.NaN)
}

interface Operation {
  id: string
  type: string
  status: string
  amount: string
  cardId: string | null
}
const listOperations = async () => {
  const answer = await api<{ data: Operation[] }>('GET', '/operations?limit=100')
  return answer?.status === 200 ? answer.body.data : undefined
}
interface OpenRequest {
  token: string
  waitingSince: string | null
  steps: { name: string; state: string }[]
}

/** Time passes at the issuer and at the server, and a person decides what waits: what Lithic has is looked up, what it does not have is not carried out. */
async function settle(): Promise<Operation[]> {
  let open: unknown
  return until('every operation has ended', async () => {
    // What a process is working on is left alone: to wait for it while other rows are locked would be a deadlock.
    await issuerDb.run(sql`
      update issuer_adapter.task set due_at = now() where token in (
        select token from issuer_adapter.task where waiting_since is null and due_at > now() for update skip locked)`)
    await serverDb.run(sql`
      update issuer_request set due_at = now() where id in (
        select id from issuer_request where status = 'processing' and due_at > now() for update skip locked)`)
    const { data } = await control<{ data: OpenRequest[] }>('GET', '/requests')
    for (const { token, waitingSince } of data) {
      if (waitingSince === null) continue
      const by = { by: 'Ada', reason: 'Looked in the dashboard.' }
      await control('POST', `/requests/${token}/decide`, { decision: 'not_carried_out', ...by })
    }
    const operations = await listOperations()
    const isOver = operations?.every(({ status }) => status === 'completed' || status === 'failed') ?? false
    open = {
      requests: data,
      operations: operations?.filter(({ status }) => status !== 'completed' && status !== 'failed'),
    }
    return data.length === 0 && isOver && operations
  }).catch((error: unknown) => {
    throw new Error(`Still open: ${JSON.stringify(open)}`, { cause: error })
  })
}

test(
  'kills of server and issuer, and answers that Lithic loses, change nothing that anyone was told',
  { timeout: 900_000 },
  async () => {
    await prepareCompany()
    const invoices: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each round loses other answers: before and after the effect.
      lithic.behaviours.set('createCard', { mode: round % 2 === 0 ? 'lost' : 'acted_500', times: 2 })
      lithic.behaviours.set('createTransfer', { mode: round % 2 === 0 ? 'cut' : 'lost', times: 2 })
      lithic.behaviours.set('readTransfer', { mode: '429', times: 1 })
      const orders = Array.from({ length: ISSUES_PER_ROUND }, () =>
        send('/operations', { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '20', name: 'Travel' }),
      )
      const { data: cards } = must(
        await api<{ data: { id: string; status: string }[] }>('GET', '/cards?limit=100'),
      ).body
      for (const { id } of cards.slice(0, TOPUPS_PER_ROUND))
        orders.push(send('/operations', { type: 'topup', cardId: id, amount: '10' }))
      const asked = lithic.calls.get('createCard') ?? 0
      await until('Lithic is asked for a card', async () => (lithic.calls.get('createCard') ?? 0) > asked)
      // One transfer pays an invoice, the other one belongs to none. The issuer dies while it reads their blocks.
      invoices.push(await payInvoice('100'))
      pay(UNUSED_ADDRESS, STRAY_AMOUNT)
      await killIssuer()
      await startTheIssuer()
      await server?.kill()
      server = await startServer(serverEnviron)
      await Promise.all(orders)
      await killIssuer()
      await startTheIssuer()
      await settle()
    }
    for (const id of invoices) {
      await until('the deposit is credited', async () => {
        const answer = await api<{ status: string }>('GET', `/card-account/invoices/${id}`)
        return answer?.body.status === 'completed'
      })
    }
    const { data: stray } = await control<{ data: { cause: string }[] }>('GET', '/tron/transfers')
    expect(stray.map(({ cause }) => cause)).toEqual(Array.from({ length: ROUNDS }, () => 'no_invoice'))
    const operations = await settle()
    const sum = operations
      .filter(({ status }) => status === 'completed')
      .reduce((total, { amount }) => total + Number(amount), 0)
    const open = [...lithic.world.cards.values()].filter(({ state }) => state !== 'CLOSED')
    const issued = operations.filter(({ type, status }) => type === 'issue' && status === 'completed')
    expect(issued.length).toBeGreaterThan(ROUNDS)
    expect(open).toHaveLength(issued.length)
    const float = await control<{ owed: string; atProvider: string; differenceCount: number }>(
      'POST',
      '/cards/reconcile',
      {},
    )
    expect(float).toMatchObject({ differenceCount: 0, owed: sum.toFixed(2), atProvider: sum.toFixed(2) })
    expect(await control('POST', '/tron/reconcile', {})).toMatchObject({ data: [{ differences: [] }] })
    expect(await admin('GET', '/reconciliation')).toMatchObject({ differences: [] })
    expect(await admin('GET', '/ledger/audit')).toMatchObject({ differences: [] })
  },
)

async function prepareCompany(): Promise<void> {
  const { companyId } = readCredentials(dataDir).demo
  await admin('POST', `/companies/${companyId}/verification`, { decision: 'approve' }).catch(() => undefined)
  await admin('PATCH', `/companies/${companyId}/capabilities`, { liveServices: true, directInvoices: true })
  const scopes = [...PERMISSIONS]
  const created = await admin<{ key: string }>('POST', `/companies/${companyId}/keys`, {
    environment: 'live',
    name: 'rails',
    scopes,
  })
  key = created.key
  const person = { environment: 'live', name: 'Grace Hopper', email: 'grace@example.com', kind: 'individual' }
  holderId = (await admin<{ id: string }>('POST', `/companies/${companyId}/holders`, person)).id
  await control('PUT', `/holders/${holderId}/details`, { by: 'Ada', details: DETAILS })
  await deposit('1000')
}
