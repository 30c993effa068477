// The database as the rest of the server sees it: one statement at a time, each its own transaction.
// Through it, nobody can hold a transaction open across an await. Migrations, backups and restores, which need one, have connections of
// their own.
import pg from 'pg'
import { toArrayLiteral } from './array-literal.ts'
import { createClientSet } from './client-set.ts'
import type { Connection } from './connection.ts'
import { STATEMENT_TIMEOUT_MS, toStartOptions } from './session-settings.ts'
import type { Statement } from './sql.ts'
import { DatabaseUnreachableError, markNotSent } from './unavailable.ts'

export interface Db {
  /** Returns all rows. */
  many<Row>(statement: Statement): Promise<Row[]>
  /** Returns the first row, or undefined. */
  find<Row>(statement: Statement): Promise<Row | undefined>
  /** Returns how many rows were touched. */
  run(statement: Statement): Promise<number>
}

/** A Db whose connections can be given up when they turn out to be dead. */
export interface Connections {
  /** Breaks every connection; statements that wait for an answer or for a connection fail as unavailable. */
  drop(): void
  /** Waits a moment for statements under way, then closes whatever they do. */
  close(): Promise<void>
}

/** For the audit, whose statements may take minutes. */
export interface Audits {
  readonly db: Db
  /** How many accounts are read side by side; `db` has as many connections. */
  readonly atATime: number
}

export interface Pool extends Db, Connections {
  stats(): { total: number; idle: number; waiting: number }
}

export interface PoolOptions {
  size: number
  onError: (error: Error) => void
  statementTimeoutMs?: number
  /** While this returns false, statements fail immediately instead of waiting for a database that does not answer. */
  isReachable?: () => boolean
}

export type { Connection } from './connection.ts'

/** The database cancels a statement first. Only when not even that answer arrives is the connection given up. */
const DEADLINE_MARGIN_MS = 2_000
/** Bounds both connecting and waiting for a free connection. Longer than a connection takes, shorter than a client waits. */
export const CONNECT_TIMEOUT_MS = 5_000
/** Before the first probe of an idle connection. Firewalls forget a silent connection after minutes at the earliest. */
export const KEEP_ALIVE_DELAY_MS = 10_000
/** What a statement under way gets when its pool is closed. */
export const CLOSE_GRACE_MS = 2_000

const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 && format !== 'binary') return BigInt
    return format === undefined ? pg.types.getTypeParser(oid) : pg.types.getTypeParser(oid, format)
  },
}

/** Returns what every connection of ours is opened with. `deadlineMs` is the client's own limit for an answer. */
export function toClientConfig(
  connection: Connection,
  limits: { statementTimeoutMs?: number; deadlineMs?: number } = {},
): pg.ClientConfig {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = limits
  const { deadlineMs = statementTimeoutMs + DEADLINE_MARGIN_MS } = limits
  const { isPooled = false, options = '', ...address } = connection
  const ours = isPooled ? '' : toStartOptions(statementTimeoutMs)
  return {
    ...address,
    types,
    options: `${ours} ${options}`.trim(),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: deadlineMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    application_name: 'cardstock',
  }
}

/** Returns the statement as the driver takes it. A name belongs to a session, and a pooler has no session of ours. */
export function toQuery({ name, text, values }: Statement, { isPooled = false }: Connection = {}): pg.QueryConfig {
  const parameters = values.map((value) => (Array.isArray(value) ? toArrayLiteral(value) : value))
  return name === undefined || isPooled ? { text, values: parameters } : { name, text, values: parameters }
}

type OnConnect = Parameters<pg.Pool['connect']>[0]

/**
 * Marks the errors of statements that got no connection, and can give up those that wait for one. The pool's own query()
 * connects by this method.
 */
class MarkingPool extends pg.Pool {
  readonly #waiting = new Set<() => void>()

  override connect(): Promise<pg.PoolClient>
  override connect(callback: OnConnect): void
  override connect(callback?: OnConnect): Promise<pg.PoolClient> | void {
    if (callback === undefined) return super.connect()
    let isGivenUp = false
    const giveUp = () => {
      isGivenUp = true
      callback(new DatabaseUnreachableError(), undefined, () => undefined)
    }
    this.#waiting.add(giveUp)
    super.connect((error, client, done) => {
      this.#waiting.delete(giveUp)
      if (isGivenUp) client?.release()
      else callback(error && markNotSent(error), client, done)
    })
  }

  /** The pool itself would let them wait for a connection to a database that does not answer. */
  giveUpWaiting(): void {
    for (const giveUp of this.#waiting) giveUp()
    this.#waiting.clear()
  }
}

export function createPool(connection: Connection, options: PoolOptions): Pool {
  const { size, onError, statementTimeoutMs = STATEMENT_TIMEOUT_MS, isReachable = () => true } = options
  const clients = createClientSet()
  const config = { ...toClientConfig(connection, { statementTimeoutMs }), max: size }
  const pool = new MarkingPool({ ...config, Client: clients.Client })
  // The pool replaces a broken idle connection on the next use; without a listener the error would end the process.
  pool.on('error', onError)
  // The driver destroys a connection whose statement missed its deadline, so the pool never hands it out again.
  const isOwnTimeout = connection.isPooled === true && statementTimeoutMs !== STATEMENT_TIMEOUT_MS
  const query = (statement: Statement) => {
    if (!isReachable()) throw new DatabaseUnreachableError()
    const asked = toQuery(statement, connection)
    return isOwnTimeout ? queryWithin(pool, asked, statementTimeoutMs) : pool.query(asked)
  }
  return {
    many: async (statement) => (await query(statement)).rows,
    find: async (statement) => (await query(statement)).rows[0],
    run: async (statement) => (await query(statement)).rowCount ?? 0,
    drop: () => {
      pool.giveUpWaiting()
      clients.drop()
    },
    close: () => clients.closeWithin(isReachable() ? CLOSE_GRACE_MS : 0, () => pool.end()),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}

/** Runs the statement in a transaction with a time limit of its own, for sessions that cannot be opened with one. */
async function queryWithin(pool: pg.Pool, query: pg.QueryConfig, statementTimeoutMs: number): Promise<pg.QueryResult> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('begin')
    await client.query(`set local statement_timeout = ${statementTimeoutMs}`)
    const result = await client.query(query)
    await client.query('commit')
    return result
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A connection in an open transaction is closed, which rolls it back.
    client.release(failure)
  }
}

/** Reports whether somebody else wrote a row with this key first. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  // Citus passes an error of a node on as an internal one if a function on the coordinator caused it.
  return error.code === '23505' || (error.code === 'XX000' && error.message.startsWith('duplicate key value violates'))
}
