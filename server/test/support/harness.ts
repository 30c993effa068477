// Starts a whole server on a database of its own, with a clock that the test moves, and the first steps of most tests.
import { randomBytes, randomUUID } from 'node:crypto'
import { expect, inject } from 'vitest'
import { programActor } from '../../src/access/audit.ts'
import { createCompany, decideVerification } from '../../src/companies/companies.ts'
import { createKey } from '../../src/keys/keys.ts'
import { type KeyPermission, PERMISSIONS } from '../../src/access/permissions.ts'
import { acceptOperatorToken } from '../../src/operator-tokens/queries.ts'
import { makeToken, tokenEnds } from '../../src/access/tokens.ts'
import { type App, createApp } from '../../src/app/app.ts'
import { type AppOptions } from '../../src/app/parts.ts'
import { createPipeline } from '../../src/db/pipeline.ts'
import { type Connection, createPool, type Pool } from '../../src/db/pool.ts'
import { formatId, newId } from '../../src/lib/ids.ts'
import { createLog, type Log } from '../../src/lib/log.ts'
import type { Environment, Scope } from '../../src/lib/scope.ts'
import { requireDocumented } from './documented-refusals.ts'
import type { OwnedTemplate } from './global-setup.ts'
import { isDistributed, readTestConfig } from './on-citus.ts'
import { closeDatabase, query } from './postgres.ts'

export interface TestAnswer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
  text: string
}

export interface TestCompany {
  id: string
  wireId: string
  scope: Scope
  /** A sandbox key with every scope. */
  key: string
}

/** A clock that stands still until the test moves it. */
export class TestClock {
  #now: number
  constructor(start = '2026-03-10T12:00:00.000Z') {
    this.#now = Date.parse(start)
  }
  now(): Date {
    return new Date(this.#now)
  }
  advance(ms: number): void {
    this.#now += ms
  }
  set(instant: string): void {
    this.#now = Date.parse(instant)
  }
}

export interface TestDatabase {
  readonly connection: Connection
  drop(): Promise<void>
}

/** The contract tests work in a schema of another name than `public`, as a role that owns only that schema. */
function findOwnedTemplate(): OwnedTemplate | undefined {
  const owned = inject('ownedTemplate')
  if (owned === null) return undefined
  return owned.isForAll || /\/server\/test\/api\//.test(expect.getState().testPath ?? '') ? owned : undefined
}

/** Creates a copy of the migrated template, or of another database; `template0` is empty. */
export async function createDatabase(given?: string): Promise<TestDatabase> {
  const owned = given === undefined ? findOwnedTemplate() : undefined
  const template = owned?.template ?? given ?? inject('template')
  const nodes = [inject('connection'), ...inject('workers')]
  const database = `${inject('template')}_${randomBytes(6).toString('hex')}`
  // A copy of the files takes half the time of one that is logged.
  for (const node of nodes) await query(node, `create database ${database} template ${template} strategy file_copy`)
  return {
    connection: {
      ...inject('connection'),
      database,
      ...(owned === undefined ? {} : { user: owned.user, password: owned.password }),
    },
    drop: async () => {
      if (isDistributed()) await closeDatabase(nodes, database)
      for (const node of nodes) await query(node, `drop database ${database} with (force)`)
    },
  }
}

const ACTOR = programActor('test')

export class TestServer {
  readonly connection: Connection
  readonly db: Pool
  readonly app: App
  readonly clock: TestClock
  readonly operatorToken: string
  readonly baseUrl: string
  readonly #drop: () => Promise<void>

  private constructor(
    parts: Pick<TestServer, 'connection' | 'db' | 'app' | 'clock' | 'operatorToken' | 'baseUrl'> & {
      drop(): Promise<void>
    },
  ) {
    this.connection = parts.connection
    this.db = parts.db
    this.app = parts.app
    this.clock = parts.clock
    this.operatorToken = parts.operatorToken
    this.baseUrl = parts.baseUrl
    this.#drop = parts.drop
  }

