// A disk that is really full: writes are refused with 503, the server is not ready, and it recovers when there is room.
// Needs the right to mount a small file system; skipped otherwise. It has a PostgreSQL of its own, because no database of a
// cluster can be created or dropped while a checkpoint cannot write to one full disk.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PrivatePostgres, startPrivatePostgres } from '@cardstock/private-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAM } from '../../src/db/private-postgres.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { ask, type Credentials, readCredentials, type ServerProcess, startServer, until } from './server.ts'

/** A busy machine takes many times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000
/** Room for the database and some work. */
const DISK = 'size=64m'
const CHUNK_BYTES = 64 * 1024

const folder = mkdtempSync(join(tmpdir(), 'cardstock-disk-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
const canMount =
  process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', disk]).status === 0
if (!canMount) rmSync(folder, { recursive: true })

const DATABASE = 'disk_full'
const TABLESPACE = 'small_disk'

async function query<Row extends pg.QueryResultRow>(cluster: PrivatePostgres, statement: string): Promise<Row[]> {
  const client = new pg.Client(cluster.superuser)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

describe.skipIf(!canMount)('a full disk', () => {
  let cluster: PrivatePostgres
  let server: ServerProcess
  let credentials: Credentials
  const ballast = join(disk, 'ballast')

  beforeAll(async () => {
    cluster = await startPrivatePostgres({
      program: PROGRAM,
      folder: join(folder, 'postgres'),
      durable: false,
      log: () => {},
    })
    // The data folder may be shown as an inherited descriptor, so ask a process who owns it.
    const [row] = await query<{ pid: number }>(
      cluster,
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    )
    const { uid, gid } = statSync(`/proc/${row?.pid}`)
    const place = join(disk, 'tablespace')
    mkdirSync(place)
    chownSync(place, uid, gid)
    for (const path of [folder, disk]) chmodSync(path, 0o711)
    await query(cluster, `create tablespace ${TABLESPACE} location '${place}'`)
    await query(cluster, `create database ${DATABASE} tablespace ${TABLESPACE}`)
    const connection = { ...cluster.superuser, database: DATABASE }
    const environ = { DATA_DIR: join(folder, 'data'), DATABASE_URL: toDatabaseUrl(connection), LOG_LEVEL: 'silent' }
    server = await startServer({ ...environ, RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' })
    credentials = readCredentials(environ.DATA_DIR)
    const body = { amount: '1000000.00' }
    await ask(server, 'POST', '/api/v1/sandbox/funding', { token: credentials.demo.sandboxKey, body, key: 'funds' })
  })
  afterAll(async () => {
    rmSync(ballast, { force: true })
    await server?.stop()
    await cluster?.stop()
    spawnSync('umount', [disk])
    rmSync(folder, { recursive: true, force: true })
  })

  const order = (key: string) => {
    const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
    return ask<{ code?: string }>(server, 'POST', '/api/v1/operations', {
      token: credentials.demo.sandboxKey,
      body,
      key,
    })
  }
  const readiness = async () => (await ask(server, 'GET', '/readyz', { token: 'none' }))?.status

  /** In smaller and smaller steps, until not a byte more fits. */
  async function fillDisk(): Promise<void> {
    const file = await open(ballast, 'a')
    for (let bytes = CHUNK_BYTES; bytes >= 1;) {
      try {
        await file.write(Buffer.alloc(bytes))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        bytes = Math.floor(bytes / 16)
      }
    }
    await file.close()
  }

  it(
    'is 503 for writes and for readiness while it lasts, reads go on, and all works again afterwards',
    { timeout: SLOW_MACHINE_MS },
    async () => {
      expect((await order('before'))?.status).toBe(201)
      expect(await readiness()).toBe(200)
      await fillDisk()
      await until('the server is not ready', async () => (await readiness()) === 503)
      // Some fit into pages that are there already; then the tables must grow.
      let count = 0
      const refused = await until('an order is refused', async () => {
        count += 1
        const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => order(`full-${count}-${index}`)))
        // Without an answer, the connection broke or the machine was too busy.
        for (const answer of answers) expect([201, 503, undefined], JSON.stringify(answer)).toContain(answer?.status)
        return answers.find((answer) => answer?.status === 503)
      })
      expect(refused.body.code).toBe('unavailable')
      expect(await readiness()).toBe(503)
      // Reads go on. On a busy machine the server may also miss the database's answers for a moment.
      await until('a read is answered', async () => {
        const balance = await ask(server, 'GET', '/api/v1/balance', { token: credentials.demo.sandboxKey })
        return balance?.status === 200
      })

      rmSync(ballast)
      await until('the server is ready', async () => (await readiness()) === 200)
      await until('an order is accepted', async () => (await order('afterwards'))?.status === 201)
      const audit = await ask<{ differences: unknown[] }>(server, 'GET', '/admin/v1/ledger/audit', {
        token: credentials.operatorToken,
      })
      expect(audit?.body.differences).toEqual([])
    },
  )
})
