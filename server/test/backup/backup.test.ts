// A backup that is made while the server works restores every key, secret and entry into an empty database. A backup that is
// damaged, foreign or newer, and a database that is not empty, are refused before anything is changed.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBackup, writeBackup } from '../../src/backup/file.ts'
import { backUp } from '../../src/backup/back-up.ts'
import { generateIdentityFile, readIdentityFile, requireRecipients } from '../../src/backup/keys.ts'
import { type Manifest, parseRecord, readRecords, writeRecord } from '../../src/backup/records.ts'
import { makePreRelease, removeLaterColumns, PRE_RELEASE_MIGRATIONS } from '../support/pre-release.ts'
import { restore, verifyBackup } from '../../src/backup/restore.ts'
import { listTables } from '../../src/backup/tables.ts'
import { readConfig } from '../../src/config/config.ts'
import { COORDINATOR_KEYS } from '../../src/db/citus/layout.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { loadSecretKeys } from '../../src/setup/secret-key.ts'
import { createDatabase, type TestCompany, type TestDatabase, TestServer } from '../support/harness.ts'
import { ensureProgram } from '../support/programs.ts'
import { emit, isServiceSignature, register } from '../support/webhooks.ts'
import { startReceiver } from '../support/receiver.ts'

const SECRET_KEY = '07'.repeat(32)
const config = readConfig({ SECRET_KEY })
const folder = mkdtempSync(join(tmpdir(), 'cardstock-backup-'))
const backup = join(folder, 'full.age')
const identityFile = join(folder, 'identity')
const recipients = [await generateIdentityFile(identityFile, systemClock)]
const identities = readIdentityFile(identityFile)
const optionsOf = (path: string, more: object = {}) => {
  return { path, recipients, identities, config, clock: systemClock, note: () => undefined, ...more }
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
  summary = await backUp({ ...optionsOf(backup), connection, version: '1.2.3' })
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

/** Writes the backup again, with other migrations in its manifest. Returns its path. */
async function writeWith(name: string, change: (migrations: readonly string[]) => readonly string[]): Promise<string> {
  const path = join(folder, name)
  const records = (async function* () {
    for await (const record of readBackup(backup, identities)) {
      const manifest = record.type === 'M' ? (parseRecord(record) as Manifest) : undefined
      const changed = manifest && { ...manifest, migrations: change(manifest.migrations) }
      yield writeRecord(record.type, changed ?? record.bytes)
    }
  })()
  await writeBackup(path, recipients, records)
  return path
}

describe('a backup', () => {
  it('has every table, can be read by its owner only, and shows nothing of its content', async () => {
    const all = await server.db.many(
      sql`select from pg_tables where schemaname = current_schema() and tablename <> 'schema_file'`,
    )
    const client = new pg.Client(server.connection)
    await client.connect()
    expect(await listTables(client)).toHaveLength(all.length)
    await client.end()
    expect(summary).toMatchObject({ tables: all.length, bytes: statSync(backup).size })
    expect(moved).toBeGreaterThan(0)
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(readFileSync(backup, 'latin1')).not.toMatch(/Test company|entry|COPY/)
  })

  it('is not written over another file', async () => {
    const again = backUp({ ...optionsOf(backup), connection: server.connection, version: '1.2.3' })
    await expect(again).rejects.toThrow(/exists already/)
  })
})

describe('the keys', () => {
  it('are a file that its owner alone can read, which is not written over another, and a recipient', async () => {
    expect(statSync(identityFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(identityFile, 'utf8')).toContain(`# public key: ${recipients[0]}\n`)
    expect(recipients[0]).toMatch(/^age1[0-9a-z]{58}$/)
    await expect(generateIdentityFile(identityFile, systemClock)).rejects.toThrow(/exists already/)
  })

  it('are refused without being shown', () => {
    const [identity = ''] = identities
    for (const wrong of ['age1x', 'age2', identity]) {
      expect(() => requireRecipients([...recipients, wrong])).toThrow(
        /^Recipient 2 is not a recipient of age \(age1…\)/,
      )
    }
    const path = join(folder, 'wrong identity')
    for (const text of ['', '# only a comment\n', recipients[0] ?? '', `${identity}x`]) {
      writeFileSync(path, text)
      expect(() => readIdentityFile(path)).toThrow(/wrong identity is not an identity file of age/)
    }
    expect(() => readIdentityFile(join(folder, 'none'))).toThrow(/cannot be read/)
  })

  const age = ensureProgram({ name: 'age', package: 'age' })
  const keygen = ensureProgram({ name: 'age-keygen', package: 'age' })
  it.skipIf(age === undefined || keygen === undefined)('are those of the age tool, which opens a backup', async () => {
    const run = (program: string | undefined, ...args: string[]) =>
      execFileSync(program ?? '', args, { maxBuffer: 1e9 })
    const plain = gunzipSync(run(age, '--decrypt', '--identity', identityFile, backup))
    expect((await readRecords(Readable.from([plain])).next()).value).toMatchObject({ type: 'M' })
    expect(run(keygen, '-y', identityFile).toString().trim()).toBe(recipients[0])

    // The other way round: a key of the tool, and a file that the tool has encrypted.
    const [own, path, copy] = ['tool identity', 'tool plain', 'tool.age'].map((name) => join(folder, name))
    execFileSync(keygen ?? '', ['-o', own ?? ''], { stdio: 'ignore' })
    const recipient = run(keygen, '-y', own ?? '')
      .toString()
      .trim()
    writeFileSync(path ?? '', gzipSync(plain))
    run(age, '--encrypt', '--recipient', recipient, '--output', copy ?? '', path ?? '')
    const verified = await verifyBackup(optionsOf(copy ?? '', { identities: readIdentityFile(own ?? '') }))
    expect(verified.manifest.version).toBe('1.2.3')
  })
})

describe('a restore is refused, and changes nothing,', () => {
  const damaged = (name: string, change: (bytes: Buffer) => Buffer) => {
    const path = join(folder, name)
    writeFileSync(path, change(readFileSync(backup)))
    return path
  }
  const cutTo = (share: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share))
  const flipAt = (at: number) => (bytes: Buffer) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }

  const LONG_HEADER = `age-encryption.org/v1\n${'x'.repeat(100_000)}`
  /** Flips a bit of the byte after this text. */
  const flipAfter = (text: string) => (bytes: Buffer) => flipAt(bytes.indexOf(text) + text.length)(bytes)

  it.each([
    ['cut in the middle', cutTo(0.5)],
    ['without its last byte', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['cut in its header', (bytes: Buffer) => bytes.subarray(0, 52)],
    ['without content', (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('\n', bytes.indexOf('\n--- ') + 1) + 1)],
    ['with an altered byte', flipAt(1000)],
    ['with another recipient', flipAfter('-> X25519 ')],
    ['with another code of its header', flipAfter('\n--- ')],
    ['with bytes at its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(100)])],
    ['a header without end', () => Buffer.from(LONG_HEADER)],
  ])('if the file is %s', async (name, change) => {
    const path = damaged(name, change)
    expect(readFileSync(path).equals(readFileSync(backup))).toBe(false)
    const verifying = verifyBackup(optionsOf(path))
    await expect(verifying).rejects.toThrow(/altered or cut short/)
  })

  it('if the identity is another one, or the file is something else', async () => {
    const path = join(folder, 'other identity')
    const other = await generateIdentityFile(path, systemClock)
    const wrong = verifyBackup(optionsOf(backup, { identities: readIdentityFile(path) }))
    await expect(wrong).rejects.toThrow(/the identity file is of another recipient/)
    const foreign = verifyBackup(optionsOf(damaged('foreign', () => Buffer.from('a text of no importance'.repeat(9)))))
    await expect(foreign).rejects.toThrow(/is not a backup/)
    const former = damaged('former', () => Buffer.from(`cardstock backup 1\n${'x'.repeat(99)}`))
    await expect(verifyBackup(optionsOf(former))).rejects.toThrow(/made with a key file.*Restore it with that checkout/)
    await expect(verifyBackup(optionsOf(join(folder, 'none')))).rejects.toThrow(/cannot be read/)
    const encrypter = new Encrypter()
    for (const recipient of [...recipients, other]) encrypter.addRecipient(recipient)
    const text = Buffer.from(await encrypter.encrypt('something else'))
    await expect(verifyBackup(optionsOf(damaged('text', () => text)))).rejects.toThrow(/is not a backup of Cardstock/)
  })

  it('if the secret key is not there, or is another one', async () => {
    const without = readConfig({ DATA_DIR: folder })
    await expect(verifyBackup(optionsOf(backup, { config: without }))).rejects.toThrow(/secret\.key with mode 600/)
    const other = readConfig({ SECRET_KEY: '08'.repeat(32) })
    await expect(verifyBackup(optionsOf(backup, { config: other }))).rejects.toThrow(/secret key of this backup/)
  })

  it('if the backup is of a newer version', async () => {
    const path = await writeWith('newer', (migrations) => [...migrations, 'migrations/9999_later.sql'])
    await expect(verifyBackup(optionsOf(path))).rejects.toThrow(/Cardstock 1\.2\.3, which is newer.*9999_later/)
  })

  it('if the database is not empty', async () => {
    const verified = await verifyBackup(optionsOf(backup))
    await expect(restore(server.connection, verified, optionsOf(backup))).rejects.toThrow(/not empty: it has access_/)
  })

  it('and a restore that fails halfway leaves the database empty', async () => {
    const verified = await verifyBackup(optionsOf(backup))
    const half = damaged('half', cutTo(0.9))
    await expect(restore(empty.connection, verified, optionsOf(half))).rejects.toThrow(/altered or cut short/)
    expect(await countTables(empty)).toBe(0)
  })
})

it('a restored database has a clean ledger, and its keys, tokens and webhook secrets work', async () => {
  const verified = await verifyBackup(optionsOf(backup))
  const restored = await restore(empty.connection, verified, optionsOf(backup))
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
  const path = join(folder, 'rows.age')
  await backUp({ ...optionsOf(path), connection: source.connection, version: '1.2.3' })
  await restore(target.connection, await verifyBackup(optionsOf(path)), optionsOf(path))
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

  it('the last one: its backup is restored as one of the baseline', async () => {
    await makePreRelease(old.connection)
    await removeLaterColumns(old.connection)
    const path = join(folder, 'old.backup')
    await backUp({ ...optionsOf(path), connection: old.connection, version: '0.1.0' })
    const target = await createDatabase('template0')
    const restored = await restore(target.connection, await verifyBackup(optionsOf(path)), optionsOf(path))
    expect(restored.audit.differences).toEqual([])
    expect(await migrate(target.connection)).toEqual([])
    await target.drop()
  })

  it('an older one: a backup of it is refused, and this version makes none', async () => {
    const migrations = Object.keys(PRE_RELEASE_MIGRATIONS).slice(0, 7)
    const path = await writeWith('older', () => migrations)
    await expect(verifyBackup(optionsOf(path))).rejects.toThrow(/pre-release.*start the last version before 1\.0/)
    await makePreRelease(old.connection, 7)
    const refused = backUp({ ...optionsOf(join(folder, 'none')), connection: old.connection, version: '1.2.3' })
    await expect(refused).rejects.toThrow(/with the version that made it/)
  })
})
