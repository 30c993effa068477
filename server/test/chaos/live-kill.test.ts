// Kills live servers with SIGKILL under load. Every request to the issuer that was under way is looked up: with the issuer's
// fence it completes or fails for certain, and without the fence a person decides. Nothing is ever sent twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PERMISSIONS } from '../../src/access/permissions.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { findId } from '../../src/lib/ids.ts'
import { formatCents } from '../../src/lib/money.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase } from '../support/harness.ts'
import { findFreePort } from '../support/free-port.ts'
import { type Book, SECRET } from '../support/live.ts'
import { ask, readCredentials, type ServerProcess, startIssuer, startServer, until } from './server.ts'

const KILLS = 2
/** Orders per kill: some are answered, some are under way and some are still queued when the server dies. */
const ORDERS = 60
const CONNECTIONS = 8
/** Requests per kill that the issuer never carries out, and requests that it carries out without answering. */
const LOST = 2
/** Leaves room for other calls while those hang, and keeps some orders queued. */
const CALLS_MAX = 3 * LOST
const PRICE_CENTS = 1_060n

interface Operation {
  id: string
  status: string
  failure?: { code: string }
}

const folder = mkdtempSync(join(tmpdir(), 'cardstock live kill '))
const victims: Victim[] = []
const databases: Awaited<ReturnType<typeof createDatabase>>[] = []
let issuer: ServerProcess
let controlUrl: string
let port: string

beforeAll(async () => {
  port = String(await findFreePort())
  const controlPort = await findFreePort()
  controlUrl = `http://127.0.0.1:${controlPort}/control/`
  issuer = await startIssuer({
    ISSUER_SECRET: SECRET,
    ISSUER_PORT: '0',
    ISSUER_CONTROL_PORT: String(controlPort),
    ISSUER_DATABASE_URL: await newDatabaseUrl(),
    ISSUER_EVENTS_URL: `http://127.0.0.1:${port}`,
  })
})
afterAll(async () => {
  for (const victim of victims) await victim.end()
  // Requests that hang would keep it from stopping.
  await issuer.kill()
  for (const { drop } of databases) await drop()
  rmSync(folder, { recursive: true, force: true })
})

async function newDatabaseUrl(): Promise<string> {
  const database = await createDatabase()
  databases.push(database)
  return toDatabaseUrl(database.connection)
}

async function control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await ask<Body>({ baseUrl: controlUrl }, method, path, { token: SECRET, body })
  expect(answer?.status, JSON.stringify(answer?.body)).toBe(200)
  return answer?.body as Body
}
const readBook = () => control<Book>('GET', 'book')

/** A server that is killed and started again on the same database, and its company. */
class Victim {
  readonly db: Pool
  readonly #environ: Record<string, string>
  #server: ServerProcess | undefined
  #key = ''

