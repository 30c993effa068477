// The one connection on which all nodes reach the database. Statements follow each other, so that a run makes the same calls
// in the same order each time. A statement can also be carried out and lost, as when its connection breaks before the commit.
import pg from 'pg'
import { type Connection, toClientConfig, toQuery } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'

export class Line {
  readonly #connection: Connection
  #client: pg.Client | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async run(statement: Statement): Promise<pg.QueryResult> {
    return (await this.#open()).query(toQuery(statement))
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
    const client = await this.#open()
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
    await this.#client?.end()
  }

  async #open(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client
    const client = new pg.Client(toClientConfig(this.#connection))
    client.on('error', () => {})
    await client.connect()
    this.#client = client
    return client
  }
}
