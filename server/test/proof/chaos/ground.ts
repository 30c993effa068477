// Everything that takes part in the chaos, as real processes on loopback: PostgreSQL, three servers, the reference issuer and
// a receiver of webhooks, with a faulty network between all of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PrivatePostgres, startPrivatePostgres } from '@cardstock/private-postgres'
import pg from 'pg'
import { PERMISSIONS } from '../../../src/access/permissions.ts'
import { createPool, type Pool } from '../../../src/db/pool.ts'
import { PROGRAM } from '../../../src/db/private-postgres.ts'
import { sql } from '../../../src/db/sql.ts'
import { createRecords } from '../../../src/adapter/records/tables.ts'
import { deposit } from '../../../src/ledger/deposit.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { findId, formatId, newId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { cents } from '../../../src/lib/money.ts'
import type { Scope } from '../../../src/lib/scope.ts'
import {
  ask,
  type Credentials,
  readCredentials,
  type ServerProcess,
  startIssuer,
  startServer,
} from '../../chaos/server.ts'
import { toDatabaseUrl } from '../../support/database-url.ts'
import { FaultProxy } from '../../support/fault-proxy.ts'
import { findFreePort } from '../../support/free-port.ts'
import { SmallDisk } from './small-disk.ts'
import { ChaosReceiver } from './receiver.ts'

const SECRET = 'a-secret-that-only-the-two-of-them-know'
/** The lease of a request to the issuer is one and a half times this. */
export const ISSUER_TIMEOUT_MS = 2_000
/** A low limit, so that it shows within seconds if more outcomes are unknown than it allows. */
export const CALLS_MAX = 10
/** Within what a server tolerates, so that it goes on working with a wrong clock. */
const CLOCK_SHIFT_MS = 20_000
const CLOCK_PRELOAD = new URL('../../support/jumping-clock.mjs', import.meta.url).href
/** PostgreSQL is stopped many times; it is always started again. */
const RESTART_DELAYS_MS = Array.from({ length: 1_000 }, () => 200)
const FUNDS_CENTS = 1_000_000_000n
const DATABASE = 'chaos'

export const SERVER_NAMES = ['all', 'api', 'worker'] as const
export type ServerName = (typeof SERVER_NAMES)[number]

interface Server {
  readonly environ: Record<string, string>
  readonly args: readonly string[]
  /** Between the server and the database. */
  readonly database: FaultProxy
  /** Between the server and the issuer. */
  readonly issuer: FaultProxy
  /** Between clients and the server; the worker has none. */
  readonly clients: FaultProxy | undefined
  process: ServerProcess | undefined
}

export interface Account {
  readonly scope: Scope
  readonly key: string
  readonly holderId: string
}

export class Ground {
  readonly folder = mkdtempSync(join(tmpdir(), 'cardstock-chaos-'))
  readonly disk = SmallDisk.tryMount(join(this.folder, 'disk'))
  readonly #servers = new Map<ServerName, Server>()
  readonly #undo: (() => unknown)[] = []
  #cluster: PrivatePostgres | undefined
  #db: Pool | undefined
  #issuerDb: Pool | undefined
  #issuerProxy: FaultProxy | undefined
  #receiverProxy: FaultProxy | undefined
  #controlUrl = ''
  readonly receiver = new ChaosReceiver()
  accounts: Account[] = []
  /** Violations that a fault itself found. */
  readonly violations: string[] = []

