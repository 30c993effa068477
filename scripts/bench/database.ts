// Makes further databases beside the main one of a benchmark, in the same PostgreSQL.
import { migrate } from '../../server/src/db/migrate.ts'
import { type Connection, createPool } from '../../server/src/db/pool.ts'
import type { Bench } from './bench.ts'

/** Returns a new database with the current schema. */
export async function createMigrated(bench: Bench, name: string): Promise<Connection> {
  const connection = await createEmpty(bench, name)
  await migrate(connection)
  return connection
}

/** The server's own role may not create databases. */
export async function createEmpty(bench: Bench, name: string): Promise<Connection> {
  const superuser = createPool(bench.superuser, { size: 1, onError: () => {} })
  await superuser.run({ name: undefined, text: `create database ${name} owner ${bench.connection.user}`, values: [] })
  await superuser.close()
  return { ...bench.connection, database: name }
}
