// A backup that is made while the server works restores every key, secret and entry into an empty database. An archive that is
// damaged, foreign or newer, and a database that is not empty, are refused before anything is changed.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArchive, writeArchive } from '../../src/backup/archive.ts'
import { backUp } from '../../src/backup/back-up.ts'
import { type Manifest, parseRecord, writeRecord } from '../../src/backup/records.ts'
import { restore, verifyArchive } from '../../src/backup/restore.ts'
import { listTables } from '../../src/backup/tables.ts'
import { readConfig } from '../../src/config/config.ts'
import { COORDINATOR_KEYS } from '../../src/db/citus/layout.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { loadSecretKeys } from '../../src/setup/secret-key.ts'
import { createDatabase, type TestCompany, type TestDatabase, TestServer } from '../support/harness.ts'
import { makePreRelease, PRE_RELEASE_MIGRATIONS } from '../support/pre-release.ts'
import { emit, isServiceSignature, register } from '../webhooks/fixture.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const PASSPHRASE = 'correct horse battery staple'
const SECRET_KEY = '07'.repeat(32)
const config = readConfig({ SECRET_KEY })
const folder = mkdtempSync(join(tmpdir(), 'cardstock-backup-'))
const archive = join(folder, 'full.backup')
const optionsOf = (path: string, more: object = {}) => {
  return { path, passphrase: PASSPHRASE, config, clock: systemClock, note: () => undefined, costBits: 10, ...more }
}

let server: TestServer
let company: TestCompany
let empty: TestDatabase
const receiver = await startReceiver()
let secret: string
/** Deposits that were made while the backup was made. */
let moved: number
let summary: Awaited<ReturnType<typeof backUp>>

const deposit = (token: string, to = server) => to.post('/api/v1/sandbox/funding', token, { amount: '10.00' })

beforeAll(async () => {
  server = await TestServer.start()
  await loadSecretKeys(server.db, config)
  company = await server.createCompany()
  ;({ secret } = await register(server, company, receiver.url))
  empty = await createDatabase('template0')
  // Money moves before, during and after the backup.
  const running = { now: true }
  const load = (async () => {
    let count = 0
    for (; running.now; count += 1) {
      const { status, text } = await deposit(company.key)
      if (status !== 200) throw new Error(text)
    }
    return count
  })()
  const { connection } = server
  summary = await backUp({ ...optionsOf(archive), connection, version: '1.2.3' })
  running.now = false
  moved = await load
})
afterAll(async () => {
  await server.stop()
  await empty.drop()
  await receiver.close()
  rmSync(folder, { recursive: true })
})

async function countTables({ connection }: TestDatabase): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rowCount } = await client.query(`select from pg_tables where schemaname = current_schema()`)
  await client.end()
  return rowCount ?? 0
}

/** Writes the archive again, with other migrations in its manifest. Returns its path. */
async function writeWith(name: string, change: (migrations: readonly string[]) => readonly string[]): Promise<string> {
  const path = join(folder, name)
  const records = (async function* () {
    for await (const record of readArchive(archive, PASSPHRASE)) {
      const manifest = record.type === 'M' ? (parseRecord(record) as Manifest) : undefined
      const changed = manifest && { ...manifest, migrations: change(manifest.migrations) }
      yield writeRecord(record.type, changed ?? record.bytes)
    }
  })()
  await writeArchive(path, PASSPHRASE, records, { costBits: 10 })
  return path
}

describe('an archive', () => {
  it('has every table, can be read by its owner only, and shows nothing of its content', async () => {
    const all = await server.db.many(
      sql`select from pg_tables where schemaname = current_schema() and tablename <> 'schema_file'`,
    )
    const client = new pg.Client(server.connection)
    await client.connect()
    expect(await listTables(client)).toHaveLength(all.length)
    await client.end()
    expect(summary).toMatchObject({ tables: all.length, bytes: statSync(archive).size })
    expect(moved).toBeGreaterThan(0)
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    expect(readFileSync(archive, 'latin1')).not.toMatch(/Test company|entry|COPY/)
  })

  it('is not written over another file', async () => {
    const again = backUp({ ...optionsOf(archive), connection: server.connection, version: '1.2.3' })
    await expect(again).rejects.toThrow(/exists already/)
  })
})

