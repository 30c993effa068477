// The database as the simulated nodes see it. Statements are steps of the scheduler and really run in PostgreSQL, one at a
// time or, in a race, several that wait for the same locks.
import type pg from 'pg'
import { type Connection, type Db, toQuery } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'
import { openClient, toDb } from '../world/line.ts'
import { KEEP_PLANS } from '../world/plans.ts'
import { findFunction } from './functions.ts'

/** What a statement returned, or the error of the database. */
export type Executed = { readonly result: pg.QueryResult } | { readonly error: unknown }

/** A statement in a race. */
interface Runner {
  /** The process of the database that runs it. */
  readonly pid: number
  hasEnded: boolean
  executed: Promise<Executed> | undefined
}

/** Tables that hold what does not change, such as products and versions, or that the simulation does not use. */
const KEPT_TABLES = [
  'company',
  'product',
  'price',
  'schema_file',
  'access_version',
  'catalog_version',
  'installation',
  'heartbeat',
  'person',
  'person_session',
  'membership',
  'one_time_link',
  'recovery_code',
  'totp',
  'operator_token',
  'request_log',
]

/**
 * Longer than a race takes on a busy machine: a process that looks for a deadlock holds what every other one needs, and must not be
 * suspended then. A real deadlock ends after this time.
 */
const DEADLOCK_TIMEOUT = '30s'
/** For all statements, for the referee of a race, and for two that race. */
const CONNECTIONS = 4

/** Makes every statement wait that changes an account or claims an operation. No other statement runs now, so this one never waits. */
const LOCK_ALL = `begin;
  select from account order by company_id, environment for no key update;
  select from operation where status in ('queued', 'processing') order by company_id, environment, id for no key update;
  select from issuer_request order by company_id, environment, id for no key update`

/** Selects the tables that have pages, even if all their rows were deleted. */
const USED = `
  select string_agg(format('%I', relname), ', ' order by relname) as names from pg_class
  where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r' and relname <> all ($1) and pg_relation_size(oid) > 0`

export class SimDatabase {
  readonly main: pg.Client
  readonly #racers: readonly pg.Client[]
  readonly #referee: pg.Client
  readonly #pids = new Map<pg.Client, number>()
  statements = 0
  /** Counts the statements after which a job may have something to do. */
  changes = 0

  private constructor(clients: readonly pg.Client[]) {
    const [main, referee, ...racers] = clients
    if (main === undefined || referee === undefined) throw new Error('no connection')
    this.main = main
    this.#referee = referee
    this.#racers = racers
  }

  static async open(connection: Connection): Promise<SimDatabase> {
    const clients: pg.Client[] = []
    for (let count = 0; count < CONNECTIONS; count += 1) clients.push(await openClient(connection))
    for (const client of clients) await client.query(`set deadlock_timeout = '${DEADLOCK_TIMEOUT}'`)
    const database = new SimDatabase(clients)
    await database.main.query(KEEP_PLANS)
    for (const client of clients) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      database.#pids.set(client, rows[0]?.pid ?? 0)
    }
    return database
  }

  async close(): Promise<void> {
    for (const client of [this.main, this.#referee, ...this.#racers]) await client.end()
  }

  /** Empties the tables that were used. A table that is truncated begins with new files, so that every run begins the same. */
  async reset(seed: number): Promise<void> {
    this.changes += 1
    const { rows } = await this.main.query<{ names: string | null }>({
      name: 'used tables',
      text: USED,
      values: [KEPT_TABLES],
    })
    const names = rows[0]?.names ?? null
    await this.main.query(`
      set session_replication_role = replica;
      ${names === null ? '' : `truncate ${names} cascade;`}
      delete from company;
      set session_replication_role = origin`)
    const value = ((seed * 2654435761) % 1_000_003) / 1_000_003
    for (const client of [this.main, ...this.#racers]) await client.query('select setseed($1)', [value])
  }

  async execute(statement: Statement, client = this.main): Promise<Executed> {
    this.statements += 1
    try {
      const result = await client.query(toQuery(statement))
      if (mayBringWork(statement, result.rows.length)) this.changes += 1
      return { result }
    } catch (error) {
      this.changes += 1
      return { error }
    }
  }

  /** A database for the simulation's own use: it has no faults. */
  direct(): Db {
    return toDb(async (statement) => {
      const executed = await this.execute(statement)
      if ('error' in executed) throw executed.error
      return executed.result
    })
  }

  get raceSize(): number {
    return this.#racers.length
  }

  /**
   * Runs statements that meet inside the database: all accounts and open operations are locked until each of them has ended or
   * waits for a lock. Then they go on one after the other: each has ended, or waits for another, before the next one goes on.
   * If they all went on at the same time, chance would decide which of them is first at a lock that none of them waited for yet.
   */
  async race(statements: readonly Statement[]): Promise<Executed[]> {
    await this.#referee.query(LOCK_ALL)
    const runners: Runner[] = []
    for (const [index, statement] of statements.entries()) {
      const client = this.#racers[index]
      if (client === undefined) throw new Error('more racers than connections')
      const runner: Runner = { pid: this.#pids.get(client) ?? 0, hasEnded: false, executed: undefined }
      runner.executed = this.execute(statement, client).finally(() => (runner.hasEnded = true))
      runners.push(runner)
      await this.#letRun([runner])
    }
    // Processes that wait for a lock can be suspended safely: they hold nothing that the server itself needs.
    const waiting = runners.filter(({ hasEnded }) => !hasEnded)
    for (const { pid } of waiting) process.kill(pid, 'SIGSTOP')
    try {
      await this.#referee.query('commit')
    } finally {
      for (const [index, { pid }] of waiting.entries()) {
        process.kill(pid, 'SIGCONT')
        await this.#letRun(waiting.slice(0, index + 1))
      }
    }
    return Promise.all(runners.map(({ executed }) => executed as Promise<Executed>))
  }

  /** Waits until each of them has ended or waits for a lock. */
  async #letRun(runners: readonly Runner[]): Promise<void> {
    for (;;) {
      const running = runners.filter(({ hasEnded }) => !hasEnded).map(({ pid }) => pid)
      if (running.length === 0) return
      const { rows } = await this.#referee.query<{ count: number }>({
        name: 'waiting',
        text: 'select count(distinct pid)::integer as count from pg_locks where pid = any ($1) and not granted',
        values: [running],
      })
      if (rows[0]?.count === running.length) return
    }
  }
}

/** Whether a statement may have made work for a job: a function, unless it is a claim that found nothing, or another write to a table that the oracle reads. */
function mayBringWork({ text }: Statement, rowCount: number): boolean {
  const called = findFunction(text)
  // One row of claim_operations_of may have no operation.
  if (called === 'claim_operations_of') return rowCount > 1
  if (called !== undefined) return rowCount > 0 || called !== 'claim_operations'
  return !text.trimStart().startsWith('select') && /\b(operation|invoice|delivery_queue|account|seal)\b/.test(text)
}
