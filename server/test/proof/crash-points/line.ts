// A connection without time limits, on which statements follow each other. All nodes reach the database on the same one, so that
// a run makes the same calls in the same order each time, and a statement on it can be lost before its commit.
import pg from 'pg'
import { type Connection, type Db, toClientConfig, toQuery } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'

export class Line implements Db {
  readonly #connection: Connection
  #client: Promise<pg.Client> | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async execute(statement: Statement): Promise<pg.QueryResult> {
    return (await this.client()).query(toQuery(statement))
  }

  async many<Row>(statement: Statement): Promise<Row[]> {
    return (await this.execute(statement)).rows as Row[]
  }

  async find<Row>(statement: Statement): Promise<Row | undefined> {
    return (await this.many<Row>(statement))[0]
  }

  async run(statement: Statement): Promise<number> {
    return (await this.execute(statement)).rowCount ?? 0
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
    const client = await this.client()
    await client.query('begin')
    let mayEnd = false
    try {
      const result = await client.query(toQuery(statement))
      const { rows } = await client.query<{ wrote: boolean }>(
        'select pg_current_xact_id_if_assigned() is not null as wrote',
      )
      const wrote = rows[0]?.wrote === true
      mayEnd = mayCommit(wrote)
      return mayEnd ? { result, wrote } : undefined
    } finally {
      await client.query(mayEnd ? 'commit' : 'rollback')
    }
  }

  async close(): Promise<void> {
    await (await this.#client)?.end()
  }

  client(): Promise<pg.Client> {
    return (this.#client ??= this.#open())
  }

  async #open(): Promise<pg.Client> {
    // A busy machine may take longer than the server's own limits.
    const { query_timeout: _, connectionTimeoutMillis: __, ...config } = toClientConfig(this.#connection)
    const client = new pg.Client(config)
    client.on('error', () => {})
    await client.connect()
    return client
  }
}
