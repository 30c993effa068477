// Migrations apply each file once whichever process starts first, replace functions whatever changed in them, and change
// nothing if they refuse the database.
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { describeSchema } from '../../../scripts/schema-text.ts'
import { migrate, MIGRATION_LOCK } from '../../src/db/migrate.ts'
import { readSchemaFiles } from '../../src/db/sql-files.ts'
import { FaultProxy } from '../support/fault-proxy.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { until } from '../support/wait.ts'

const open: TestDatabase[] = []
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop()
})

async function openDatabase(template?: string) {
  const database = await createDatabase(template)
  open.push(database)
  return database.connection
}

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
const schemaOf = (connection: Connection) => withClient(connection, describeSchema)
const listApplied = (connection: Connection) =>
  query(connection, 'select name, checksum from schema_file order by name collate "C"')
/** As an older version would have left it. */
const makeOlder = (connection: Connection, name: string) =>
  query(connection, `update schema_file set checksum = 'older text' where name = '${name}'`)

function allFiles(): string[] {
  const { migrations, functions } = readSchemaFiles()
  return [...migrations, ...functions].map(({ name }) => name)
}

describe('each file is applied once', () => {
  it('processes that start at the same time on an empty database apply every file exactly once', async () => {
    const connection = await openDatabase('template0')
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(connection)))
    expect(applied.filter((names) => names.length > 0)).toEqual([allFiles()])
    expect(await query(connection, 'select version::int from access_version')).toEqual([{ version: 1 }])
  })

  it('a second start applies nothing', async () => {
    expect(await migrate(await openDatabase())).toEqual([])
  })

  it('the files of the baseline and the migrations after it are numbered without gaps', () => {
    const names = readSchemaFiles().migrations.map(({ name }) => name)
    const parts = names.flatMap((name) => /^migrations\/0001_baseline\/(\d\d)_[a-z_]+\.sql$/.exec(name)?.[1] ?? [])
    const later = names.flatMap((name) => /^migrations\/(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1] ?? [])
    expect(parts.map(Number)).toEqual(parts.map((_, index) => index + 1))
    expect(later.map(Number)).toEqual(later.map((_, index) => index + 2))
    expect(names).toHaveLength(parts.length + later.length)
  })
})

describe('a schema that does not belong to this version is refused and not changed', () => {
  it('when it has a migration that the program does not know', async () => {
    const connection = await openDatabase()
    await query(connection, "insert into schema_file (name, checksum) values ('migrations/9999_later.sql', 'x')")
    await query(connection, "update schema_file set checksum = 'x' where name like 'functions/%'")
    const before = await listApplied(connection)
    await expect(migrate(connection)).rejects.toThrow('newer than this program (migrations/9999_later.sql)')
    expect(await listApplied(connection)).toEqual(before)
  })

  it('when a migration was changed after it was applied', async () => {
    const connection = await openDatabase()
    await makeOlder(connection, 'migrations/0001_baseline/02_access.sql')
    await expect(migrate(connection)).rejects.toThrow(
      /migrations\/0001_baseline\/02_access\.sql changed after it was applied/,
    )
  })
})

describe('a role needs nothing but a schema of its own', () => {
  /** Runs `use` with a connection of a new role that owns this schema and nothing else in the database. */
  async function asOwnerOf(schema: string | undefined, use: (connection: Connection, role: string) => Promise<void>) {
    const connection = await openDatabase('template0')
    const role = `role_${connection.database}`
    await query(connection, `create role ${role} login password 'secret'`)
    if (schema === 'public') await query(connection, `alter schema public owner to ${role}`)
    else if (schema !== undefined) {
      await query(connection, `create schema ${schema} authorization ${role}`)
      await query(connection, `alter role ${role} in database ${connection.database} set search_path = ${schema}`)
    }
    try {
      await use({ ...connection, user: role, password: 'secret' }, role)
    } finally {
      await query(connection, `drop owned by ${role} cascade; drop role ${role}`)
    }
  }

  it.each(['public', 'cardstock'])('called %s', async (schema) => {
    await asOwnerOf(schema, async (connection) => {
      expect(await migrate(connection)).toEqual(allFiles())
      const [row] = await query<{ tables: string[] }>(
        connection,
        `select array_agg(distinct schemaname::text) as tables from pg_tables where tableowner = current_user`,
      )
      expect(row?.tables).toEqual([schema])
      await makeOlder(connection, 'functions/lib/wire_time.sql')
      expect(await migrate(connection)).toEqual(['functions/lib/wire_time.sql'])
    })
  })

  it('and without one it is told how to get it', async () => {
    await asOwnerOf(undefined, async (connection) => {
      await expect(migrate(connection)).rejects.toThrow(/may not create tables.*create schema cardstock authorization/)
    })
  })
})

describe('no wait is without a limit', () => {
  it('for a connection that is accepted but never answered', async () => {
    const proxy = await FaultProxy.open(await openDatabase())
    await proxy.setMode('drop')
    await expect(migrate(proxy.connection)).rejects.toThrow('timeout expired')
    await proxy.close()
  })

  it('for another process that is migrating: the message says how to go on', async () => {
    const connection = await openDatabase()
    await withClient(connection, async (other) => {
      await other.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
      const refused = migrate(connection, { otherMigrationMs: 50 })
      await expect(refused).rejects.toThrow(/still migrating.*Wait until it has finished/)
      await expect(refused).rejects.toMatchObject({ name: 'MigrationError' })
    })
    expect(await migrate(connection)).toEqual([])
  })

  it('for a table that a report reads: nothing is changed, the message says what to stop, and then it works', async () => {
    const connection = await openDatabase()
    const { migrations, functions } = readSchemaFiles()
    const later = { name: 'migrations/9999_later.sql', text: 'alter table operation add later text', checksum: 'x' }
    const files = { migrations: [...migrations, later], functions }
    const before = [await schemaOf(connection), await listApplied(connection)]
    await withClient(connection, async (report) => {
      await report.query('begin')
      await report.query('select from operation')
      const refused = migrate(connection, { files, tableLockMs: 50 })
      await expect(refused).rejects.toThrow(/nothing was changed. Stop all servers/)
      await expect(refused).rejects.toMatchObject({ name: 'MigrationError' })
      expect([await schemaOf(connection), await listApplied(connection)]).toEqual(before)
    })
    expect(await migrate(connection, { files })).toEqual(['migrations/9999_later.sql'])
  })
})

