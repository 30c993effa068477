// Runs several statements in one transaction. Only for the adapter, which has a database of its own: a server makes each change by one
// statement. `use` must call nothing but the database, because it holds locks meanwhile.
import pg from 'pg'
import { createClientSet } from './client-set.ts'
import { CLOSE_GRACE_MS, type Connection, type Db, toClientConfig, toQuery } from './pool.ts'
import type { Statement } from './sql.ts'

/** Commits when `use` resolves, and rolls back when it throws. */
export type Transact = <Result>(use: (tx: Db) => Promise<Result>) => Promise<Result>

export interface Transactions {
  readonly transact: Transact
  close(): Promise<void>
}

export function createTransactions(
  connection: Connection,
  { size, onError }: { size: number; onError: (error: Error) => void },
): Transactions {
  const clients = createClientSet()
  const pool = new pg.Pool({ ...toClientConfig(connection), max: size, Client: clients.Client })
  // The pool replaces a broken idle connection on the next use; without a listener the error would end the process.
  pool.on('error', onError)
  // Nor does the pool listen to a connection that is in use. The next statement of its transaction fails.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return {
    async transact(use) {
      const client = await pool.connect()
      let failure: Error | undefined
      try {
        await client.query('begin')
        const result = await use(dbOf(client, connection))
        await client.query('commit')
        return result
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
        throw error
      } finally {
        // A connection in an open transaction is closed, which rolls it back.
        client.release(failure)
      }
    },
    close: () => clients.closeWithin(CLOSE_GRACE_MS, () => pool.end()),
  }
}

function dbOf(client: pg.PoolClient, connection: Connection): Db {
  const ask = (statement: Statement) => client.query(toQuery(statement, connection))
  return {
    many: async (statement) => (await ask(statement)).rows,
    find: async (statement) => (await ask(statement)).rows[0],
    run: async (statement) => (await ask(statement)).rowCount ?? 0,
  }
}
