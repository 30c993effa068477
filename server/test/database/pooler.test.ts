// Servers work behind PgBouncer in transaction mode, where each transaction may get another session: they migrate, accept,
// carry out and deliver, several processes on the same few connections.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate, MIGRATION_LOCK } from '../../src/db/migrate.ts'
import { type Connection, createPool } from '../../src/db/pool.ts'
import { reachDatabase } from '../../src/db/reach.ts'
import { sql } from '../../src/db/sql.ts'
import { ask, readCredentials, type ServerProcess, startServer } from '../chaos/server.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { PGBOUNCER, type Pooler, startPgbouncer } from '../support/pgbouncer.ts'
import { ensureProgram } from '../support/programs.ts'
import { until } from '../support/wait.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const program = ensureProgram(PGBOUNCER)

it('a direct connection is not taken for a pooler, and keeps its names and start parameters', async () => {
  const { connection, drop } = await createDatabase()
  try {
    expect(await reachDatabase(toDatabaseUrl(connection))).toMatchObject({ isPooled: false })
  } finally {
    await drop()
  }
})

describe.skipIf(program === undefined)('behind PgBouncer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock pooled '))
  let database: TestDatabase
  let pooler: Pooler
  let receiver: Receiver
  let connection: Connection
  const servers: ServerProcess[] = []

  beforeAll(async () => {
    database = await createDatabase('template0')
    pooler = await startPgbouncer(program ?? '', database.connection)
    receiver = await startReceiver()
    connection = await reachDatabase(pooler.url)
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await receiver.close()
    await pooler.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('the pooler is noticed', () => expect(connection.isPooled).toBe(true))

  it('several processes migrate an empty database at once, one does it, and no lock is left', async () => {
    const applied = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
    const client = new pg.Client(database.connection)
    await client.connect()
    // Other tests migrate other databases of the cluster meanwhile.
    const { rows } = await client.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and l.objid = $1 and d.datname = current_database()`,
      [Number(BigInt.asUintN(32, MIGRATION_LOCK))],
    )
    const { rows: settings } = await client.query<{ setconfig: string[] }>(
      `select setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = $1`,
      [database.connection.database],
    )
    await client.end()
    expect(rows).toEqual([])
    expect(settings[0]?.setconfig.toSorted()).toEqual(['TimeZone=UTC', 'jit=off', 'statement_timeout=15000'])
  })

  it('a pool with a longer time limit sets it for its own transactions only', async () => {
    const show = sql`select current_setting('statement_timeout') as value`
    const auditDb = createPool(connection, { size: 1, statementTimeoutMs: 600_000, onError: () => {} })
    const db = createPool(connection, { size: 1, onError: () => {} })
    try {
      expect(await auditDb.find(show)).toEqual({ value: '10min' })
      expect(await db.find(show)).not.toEqual({ value: '10min' })
    } finally {
      await Promise.all([auditDb.close(), db.close()])
    }
  })

  it('two processes accept, carry out and deliver', async () => {
    const environ = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: pooler.url,
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
    }
    servers.push(await startServer(environ))
    servers.push(await startServer(environ))
    const token = readCredentials(join(folder, 'data')).demo.sandboxKey
    const [one, two] = servers as [ServerProcess, ServerProcess]
    const hook = { url: receiver.url, events: ['operation.completed'] }
    expect((await ask(one, 'POST', '/api/v1/webhook-endpoints', { token, body: hook, key: 'hook' }))?.status).toBe(201)
    const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        ask<{ id: string }>(n % 2 === 0 ? one : two, 'POST', '/api/v1/operations', { token, body, key: `order-${n}` }),
      ),
    )
    expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 201))
    const ids = answers.map((answer) => answer?.body.id ?? String(answer?.status)).toSorted()
    const delivered = () => [...new Set(receiver.arrivals.map(({ event }) => String(event.data['id'])))].toSorted()
    await until('every completion was delivered', () => delivered().length === ids.length)
    expect(delivered()).toEqual(ids)
    for (const server of servers) expect((await ask(server, 'GET', '/readyz', { token }))?.status).toBe(200)
  })
})