it('a connection that breaks during a migration fails it, and does not end the process', async () => {
  const connection = await openDatabase()
  const proxy = await FaultProxy.open(connection)
  await withClient(connection, async (other) => {
    await other.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    const ended = migrate(proxy.connection).catch((error: unknown) => error)
    await until('the migration waits for its lock', async () => {
      const { rowCount } = await other.query(
        `select from pg_stat_activity
         where application_name = 'cardstock migrate' and datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount === 1
    })
    await proxy.setMode('reset')
    expect(await ended).toMatchObject({ code: 'ECONNRESET' })
  })
  await proxy.close()
  expect(await migrate(connection)).toEqual([])
})

describe('functions are replaced whatever changed in them', () => {
  it.each([
    ['the body', "create function wire_amount(p_cents bigint) returns text language sql as 'select null::text'"],
    ['the result', "create function wire_amount(p_cents bigint) returns numeric language sql as 'select 1.0'"],
    [
      'the name of a parameter',
      "create function wire_amount(p_amount bigint) returns text language sql as 'select null::text'",
    ],
    [
      'the parameters, several times',
      `create function wire_amount(p_cents integer) returns text language sql as 'select null::text';
       create function wire_amount(p_cents numeric, p_places integer) returns text language sql as 'select null::text'`,
    ],
  ])('%s', async (_what, former) => {
    const connection = await openDatabase()
    const expected = await schemaOf(connection)
    await query(connection, `drop function wire_amount; ${former}`)
    await makeOlder(connection, 'functions/lib/wire_amount.sql')
    expect(await schemaOf(connection)).not.toBe(expected)
    expect(await migrate(connection)).toEqual(['functions/lib/wire_amount.sql'])
    expect(await schemaOf(connection)).toBe(expected)
    expect(await migrate(connection)).toEqual([])
  })

  it('a function whose file was removed is dropped', async () => {
    const connection = await openDatabase()
    const expected = await schemaOf(connection)
    await query(
      connection,
      `create function former(p_a integer) returns integer language sql as 'select 1';
       insert into schema_file (name, checksum) values ('functions/ledger/former.sql', 'x')`,
    )
    await migrate(connection)
    expect(await schemaOf(connection)).toBe(expected)
    expect(await query(connection, "select name from schema_file where name like '%former%'")).toEqual([])
  })
})

describe("an operator's own objects", () => {
  const view = 'create view report as select id, wire_amount(balance) as balance from card'

  it('a view survives an upgrade that keeps the parameters and the result of the function it uses', async () => {
    const connection = await openDatabase()
    await query(connection, view)
    await makeOlder(connection, 'functions/lib/wire_amount.sql')
    await migrate(connection)
    expect(await query(connection, 'select * from report')).toEqual([])
  })

  it.each([
    ['the result', "create function wire_amount(p_cents bigint) returns numeric language sql as 'select 1.0'"],
    ['the parameters', "create function wire_amount(p_cents numeric) returns text language sql as 'select null::text'"],
  ])('a view that prevents a change of %s is named in the error, and nothing is changed', async (_what, former) => {
    const connection = await openDatabase()
    await query(connection, `drop function wire_amount; ${former}; ${view}`)
    await makeOlder(connection, 'functions/lib/wire_amount.sql')
    await makeOlder(connection, 'functions/lib/wire_time.sql')
    const before = [await schemaOf(connection), await listApplied(connection)]
    await expect(migrate(connection)).rejects.toThrow(/wire_amount\(.*report.*Drop that/)
    expect([await schemaOf(connection), await listApplied(connection)]).toEqual(before)
    await query(connection, 'drop view report')
    await migrate(connection)
    expect(await schemaOf(connection)).toBe(await schemaOf(await openDatabase()))
  })

  it('a function with another name stays', async () => {
    const connection = await openDatabase()
    await query(connection, "create function my_report() returns integer language sql as 'select 7'")
    await makeOlder(connection, 'functions/lib/wire_amount.sql')
    await migrate(connection)
    expect(await query(connection, 'select my_report() as value')).toEqual([{ value: 7 }])
  })

  it('a function with the name of one of ours is not overwritten', async () => {
    const connection = await openDatabase('template0')
    await query(connection, "create function card_json() returns integer language sql as 'select 7'")
    await expect(migrate(connection)).rejects.toThrow('card_json() that Cardstock did not create')
    expect(await query(connection, 'select card_json() as value')).toEqual([{ value: 7 }])
  })
})

describe('a database without Citus', () => {
  it('cannot be distributed, says what to do, and is not changed', async () => {
    const connection = await openDatabase('template0')
    await expect(migrate(connection, { citus: true })).rejects.toThrow(
      /has no Citus\. Add citus to shared_preload_libraries/,
    )
    expect(await query(connection, "select from pg_class where relname = 'schema_file'")).toEqual([])
  })
})