describe('a restore is refused, and changes nothing,', () => {
  const damaged = (name: string, change: (bytes: Buffer) => Buffer) => {
    const path = join(folder, name)
    writeFileSync(path, change(readFileSync(archive)))
    return path
  }
  const cutTo = (share: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share))
  const flipAt = (at: number) => (bytes: Buffer) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }

  it.each([
    ['cut in the middle', cutTo(0.5)],
    ['without its last byte', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['without content', (bytes: Buffer) => bytes.subarray(0, 52)],
    ['with an altered byte', flipAt(1000)],
    ['with another salt', flipAt(20)],
    ['with bytes at its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(100)])],
  ])('if the file is %s', async (name, change) => {
    const verifying = verifyArchive(optionsOf(damaged(name, change)))
    await expect(verifying).rejects.toThrow(/altered or cut short/)
  })

  it('if the passphrase is another one, or the file is something else', async () => {
    const wrong = verifyArchive(optionsOf(archive, { passphrase: 'another passphrase' }))
    await expect(wrong).rejects.toThrow(/the key file is another one/)
    const foreign = verifyArchive(optionsOf(damaged('foreign', () => Buffer.from('a text of no importance'.repeat(9)))))
    await expect(foreign).rejects.toThrow(/is not a backup/)
    await expect(verifyArchive(optionsOf(join(folder, 'none')))).rejects.toThrow(/cannot be read/)
  })

  it('if the secret key is not there, or is another one', async () => {
    const without = readConfig({ DATA_DIR: folder })
    await expect(verifyArchive(optionsOf(archive, { config: without }))).rejects.toThrow(/secret\.key with mode 600/)
    const other = readConfig({ SECRET_KEY: '08'.repeat(32) })
    await expect(verifyArchive(optionsOf(archive, { config: other }))).rejects.toThrow(/secret key of this archive/)
  })

  it('if the archive is of a newer version', async () => {
    const path = await writeWith('newer', (migrations) => [...migrations, 'migrations/9999_later.sql'])
    await expect(verifyArchive(optionsOf(path))).rejects.toThrow(/Cardstock 1\.2\.3, which is newer.*9999_later/)
  })

  it('if the database is not empty', async () => {
    const verified = await verifyArchive(optionsOf(archive))
    await expect(restore(server.connection, verified, optionsOf(archive))).rejects.toThrow(/not empty: it has access_/)
  })

  it('and a restore that fails halfway leaves the database empty', async () => {
    const verified = await verifyArchive(optionsOf(archive))
    const half = damaged('half', cutTo(0.9))
    await expect(restore(empty.connection, verified, optionsOf(half))).rejects.toThrow(/altered or cut short/)
    expect(await countTables(empty)).toBe(0)
  })
})

it('a restored database has a clean ledger, and its keys, tokens and webhook secrets work', async () => {
  const verified = await verifyArchive(optionsOf(archive))
  const restored = await restore(empty.connection, verified, optionsOf(archive))
  expect(restored).toMatchObject({
    tables: summary.tables,
    rows: summary.rows,
    audit: { accounts: 2, differences: [] },
  })
  expect(restored.audit.entries).toBeGreaterThan(0)

  const database = { connection: empty.connection, drop: async () => undefined }
  const other = await TestServer.start({}, { database, secretKey: Buffer.from(SECRET_KEY, 'hex') })
  expect((await other.get('/admin/v1/companies', server.operatorToken)).status).toBe(200)
  expect((await deposit(company.key, other)).status).toBe(200)
  const before = receiver.arrivals.length
  const object = await emit(other, company)
  await receiver.wait(before + 1)
  const arrival =
    receiver.arrivals.find(({ event }) => event.data['id'] === object) ?? (await receiver.wait(before + 2)).at(-1)
  const header = String(arrival?.headers['service-signature'])
  expect(isServiceSignature(header, secret, arrival?.raw ?? Buffer.of())).toBe(true)
  // The triggers that keep the books are on again.
  await expect(other.db.run(sql`delete from entry`)).rejects.toThrow(/entry/)
  await other.stop()
})

