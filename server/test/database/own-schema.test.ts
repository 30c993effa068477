// What docs/operating.md promises: a role that owns a schema of any name, and nothing else, is enough for the server and for every
// command that works on the database. The contract tests run in such a schema too (support/global-setup.ts).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Connection } from '../../src/db/pool.ts'
import { reachDatabase } from '../../src/db/reach.ts'
import { ask, readCredentials, type ServerProcess, startServer } from '../chaos/server.ts'
import { cardstock } from '../cli/run.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { until } from '../support/wait.ts'

/** It needs quotes wherever it is named. */
const SCHEMA = 'Card "stock" \\ x'
const QUOTED = `"${SCHEMA.replaceAll('"', '""')}"`
const folder = mkdtempSync(join(tmpdir(), 'cardstock schema '))
const archive = join(folder, 'all.backup')
const identity = join(folder, 'identity')

interface Owned {
  readonly admin: TestDatabase
  readonly role: string
  readonly connection: Connection
  readonly environ: Record<string, string>
}

async function query<Row extends object>(connection: Connection, text: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Creates an empty database with a role that owns one schema in it, which is the first of its search path. */
async function createOwned(): Promise<Owned> {
  const admin = await createDatabase('template0')
  const { database } = admin.connection
  const role = `role_${database}`
  await query(admin.connection, `create role ${role} login password 'secret'`)
  await query(admin.connection, `create schema ${QUOTED} authorization ${role}`)
  await query(admin.connection, `alter role ${role} in database ${database} set search_path = ${QUOTED}, public`)
  const connection = { ...admin.connection, user: role, password: 'secret' }
  const environ = { DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: join(folder, role), SECRET_KEY: '13'.repeat(32) }
  return { admin, role, connection, environ }
}

let owned: Owned
let restored: Owned
let server: ServerProcess

beforeAll(async () => {
  ;[owned, restored] = await Promise.all([createOwned(), createOwned()])
  server = await startServer(owned.environ)
})
afterAll(async () => {
  await server.stop()
  for (const { admin, role } of [owned, restored]) {
    await query(admin.connection, `drop owned by ${role} cascade; drop role ${role}`)
    await admin.drop()
  }
  rmSync(folder, { recursive: true, force: true })
})

it('the server accepts an operation and carries it out', async () => {
  const token = readCredentials(owned.environ['DATA_DIR'] ?? '').demo.sandboxKey
  const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
  const made = await ask<{ id: string }>(server, 'POST', '/api/v1/operations', { token, body, key: 'first' })
  expect(made?.status).toBe(201)
  const status = async () =>
    (await ask<{ status: string }>(server, 'GET', `/api/v1/operations/${made?.body.id}`, { token }))?.body.status
  await until('the operation is completed', async () => (await status()) === 'completed')
})

describe('a command', () => {
  const run = async (args: readonly string[], environ = owned.environ) => {
    const { code, out, err } = await cardstock(args, environ)
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('error') })
    return out
  }

  it('migrate finds nothing to do', async () => expect(await run(['migrate'])).toContain('current'))

  it('audit finds no difference', async () => {
    const token = readCredentials(owned.environ['DATA_DIR'] ?? '').operatorToken
    const out = await run(['audit'], { ...owned.environ, CARDSTOCK_URL: server.baseUrl, CARDSTOCK_TOKEN: token })
    expect(out).not.toBe('')
  })

  it('doctor finds no fault', async () => {
    const { port } = new URL(server.baseUrl)
    const out = await run(['doctor', '--json'], { ...owned.environ, PORT: port })
    const { checks } = JSON.parse(out) as { checks: { name: string; status: string; message: string }[] }
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([])
    expect(checks.filter(({ name }) => ['schema', 'jit', 'search path'].includes(name))).toMatchObject([
      { name: 'schema', status: 'ok' },
      { name: 'jit', status: 'ok' },
    ])
  })

  it('export writes what a company has', async () => {
    const file = join(folder, 'company.jsonl')
    await run(['export', readCredentials(owned.environ['DATA_DIR'] ?? '').demo.companyId, file])
    expect(readFileSync(file, 'utf8')).toContain('"object":"operation"')
  })

  it('archive looks for old entries', async () => {
    const out = await run(['archive', '--before', '2020-01-01', '--to', join(folder, 'archive'), '--yes'])
    expect(out).toContain('archive:')
  })

  it('backup and restore bring everything into such a schema of another database', async () => {
    const recipient = (await run(['backup-key', 'generate', identity])).trim()
    await run(['backup', archive], { ...owned.environ, BACKUP_RECIPIENT: recipient })
    await run(['restore', archive, '--identity-file', identity], restored.environ)
    const count = 'select count(*)::int as entries from entry'
    expect(await query(restored.connection, count)).toEqual(await query(owned.connection, count))
    const tables = `select distinct schemaname as schema from pg_tables where tableowner = current_user`
    expect(await query(restored.connection, tables)).toEqual([{ schema: SCHEMA }])
  })
})

it('a function of the same name in another schema of the path is not called', async () => {
  const { admin, connection } = owned
  await query(admin.connection, `create function public.planted() returns text language sql as $$ select 'planted' $$`)
  const reached = await reachDatabase(toDatabaseUrl(connection))
  await expect(query(reached, 'select planted()')).rejects.toThrow('does not exist')
  expect(await query(connection, 'select planted()')).toEqual([{ planted: 'planted' }])
  expect(await query<{ path: string }>(reached, `select current_setting('search_path') as path`)).toEqual([
    { path: `${QUOTED},pg_temp` },
  ])
})
