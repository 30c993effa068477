// Runs a real PgBouncer in transaction mode in front of a test database. Few server connections, so that clients share them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from '../../src/db/pool.ts'
import { FaultProxy } from './fault-proxy.ts'
import { findFreePort } from './free-port.ts'
import { until } from './wait.ts'

export const PGBOUNCER = { name: 'pgbouncer', package: 'pgbouncer' }

const SERVER_CONNECTIONS = 3
/** PgBouncer refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 }

export interface Pooler {
  /** The address of the database by way of the pooler. */
  readonly url: string
  stop(): Promise<void>
}

export async function startPgbouncer(program: string, target: Connection): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-pgbouncer-'))
  chmodSync(folder, 0o755)
  // The socket of the test database belongs to another account.
  const proxy = await FaultProxy.open(target, { isRecording: false })
  const { host, port: databasePort, user, password, database } = proxy.connection
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
pooled = host=${host} port=${databasePort} user=${user} password=${String(password)} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
`,
  )
  const child = spawn(program, ['-q', file], { stdio: 'ignore', ...(process.getuid?.() === 0 ? NOBODY : {}) })
  const exited = once(child, 'exit')
  const url = `postgres://anyone@127.0.0.1:${port}/pooled`
  await until('PgBouncer answers', () => child.exitCode !== null || answers(url))
  if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
  return {
    url,
    async stop() {
      child.kill('SIGKILL')
      await exited
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