it('a restored database has every row of every table as it was, also of one without the keys that Citus leaves out', async () => {
  const [source, target] = await Promise.all([createDatabase(), createDatabase('template0')])
  // The views of an extension do not make a database one that is not empty.
  await runIn(target, 'create extension pg_buffercache')
  await runIn(
    source,
    COORDINATOR_KEYS.map(({ table, name }) => `alter table ${table} drop constraint ${name};`).join(''),
  )
  const companyId = newId(systemClock.now())
  await runIn(
    source,
    `insert into company (id, name, kind, created_at) values ('${companyId}', 'Many', 'corporate', now())`,
  )
  // Rows of many lengths, so that they begin and end everywhere in the buffers on their way.
  await runIn(
    source,
    `insert into holder (company_id, environment, id, name, email, kind, status, created_at)
     select '${companyId}', 'sandbox', gen_random_uuid(), repeat(chr(65 + n % 26), 1 + n * 7919 % 97), n || '@example.com',
            'individual', 'active', now()
     from generate_series(1, 20000) as s (n)`,
  )
  const path = join(folder, 'rows.backup')
  await backUp({ ...optionsOf(path), connection: source.connection, version: '1.2.3' })
  await restore(target.connection, await verifyArchive(optionsOf(path)), optionsOf(path))
  const [before, after] = [await digestTables(source), await digestTables(target)]
  expect(Object.keys(before).length).toBeGreaterThan(40)
  // The restore itself is in the audit log.
  expect(after['audit_log']).toMatchObject({ count: '1' })
  expect({ ...after, audit_log: before['audit_log'] }).toEqual(before)
  await Promise.all([source.drop(), target.drop()])
})

async function runIn({ connection }: TestDatabase, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(text)).rows
  } finally {
    await client.end()
  }
}

/** Returns a digest of the rows of each table. */
async function digestTables(database: TestDatabase): Promise<Record<string, unknown>> {
  const tables = await runIn(
    database,
    `select c.relname as name from pg_class c where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname <> 'schema_file'`,
  )
  const digests: Record<string, unknown> = {}
  for (const { name = '' } of tables) {
    const rows = await runIn(
      database,
      `select count(*), md5(string_agg(t::text, ',' order by t::text)) as digest from ${name} t`,
    )
    digests[name] = rows[0]
  }
  return digests
}

describe('a database of a pre-release', () => {
  let old: TestDatabase
  beforeAll(async () => {
    old = await createDatabase('template0')
    await migrate(old.connection)
  })
  afterAll(() => old.drop())

  it('the last one: its archive is restored as one of the baseline', async () => {
    await makePreRelease(old.connection)
    const path = join(folder, 'old.backup')
    await backUp({ ...optionsOf(path), connection: old.connection, version: '0.1.0' })
    const target = await createDatabase('template0')
    const restored = await restore(target.connection, await verifyArchive(optionsOf(path)), optionsOf(path))
    expect(restored.audit.differences).toEqual([])
    expect(await migrate(target.connection)).toEqual([])
    await target.drop()
  })

  it('an older one: an archive of it is refused, and this version makes none', async () => {
    const migrations = Object.keys(PRE_RELEASE_MIGRATIONS).slice(0, 7)
    const path = await writeWith('older', () => migrations)
    await expect(verifyArchive(optionsOf(path))).rejects.toThrow(/pre-release.*start the last version before 1\.0/)
    await makePreRelease(old.connection, 7)
    const refused = backUp({ ...optionsOf(join(folder, 'none')), connection: old.connection, version: '1.2.3' })
    await expect(refused).rejects.toThrow(/with the version that made it/)
  })
})