  static async start(
    environ: Record<string, string> = {},
    {
      log = createLog({ level: 'silent' }),
      database,
      clock = new TestClock(),
      port = 0,
      secretKey = Buffer.alloc(32, 7),
      ...options
    }: {
      log?: Log
      database?: TestDatabase
      clock?: TestClock
      port?: number
      secretKey?: AppOptions['secretKey']
    } & Pick<
      AppOptions,
      | 'webhookDeadlineMs'
      | 'webhookResolve'
      | 'lookUpDelaysMs'
      | 'streamLimits'
      | 'passwordCostBits'
      | 'role'
      | 'bucketStore'
      | 'tracing'
    > = {},
  ): Promise<TestServer> {
    const { connection, drop } = database ?? (await createDatabase())
    const config = readTestConfig({
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      STATEMENT_RATE_LIMIT_PER_SECOND: '100000',
      FAILED_AUTHENTICATION_PER_MINUTE: '100000',
      FAILED_SIGN_INS_PER_ACCOUNT: '100000',
      FAILED_SIGN_INS_PER_ADDRESS: '100000',
      SIGN_INS_PER_ACCOUNT: '100000',
      SIGN_INS_PER_ADDRESS: '100000',
      PERSON_CHANGES_PER_HOUR: '100000',
      ...environ,
    })
    // As openDatabase does: on Citus, batches of one company each run side by side in the pool. Statements take longer there.
    const db = createPool(connection, { size: isDistributed() ? 6 : 3, onError: () => {} })
    const pipeline = isDistributed() ? undefined : createPipeline(connection, { onError: () => {} })
    const app = await createApp({
      db,
      intakeDb: pipeline ?? db,
      poolStats: db.stats,
      clock,
      log,
      config,
      secretKey,
      slowMs: 50,
      // A real hash takes a third of a second.
      passwordCostBits: 10,
      ...options,
    })
    const operatorToken = makeToken('operator')
    await acceptOperatorToken(db, {
      id: newId(clock.now()),
      name: 'test',
      ...tokenEnds(operatorToken),
      digest: app.keyring.digest(operatorToken),
      createdAt: clock.now(),
    })
    const baseUrl = await app.server.listen({ host: '127.0.0.1', port })
    const dropAll = async () => {
      await pipeline?.close()
      await drop()
    }
    return new TestServer({ connection, db, app, clock, operatorToken, baseUrl, drop: dropAll })
  }

  async stop(): Promise<void> {
    await this.app.close()
    await this.db.close()
    await this.#drop()
  }

  /** Sends one HTTP request. An object is sent as JSON, a string as it is. */
  async request<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options: { token?: string; body?: unknown; headers?: Record<string, string>; idempotencyKey?: string } = {},
  ): Promise<TestAnswer<Body>> {
    const headers: Record<string, string> = {}
    if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`
    if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { ...headers, ...options.headers },
      ...(options.body === undefined
        ? {}
        : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
    })
    // A stream of events does not end by itself.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
    const body = (isJson ? JSON.parse(text) : undefined) as Body
    if (isJson && response.status >= 400) requireDocumented(this.app?.routes ?? [], method, path, body)
    return { status: response.status, headers: response.headers, text, body }
  }

  get<Body = Record<string, unknown>>(path: string, token: string): Promise<TestAnswer<Body>> {
    return this.request<Body>('GET', path, { token })
  }

  /** Sends a POST, with a new idempotency key unless one is given. */
  post<Body = Record<string, unknown>>(
    path: string,
    token: string,
    body?: unknown,
    idempotencyKey: string = randomUUID(),
  ): Promise<TestAnswer<Body>> {
    return this.request<Body>('POST', path, { token, body, idempotencyKey })
  }

  async createCompany(options: { kind?: 'individual' | 'corporate'; verified?: boolean } = {}): Promise<TestCompany> {
    const row = await createCompany(this.#access, ACTOR, { name: 'Test company', kind: options.kind ?? 'corporate' })
    if (options.verified !== false) await decideVerification(this.#access, ACTOR, row.id, { decision: 'approve' })
    const key = await this.createKey(row.id)
    return { id: row.id, wireId: formatId('co', row.id), scope: { companyId: row.id, environment: 'sandbox' }, key }
  }

  async createKey(
    companyId: string,
    options: {
      environment?: Environment
      scopes?: readonly KeyPermission[]
      expiresAt?: string
      allowedCidrs?: string[]
    } = {},
  ): Promise<string> {
    const { environment = 'sandbox', scopes = PERMISSIONS, ...rest } = options
    return (await createKey(this.#access, ACTOR, companyId, { environment, scopes, name: 'test', ...rest })).key
  }

  get #access() {
    return { db: this.db, clock: this.clock, keyring: this.app.keyring }
  }
}