  constructor(databaseUrl: string, hasFence: boolean) {
    this.db = createPool({ connectionString: databaseUrl }, { size: 2, onError: () => {} })
    this.#environ = {
      DATA_DIR: join(folder, `fence ${hasFence}`),
      DATABASE_URL: databaseUrl,
      PORT: port,
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '1000000',
      ISSUER_URL: issuer.baseUrl,
      ISSUER_SECRET: SECRET,
      ISSUER_FENCE: String(hasFence),
      ISSUER_CALLS_MAX: String(CALLS_MAX),
    }
  }

  async start(): Promise<void> {
    this.#server = await startServer(this.#environ)
  }
  async kill(): Promise<void> {
    await this.#server?.kill()
  }
  async end(): Promise<void> {
    await this.kill()
    await this.db.close()
  }

  /** Undefined when the server died before it answered. */
  request<Body>(method: string, path: string, more: { body?: unknown; key?: string } = {}) {
    return ask<Body>({ baseUrl: `http://127.0.0.1:${port}` }, method, `/api/v1${path}`, { token: this.#key, ...more })
  }
  async admin<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const token = readCredentials(this.#environ['DATA_DIR'] ?? '').operatorToken
    const answer = await ask<Body>({ baseUrl: `http://127.0.0.1:${port}` }, method, `/admin/v1${path}`, { token, body })
    if (answer === undefined || answer.status >= 300) throw new Error(JSON.stringify(answer))
    return answer.body
  }

  /** Lets the demonstration company work in live, and funds its account by an invoice. */
  async prepareCompany(): Promise<void> {
    const { companyId } = readCredentials(this.#environ['DATA_DIR'] ?? '').demo
    const company = `/companies/${companyId}`
    await this.admin('PATCH', `${company}/capabilities`, { liveServices: true, directInvoices: true })
    const key = { environment: 'live', name: 'test', scopes: PERMISSIONS }
    this.#key = (await this.admin<{ key: string }>('POST', `${company}/keys`, key)).key
    const invoice = await this.request<{ id: string }>('POST', '/card-account/invoices', {
      body: { amount: '10000' },
      key: 'funds',
    })
    await control('POST', `invoices/${invoice?.body.id}/payments`, {})
    await until('the account is funded', async () => (await this.#balance())?.available !== '0.00')
  }

  async order(key: string): Promise<boolean> {
    const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
    const answer = await this.request<Operation>('POST', '/operations', { body, key })
    if (answer !== undefined && answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer !== undefined
  }

  async #balance() {
    return (await this.request<{ available: string; held: string }>('GET', '/balance'))?.body
  }
  readHeld = async () => (await this.#balance())?.held

  async list(): Promise<Operation[]> {
    const items: Operation[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/operations?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
      const page: { body: { data: Operation[]; nextCursor: string | null } } | undefined = await this.request(
        'GET',
        path,
      )
      items.push(...(page?.body.data ?? []))
      cursor = page?.body.nextCursor ?? null
    }
    return items
  }
  async countStored(...statuses: string[]): Promise<number> {
    const count = sql`select count(*)::int as count from operation where environment = 'live' and status = any(${statuses})`
    return (await this.db.find<{ count: number }>(count))?.count ?? -1
  }

  /** Makes the next look-up of everything that may have been sent due at once, instead of waiting for up to ten minutes. */
  passTime(): Promise<number> {
    // What the server is settling is left alone: to wait for it while other rows are locked would be a deadlock.
    return this.db.run(sql`
      update issuer_request set due_at = now() where environment = 'live' and id in (
        select id from issuer_request where environment = 'live' and status = 'processing' and due_at > now() for update skip locked)`)
  }
}

async function orderAll(victim: Victim, keys: readonly string[]): Promise<void> {
  const waiting = [...keys]
  const post = async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) if (!(await victim.order(key))) return
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, post))
}

/** Orders requests that hang in the given way, and waits until all of them have arrived. */
async function orderHanging(victim: Victim, mode: 'hang' | 'act_then_hang', keys: readonly string[]): Promise<void> {
  const count = async () => (await readBook()).arrivals.filter((arrival) => arrival.mode === mode).length
  const before = await count()
  await control('PUT', 'behaviour', { kind: 'service', mode, times: keys.length })
  await orderAll(victim, keys)
  await until(`the requests ${mode}`, async () => (await count()) === before + keys.length)
}

/** Kills servers under load. Returns how many operations were being carried out at the kills. */
async function killUnderLoad(victim: Victim): Promise<number> {
  let underWay = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const keys = Array.from({ length: ORDERS }, (_, index) => `order-${kill}-${index}`)
    await orderHanging(victim, 'hang', keys.slice(0, LOST))
    await orderHanging(victim, 'act_then_hang', keys.slice(LOST, 2 * LOST))
    const completed = await victim.countStored('completed')
    const load = orderAll(victim, keys.slice(2 * LOST))
    await until('the load is being worked off', async () => (await victim.countStored('completed')) > completed)
    await victim.kill()
    await load
    const now = await victim.countStored('processing')
    expect(now).toBeGreaterThanOrEqual(2 * LOST)
    underWay += now
    await victim.passTime()
    await victim.start()
    // What the dead server accepted without answering is replayed.
    await orderAll(victim, keys)
  }
  return underWay
}

it.each([
  { hasFence: true, ending: 'failed', other: 'manual_review' },
  { hasFence: false, ending: 'manual_review', other: 'failed' },
])(
  'requests under way at a kill end as completed or $ending if the fence is $hasFence, and none is sent twice',
  async ({ hasFence, ending, other }) => {
    await control('PUT', 'fence', { enabled: hasFence })
    const victim = new Victim(await newDatabaseUrl(), hasFence)
    victims.push(victim)
    await victim.start()
    await victim.prepareCompany()
    const underWay = await killUnderLoad(victim)
    await until('all operations have ended', async () => {
      // A call that is in flight is not disturbed: a worker never looks up what it is sending itself.
      await victim.passTime()
      return (await victim.countStored('queued', 'processing')) === 0
    })

    const operations = await victim.list()
    expect(operations).toHaveLength(KILLS * ORDERS)
    const of = (status: string) => operations.filter((operation) => operation.status === status)
    const ended = of(ending)
    expect(of(other)).toEqual([])
    expect(of('completed').length + ended.length).toBe(operations.length)
    expect(ended.length).toBeGreaterThanOrEqual(KILLS * LOST)
    expect(ended.length).toBeLessThanOrEqual(underWay)
    if (hasFence) for (const { failure } of ended) expect(failure?.code).toBe('not_carried_out')
    expect(await victim.readHeld()).toBe(formatCents(hasFence ? 0n : PRICE_CENTS * BigInt(ended.length)))

    const tokens = new Set(operations.map(({ id }) => findId('op', id)))
    const { requests, arrivals } = await readBook()
    const sent = arrivals.filter(({ token, kind }) => kind !== 'look_up' && tokens.has(token)).map(({ token }) => token)
    expect(new Set(sent).size).toBe(sent.length)
    const done = requests.filter(({ token, kind }) => kind === 'service' && tokens.has(token)).map(({ token }) => token)
    const completed = of('completed').map(({ id }) => findId('op', id) ?? '')
    expect(done.toSorted()).toEqual(completed.toSorted())

    expect((await victim.admin<{ differences: unknown[] }>('GET', '/ledger/audit')).differences).toEqual([])
    await victim.kill()
  },
)
