// Migrations after the baseline can be applied to a database that is in use, also to one that Citus distributes, where each of their
// statements is a text of its own.
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { describeSchema } from '../../../scripts/schema-text.ts'
import { toBlock } from '../../src/db/citus/distribute.ts'
import { migrate } from '../../src/db/migrate.ts'
import { readBaseline, readSchemaFiles, type SqlFile } from '../../src/db/sql-files.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'

type Connection = TestDatabase['connection']

const open: TestDatabase[] = []
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop()
})

async function openDatabase(template?: string): Promise<Connection> {
  const database = await createDatabase(template)
  open.push(database)
  return database.connection
}

async function withClient<Result>(connection: Connection, use: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

function laterFile(text: string): SqlFile {
  return { name: 'migrations/9001_later.sql', text, checksum: text }
}

it('a later migration of several statements is applied, each of them once', async () => {
  const connection = await openDatabase()
  const { migrations, functions } = readSchemaFiles()
  const later = laterFile(`-- Each would fail the second time.
    alter table operation add column later_text text;
    -- safe: the table is empty; and a comment may have a semicolon.
    create index later_index on operation (company_id, environment, later_text);
    alter table company add column later_text text;
    update company set later_text = 'it''s; later';
    create table later_table (id uuid primary key);`)
  expect(await migrate(connection, { files: { migrations: [...migrations, later], functions } })).toEqual([later.name])
  const { rows } = await withClient(connection, (client) =>
    client.query(
      `select (select count(*)::int from operation where later_text is not null) as operations,
              to_regclass('later_index') is not null as has_index, to_regclass('later_table') is not null as has_table`,
    ),
  )
  expect(rows).toEqual([{ operations: 0, has_index: true, has_table: true }])
})

it('our migrations make the same schema when each statement is a text of its own, as on Citus', async () => {
  const [whole, each] = [await openDatabase('template0'), await openDatabase('template0')]
  const { migrations } = readSchemaFiles()
  const baseline = readBaseline()
  await migrate(whole, { files: { migrations, functions: [] } })
  await migrate(each, { files: { migrations: baseline, functions: [] } })
  const later = migrations.slice(baseline.length).map(({ text }) => toBlock(text))
  expect(later.length).toBeGreaterThan(0)
  const schemas = await Promise.all([
    withClient(whole, describeSchema),
    withClient(each, async (client) => {
      for (const text of later) await client.query(text)
      return describeSchema(client)
    }),
  ])
  expect(schemas[1]).toBe(schemas[0])
})
