// Reads the database as it is at one moment. Only for commands: a server never holds a transaction open between statements.
import pg from 'pg'
import { type Connection, type Db, toClientConfig, toQuery } from './pool.ts'
import type { Statement } from './sql.ts'

export async function withSnapshot<Result>(connection: Connection, use: (db: Db) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(toClientConfig(connection))
  // A lost connection fails the statement that runs; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  const ask = (statement: Statement) => client.query(toQuery(statement, connection))
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    return await use({
      many: async (statement) => (await ask(statement)).rows,
      find: async (statement) => (await ask(statement)).rows[0],
      run: async (statement) => (await ask(statement)).rowCount ?? 0,
    })
  } finally {
    await client.end()
  }
}
