// The PostgreSQL of a run of the tests: one that is started for it, or one that somebody else runs.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import pg from 'pg'
import { PROGRAM } from '../../src/db/private-postgres.ts'
import { makeMemoryFolder, MEMORY_SETTINGS } from './memory-folder.ts'

export interface TestConnection {
  host: string
  port: number
  user: string
  database: string
  password?: string
}

export interface TestPostgres {
  /** May create databases. */
  readonly admin: TestConnection
  /** The other nodes, if Citus distributes the databases. */
  readonly workers: readonly TestConnection[]
  readonly isGiven: boolean
  /** Creates an empty database, which is dropped at the end of the run. */
  create(name: string): Promise<void>
  /** Called once the database is complete, before it is copied. */
  finish?(name: string): Promise<void>
  /** Also drops the role, which somebody made for the run. */
  close(role?: string): Promise<void>
}

export async function openPrivate(): Promise<TestPostgres> {
  const folder = makeMemoryFolder('cardstock test ')
  const options = { folder: join(folder, 'postgres'), durable: false, log: () => {}, settings: MEMORY_SETTINGS }
  const server = await startPrivatePostgres({ program: PROGRAM, ...options })
  return {
    admin: server.superuser,
    workers: [],
    isGiven: false,
    create: (name) => query(server.superuser, `create database ${name}`),
    close: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The role in the address must be a superuser: some tests do what only an administrator of the database can do. */
export async function openGiven(url: string): Promise<TestPostgres> {
  const admin = parseTestUrl(url)
  const created: string[] = []
  return {
    admin,
    workers: [],
    isGiven: true,
    create: async (name) => {
      await query(admin, `create database ${name} template template0`)
      created.push(name)
    },
    close: async (role) => {
      for (const name of created) await query(admin, `drop database ${name} with (force)`)
      if (role !== undefined) await query(admin, `drop role ${role}`)
    },
  }
}

/** The driver reads the address as it does for the server. */
export function parseTestUrl(url: string): TestConnection {
  const { host, port, user, database, password } = new pg.Client(url)
  if (user === undefined || database === undefined)
    throw new Error('The address of the test database names no role or no database.')
  return { host, port, user, database, ...(typeof password === 'string' ? { password } : {}) }
}

export async function query(connection: TestConnection, statement: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Lets nobody into a database of Citus any more, and ends what is connected to it. Citus has a process in it, which opens connections. One
 * that it opens while the database is dropped waits for the end of that, and the process waits for the connection: neither ends by itself.
 */
export async function closeDatabase(nodes: readonly TestConnection[], database: string): Promise<void> {
  for (const node of nodes) await query(node, `alter database ${database} with allow_connections false`)
  const end = `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`
  for (const node of nodes) await query(node, end)
}
