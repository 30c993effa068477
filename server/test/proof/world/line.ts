// A connection without time limits, on which statements follow each other: the timers of the driver's own limits would be those of
// the virtual time, and a busy machine may take longer than they allow.
import pg from 'pg'
import { type Connection, type Db, toClientConfig, toQuery } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'

export async function openClient(connection: Connection): Promise<pg.Client> {
  const { query_timeout: _, connectionTimeoutMillis: __, ...config } = toClientConfig(connection)
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The database as the server sees it, whoever carries out the statements. */
export function toDb(execute: (statement: Statement) => Promise<pg.QueryResult>): Db {
  return {
    many: async (statement) => (await execute(statement)).rows,
    find: async (statement) => (await execute(statement)).rows[0],
    run: async (statement) => (await execute(statement)).rowCount ?? 0,
  }
}

export class Line {
  readonly client: pg.Client
  /** For the use of the proof itself. */
  readonly db: Db = toDb((statement) => this.execute(statement))

  private constructor(client: pg.Client) {
    this.client = client
  }

  static async open(connection: Connection): Promise<Line> {
    return new Line(await openClient(connection))
  }

  close(): Promise<void> {
    return this.client.end()
  }

  execute(statement: Statement): Promise<pg.QueryResult> {
    return this.client.query(toQuery(statement))
  }

  /**
   * Runs the statement and tells `mayCommit` whether it wrote anything, row locks included. If that returns false, the statement
   * is rolled back, as when its connection breaks before the commit, and undefined is returned. The connection itself is kept: a
   * new one would have to plan every function again.
   */
  async runAndWatch(
    statement: Statement,
    mayCommit: (wrote: boolean) => boolean,
  ): Promise<{ result: pg.QueryResult; wrote: boolean } | undefined> {
    await this.client.query('begin')
    let mayEnd = false
    try {
      const result = await this.execute(statement)
      const { rows } = await this.client.query<{ wrote: boolean }>(
        'select pg_current_xact_id_if_assigned() is not null as wrote',
      )
      const wrote = rows[0]?.wrote === true
      mayEnd = mayCommit(wrote)
      return mayEnd ? { result, wrote } : undefined
    } finally {
      await this.client.query(mayEnd ? 'commit' : 'rollback')
    }
  }
}
