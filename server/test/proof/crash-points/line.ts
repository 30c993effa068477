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

  /** Runs the statement and reports whether it wrote anything, row locks included. */
  async runAndWatch(statement: Statement): Promise<{ result: pg.QueryResult; wrote: boolean }> {
    const client = await this.#open()
    await client.query('begin')
    try {
      const result = await client.query(toQuery(statement))
      const { rows } = await client.query<{ wrote: boolean }>(
        'select pg_current_xact_id_if_assigned() is not null as wrote',
      )
      return { result, wrote: rows[0]?.wrote === true }
    } finally {
      await client.query('commit')
    }
  }

  /** Runs the statement and breaks the connection before it is committed, so that the database rolls it back. */
  async runAndLose(statement: Statement): Promise<void> {
    const client = await this.#open()
    await client.query('begin')
    await client.query(toQuery(statement)).catch(() => undefined)
    this.#client = undefined
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    await ended
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