  get cluster(): PrivatePostgres {
    return must(this.#cluster)
  }
  get db(): Pool {
    return must(this.#db)
  }
  get issuerDb(): Pool {
    return must(this.#issuerDb)
  }
  get issuerProxy(): FaultProxy {
    return must(this.#issuerProxy)
  }
  get receiverProxy(): FaultProxy {
    return must(this.#receiverProxy)
  }
  /** Connects as the server's own role, not through the faulty network. */
  get connection() {
    return { ...this.cluster.superuser, database: DATABASE }
  }
  server(name: ServerName): Server {
    return must(this.#servers.get(name))
  }
  /** Where clients send their requests. */
  get addresses(): string[] {
    return [...this.#servers.values()].flatMap(({ clients }) =>
      clients === undefined ? [] : [`http://127.0.0.1:${clients.connection.port}`],
    )
  }

  async open(): Promise<void> {
    this.#undo.push(() => rmSync(this.folder, { recursive: true, force: true }))
    this.#undo.push(() => this.disk?.unmount())
    this.#cluster = await startPrivatePostgres({
      program: PROGRAM,
      folder: join(this.folder, 'postgres'),
      durable: true,
      log: () => {},
      restartDelaysMs: RESTART_DELAYS_MS,
    })
    this.#undo.push(() => this.#cluster?.stop())
    await this.#createDatabases()
    await this.#openIssuer()
    await this.receiver.open()
    this.#undo.push(() => this.receiver.close())
    this.#receiverProxy = await this.#proxy({ host: '127.0.0.1', port: this.receiver.port })
    for (const name of SERVER_NAMES) await this.#addServer(name)
    await this.start('all')
    await Promise.all([this.start('api'), this.start('worker')])
    await this.#addAccounts()
  }

  /** Ends every process and removes every file, whatever state they are in. */
  async close(): Promise<void> {
    for (let step = this.#undo.pop(); step !== undefined; step = this.#undo.pop()) {
      try {
        await step()
      } catch (error) {
        console.error(error)
      }
    }
  }

  async start(name: ServerName): Promise<void> {
    const server = this.server(name)
    server.process = await startServer(server.environ, server.args)
  }

  async kill(name: ServerName): Promise<void> {
    const server = this.server(name)
    const { process } = server
    server.process = undefined
    await process?.kill()
  }

  signal(name: ServerName, signal: NodeJS.Signals): void {
    this.server(name).process?.signal(signal)
  }

  async control(path: string, body: unknown): Promise<void> {
    await ask({ baseUrl: this.#controlUrl }, 'PUT', path, { token: SECRET, body })
  }

  async #proxy(target: { host?: string; port: number }): Promise<FaultProxy> {
    const proxy = await FaultProxy.open(target, { isRecording: false })
    this.#undo.push(() => proxy.close())
    return proxy
  }

  async #createDatabases(): Promise<void> {
    const client = new pg.Client(this.cluster.superuser)
    await client.connect()
    const tablespace = await this.disk?.createTablespace(client)
    await client.query(`create database ${DATABASE}${tablespace === undefined ? '' : ` tablespace ${tablespace}`}`)
    await client.query('create database chaos_issuer')
    await client.end()
    const issuerConnection = { ...this.cluster.superuser, database: 'chaos_issuer' }
    this.#db = createPool(this.connection, { size: 3, onError: () => {} })
    this.#issuerDb = createPool(issuerConnection, { size: 3, onError: () => {} })
    await createRecords(this.#issuerDb)
    this.#undo.push(() => Promise.all([this.#db?.close(), this.#issuerDb?.close()]))
  }

  async #openIssuer(): Promise<void> {
    const [port, controlPort] = [await findFreePort(), await findFreePort()]
    this.#controlUrl = `http://127.0.0.1:${controlPort}/control/`
    const issuer = await startIssuer({
      ISSUER_SECRET: SECRET,
      ISSUER_PORT: String(port),
      ISSUER_CONTROL_PORT: String(controlPort),
      ISSUER_DATABASE_URL: toDatabaseUrl({ ...this.cluster.superuser, database: 'chaos_issuer' }),
      ISSUER_EVENTS_URL: 'http://127.0.0.1:9',
      LOG_LEVEL: 'silent',
    })
    this.#undo.push(() => issuer.kill())
    this.#issuerProxy = await this.#proxy({ host: '127.0.0.1', port })
  }

  async #addServer(name: ServerName): Promise<void> {
    const port = await findFreePort()
    const { superuser } = this.cluster
    const database = await FaultProxy.open({ ...superuser, database: DATABASE }, { isRecording: false })
    this.#undo.push(() => database.close())
    const issuer = await this.#proxy({ host: '127.0.0.1', port: must(this.issuerProxy.connection.port) })
    const clients = name === 'worker' ? undefined : await this.#proxy({ host: '127.0.0.1', port })
    const environ: Record<string, string> = {
      DATA_DIR: join(this.folder, 'data'),
      DATABASE_URL: database.url,
      PORT: String(port),
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '1000000',
      ISSUER_URL: `http://127.0.0.1:${issuer.connection.port}`,
      ISSUER_CALLS_MAX: String(CALLS_MAX),
      ISSUER_SECRET: SECRET,
      ISSUER_FENCE: 'true',
      ISSUER_TIMEOUT_MS: String(ISSUER_TIMEOUT_MS),
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
      NODE_OPTIONS: `--import ${CLOCK_PRELOAD}`,
      CLOCK_SHIFT_MS: String(CLOCK_SHIFT_MS),
    }
    const args = name === 'all' ? ['--processes', '0'] : ['--role', name]
    this.#servers.set(name, { environ, args, database, issuer, clients, process: undefined })
    this.#undo.push(() => this.kill(name))
  }

  async #addAccounts(): Promise<void> {
    const credentials = readCredentials(join(this.folder, 'data'))
    const companyId = findId('co', credentials.demo.companyId) ?? ''
    const company = `/admin/v1/companies/${credentials.demo.companyId}`
    await this.#admin(credentials, 'PATCH', `${company}/capabilities`, { liveServices: true, directInvoices: true })
    for (const environment of ['live', 'sandbox'] as const) {
      const scope = { companyId, environment }
      const wanted = { environment, name: 'chaos', scopes: PERMISSIONS }
      const { key } = await this.#admin<{ key: string }>(credentials, 'POST', `${company}/keys`, wanted)
      const funds = { amount: cents(FUNDS_CENTS), fee: cents(0n), idempotencyKey: 'chaos', digest: '00'.repeat(32) }
      await deposit({ db: this.db, clock: systemClock }, scope, funds)
      this.accounts.push({ scope, key, holderId: await this.#addHolder(scope) })
    }
    const url = `http://127.0.0.1:${this.receiverProxy.connection.port}/hooks`
    const body = { url, events: ['operation.completed', 'operation.failed'] }
    // In live, receivers must have a certificate.
    const { key } = must(this.accounts.find(({ scope }) => scope.environment === 'sandbox'))
    await this.#ask('POST', '/api/v1/webhook-endpoints', { token: key, body, key: 'endpoint' })
  }

  /** Straight into the database: a new holder must be approved first. */
  async #addHolder({ companyId, environment }: Scope): Promise<string> {
    const now = systemClock.now()
    const id = newId(now)
    await this.db.run(sql`
      insert into holder (company_id, environment, id, name, email, kind, status, created_at)
      values (${companyId}, ${environment}, ${id}, 'Ada', 'chaos@example.com', 'individual', 'active', ${now})`)
    return formatId('hld', id)
  }

  #admin<Body>({ operatorToken: token }: Credentials, method: string, path: string, body: unknown): Promise<Body> {
    return this.#ask<Body>(method, path, { token, body })
  }

  async #ask<Body>(
    method: string,
    path: string,
    options: { token: string; body?: unknown; key?: string },
  ): Promise<Body> {
    const answer = await ask<Body>({ baseUrl: must(this.addresses[0]) }, method, path, options)
    if (answer === undefined || answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
}
