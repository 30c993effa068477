// The database as the rest of the server sees it: one statement at a time, each its own transaction.
// There is deliberately no way to hold a transaction open across an await.
import pg from 'pg'
import { toArrayLiteral } from './array-literal.ts'
import type { Statement } from './sql.ts'

export interface Db {
  /** All rows. */
  many<Row>(statement: Statement): Promise<Row[]>
  /** The first row, or undefined. */
  find<Row>(statement: Statement): Promise<Row | undefined>
  /** How many rows were touched. */
  run(statement: Statement): Promise<number>
}

export interface Pool extends Db {
  close(): Promise<void>
  stats(): { total: number; idle: number; waiting: number }
}

export interface PoolOptions {
  size: number
  onError: (error: Error) => void
  statementTimeoutMs?: number
}

export type Connection = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database' | 'password'>

/** No statement of ours takes seconds; one that does holds locks that others wait for. */
const STATEMENT_TIMEOUT_MS = 30_000
/** Longer than a failover of a managed PostgreSQL needs to refuse connections, shorter than a client's patience. */
export const CONNECT_TIMEOUT_MS = 5_000
// jit: our statements are short, and compiling one costs more than running it (DESIGN measured 0.8 s against 1 ms).
const sessionOptions = (statementTimeoutMs: number) =>
  `-c jit=off -c statement_timeout=${statementTimeoutMs} -c timezone=UTC`

const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 && format !== 'binary') return BigInt
    return format === undefined ? pg.types.getTypeParser(oid) : pg.types.getTypeParser(oid, format)
  },
}

/** What every connection of ours is opened with. */
export function toClientConfig(connection: Connection, statementTimeoutMs = STATEMENT_TIMEOUT_MS): pg.ClientConfig {
  return {
    ...connection,
    types,
    options: sessionOptions(statementTimeoutMs),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'cardstock',
  }
}

/** The statement as the driver takes it. */
export function toQuery({ name, text, values }: Statement): pg.QueryConfig {
  const parameters = values.map((value) => (Array.isArray(value) ? toArrayLiteral(value) : value))
  return name === undefined ? { text, values: parameters } : { name, text, values: parameters }
}

export function createPool(connection: Connection, options: PoolOptions): Pool {
  const pool = new pg.Pool({ ...toClientConfig(connection, options.statementTimeoutMs), max: options.size })
  // An idle connection that breaks is replaced on the next use; without a listener it would end the process.
  pool.on('error', options.onError)
  const query = (statement: Statement) => pool.query(toQuery(statement))
  return {
    many: async (statement) => (await query(statement)).rows,
    find: async (statement) => (await query(statement)).rows[0],
    run: async (statement) => (await query(statement)).rowCount ?? 0,
    close: () => pool.end(),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}

/** The database could not be asked, or its answer was lost: the statement may or may not have been carried out. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/^(08|57P0|53300|25006)/.test(code)) return true
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND)$/.test(code)) return true
  return /Connection terminated|timeout (exceeded when trying to connect|expired)|Client has encountered a connection error/.test(
    error.message,
  )
}

/** Somebody else wrote a row with this key first. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
