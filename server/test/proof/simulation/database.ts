// The database as the simulated nodes see it. Statements are steps of the scheduler and really run in PostgreSQL, one at a
// time or, in a race, several that wait for the same locks.
import pg from 'pg'
import { type Connection, type Db, toClientConfig, toQuery } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'

/** What a statement returned, or the error of the database. */
export type Executed = { readonly result: pg.QueryResult } | { readonly error: unknown }

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

/** Whoever changes an account or claims an operation waits. Nothing else runs, so that this never waits itself. */
const LOCK_ALL = `begin;
  select from account order by company_id, environment for no key update;
  select from operation where status in ('queued', 'processing') order by company_id, environment, id for no key update`

/** Tables that have pages, even if all their rows were deleted. */
const USED = `
  select string_agg(format('%I', relname), ', ' order by relname) as names from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all ($1) and pg_relation_size(oid) > 0`

export class SimDatabase {
  readonly main: pg.Client
  readonly #racers: readonly pg.Client[]
  readonly #referee: pg.Client
  readonly #pids = new Map<pg.Client, number>()
  statements = 0
  /** Counts the statements that may have changed when a job has something to do. */
  changes = 0

  private constructor(clients: readonly pg.Client[]) {
    const [main, referee, ...racers] = clients
    if (main === undefined || referee === undefined) throw new Error('no connection')
    this.main = main
    this.#referee = referee
    this.#racers = racers
  }

  static async open(connection: Connection): Promise<SimDatabase> {
    // Without the client's own time limits: their timers would be those of the simulation.
    const { query_timeout: _, connectionTimeoutMillis: __, ...config } = toClientConfig(connection)
    const clients = Array.from({ length: 4 }, () => new pg.Client(config))
    for (const client of clients) await client.connect()
    const database = new SimDatabase(clients)
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
    if (mayBringWork(statement)) this.changes += 1
    try {
      return { result: await client.query(toQuery(statement)) }
    } catch (error) {
      return { error }
    }
  }

  /** A database for the simulation's own use: it has no faults. */
  direct(): Db {
    const ask = async (statement: Statement) => {
      const executed = await this.execute(statement)
      if ('error' in executed) throw executed.error
      return executed.result
    }
    return {
      many: async (statement) => (await ask(statement)).rows,
      find: async (statement) => (await ask(statement)).rows[0],
      run: async (statement) => (await ask(statement)).rowCount ?? 0,
    }
  }

  get raceSize(): number {
    return this.#racers.length
  }

  /**
   * Runs statements that meet inside the database: all accounts and open operations are locked until each of them has ended or waits for a lock.
   * They then get the locks in the order in which they began to wait.
   */
  async race(statements: readonly Statement[]): Promise<Executed[]> {
    await this.#referee.query(LOCK_ALL)
    const running: Promise<Executed>[] = []
    for (const [index, statement] of statements.entries()) {
      const racer = this.#racers[index]
      if (racer === undefined) throw new Error('more racers than connections')
      const state = { hasEnded: false }
      running.push(this.execute(statement, racer).finally(() => (state.hasEnded = true)))
      while (!state.hasEnded && !(await this.#isWaiting(racer)));
    }
    await this.#referee.query('commit')
    return Promise.all(running)
  }

  async #isWaiting(racer: pg.Client): Promise<boolean> {
    const { rows } = await this.#referee.query<{ waiting: boolean }>(
      "select wait_event_type = 'Lock' as waiting from pg_stat_activity where pid = $1",
      [this.#pids.get(racer)],
    )
    return rows[0]?.waiting === true
  }
}

/** Functions write, and so may other statements about the tables that the oracle reads. */
function mayBringWork({ text }: Statement): boolean {
  if (text.includes('public.')) return true
  return !text.trimStart().startsWith('select') && /\b(operation|invoice|delivery_queue|account|seal)\b/.test(text)
}
