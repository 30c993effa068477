// A database of the last pre-release becomes one of the baseline, while its processes go on. Those of other pre-releases are refused, with a
// message that says what to do, and are not changed.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeSchema } from '../../../scripts/schema-text.ts'
import { migrate } from '../../src/db/migrate.ts'
import { readSqlFiles } from '../../src/db/sql-files.ts'
import { auditLedger } from '../../src/ledger/audit.ts'
import { fund, operate, settled } from '../books/steps.ts'
import { createDatabase, type TestCompany, type TestDatabase, TestServer } from '../support/harness.ts'
import { makePreRelease } from '../support/pre-release.ts'
import { until } from '../support/wait.ts'

const SERVICE = { type: 'service', productId: 'prod_service_esim', amount: '3.00', recipient: 'ada@example.com' }
/** The baseline, and what came after it. */
const MIGRATIONS = readSqlFiles('migrations').map(({ name }) => name)

type Connection = TestDatabase['connection']

async function withClient<Result>(connection: Connection, use: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
const query = <Row extends object>(connection: Connection, text: string) =>
  withClient(connection, async (client) => (await client.query<Row>(text)).rows)

/** The schema, and the files that are recorded as applied. */
const stateOf = (connection: Connection) =>
  withClient(connection, async (client) => {
    const { rows } = await client.query('select name, checksum, applied_at from schema_file order by name collate "C"')
    return { schema: (await describeSchema(client)).split('\n'), rows }
  })

async function createPreRelease(count?: number): Promise<TestDatabase> {
  const database = await createDatabase('template0')
  await migrate(database.connection)
  await makePreRelease(database.connection, count)
  return database
}

describe('a database of the last pre-release', () => {
  let database: TestDatabase
  let former: TestServer
  let company: TestCompany
  beforeAll(async () => {
    database = await createPreRelease()
    former = await TestServer.start({}, { database })
    company = await former.createCompany()
    await fund(former, company, '1000.00')
  })
  afterAll(() => former.stop())

  it('is adopted by the first of several processes that start, and no request of its own processes fails meanwhile', async () => {
    const stop = new AbortController()
    const load = (async () => {
      const statuses: number[] = []
      while (!stop.signal.aborted || statuses.length === 0)
        statuses.push((await former.post('/api/v1/operations', company.key, SERVICE)).status)
      return statuses
    })()
    const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(database.connection)))
    stop.abort()
    expect(new Set(await load)).toEqual(new Set([201]))
    expect(applied.filter((names) => names.length > 0)).toEqual([MIGRATIONS])
    expect(await migrate(database.connection)).toEqual([])
  })

  it('has the schema of a new database afterwards', async () => {
    const expected = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8')
    const { schema, rows } = await stateOf(database.connection)
    expect(schema).toEqual(expected.split('\n'))
    const migrations = rows.map(({ name }: { name: string }) => name).filter((name) => name.startsWith('migrations/'))
    expect(migrations).toEqual(MIGRATIONS)
  })

  it('has each function once', async () => {
    const twice = await query(
      database.connection,
      `select proname from pg_proc where pronamespace = 'public'::regnamespace group by proname having count(*) > 1`,
    )
    expect(twice).toEqual([])
  })

  it('keeps a ledger without differences, and new processes continue to accept and settle', async () => {
    expect((await auditLedger(former.db)).differences).toEqual([])
    const { connection } = database
    const latter = await TestServer.start({}, { database: { connection, drop: async () => undefined } })
    try {
      const operation = await settled(latter, company, await operate(latter, company, SERVICE))
      expect(operation.status).toBe('completed')
      expect((await auditLedger(latter.db)).differences).toEqual([])
    } finally {
      await latter.stop()
    }
  })
})

describe('without a server,', () => {
  const open: TestDatabase[] = []
  afterEach(async () => {
    for (const database of open.splice(0)) await database.drop()
  })
  async function openPreRelease(count?: number): Promise<Connection> {
    const database = await createPreRelease(count)
    open.push(database)
    return database.connection
  }

  it('an adoption that is killed changes nothing, and the next one works', async () => {
    const connection = await openPreRelease()
    const before = await stateOf(connection)
    await withClient(connection, async (other) => {
      await other.query('begin; lock table audit_log in share update exclusive mode')
      const killing = until('the adoption waits for the table, and is killed', async () => {
        const ended = await query(
          connection,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'cardstock migrate' and wait_event_type = 'Lock'`,
        )
        return ended.length === 1
      })
      await expect(migrate(connection)).rejects.toThrow(/terminat/)
      await killing
      await expect(migrate(connection, { tableLockMs: 50 })).rejects.toThrow(/nothing was changed. Stop all servers/)
    })
    expect(await stateOf(connection)).toEqual(before)
    expect(await migrate(connection)).toEqual(MIGRATIONS)
  })

  it('other texts of the first migrations are accepted: their comments were changed once', async () => {
    const connection = await openPreRelease()
    await query(connection, "update schema_file set checksum = 'other' where name similar to 'migrations/000[1-7]%'")
    expect(await migrate(connection)).toEqual(MIGRATIONS)
  })

  it.each([1, 7, 30])(
    'a database with the first %i migrations is sent to the last version before 1.0',
    async (count) => {
      const connection = await openPreRelease(count)
      const before = await stateOf(connection)
      const refused = migrate(connection)
      await expect(refused).rejects.toThrow(
        /made by a pre-release .* Start the last version before 1\.0.*Nothing was changed/,
      )
      await expect(refused).rejects.toMatchObject({ name: 'MigrationError' })
      expect(await stateOf(connection)).toEqual(before)
    },
  )

  it.each([
    ['another text of a migration', "update schema_file set checksum = 'x' where name like 'migrations/0032%'"],
    ['one more migration', "insert into schema_file (name, checksum) values ('migrations/0033_more.sql', 'x')"],
    ['a migration of another name', "update schema_file set name = 'migrations/0020_x.sql' where name like '%/0020%'"],
  ])('a database with %s is refused', async (_what, change) => {
    const connection = await openPreRelease()
    await query(connection, change)
    const before = await stateOf(connection)
    await expect(migrate(connection)).rejects.toThrow(/migrations that no pre-release had.*Nothing was changed/)
    expect(await stateOf(connection)).toEqual(before)
  })
})
