// Bringing a database to the schema: once, whoever starts first, and never over one that is newer or was changed.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { migrate, readSqlFiles } from '../../src/db/migrate.ts'
import { createDatabase } from '../support/harness.ts'

type Connection = Awaited<ReturnType<typeof createDatabase>>['connection']

async function query<Row extends object>(connection: Connection, text: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function withEmptyDatabase(test: (connection: Connection) => Promise<void>): Promise<void> {
  const admin = inject('connection')
  const database = `empty_${randomBytes(6).toString('hex')}`
  await query(admin, `create database ${database}`)
  try {
    await test({ ...admin, database })
  } finally {
    await query(admin, `drop database ${database} with (force)`)
  }
}

async function withDatabase(test: (connection: Connection) => Promise<void>): Promise<void> {
  const { connection, drop } = await createDatabase()
  try {
    await test(connection)
  } finally {
    await drop()
  }
}

const allFiles = () => [...readSqlFiles('migrations'), ...readSqlFiles('functions')].map(({ name }) => name)

it('several starters at once on an empty database apply every file exactly once', () =>
  withEmptyDatabase(async (connection) => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(connection)))
    expect(applied.filter((names) => names.length > 0)).toEqual([allFiles()])
    expect(await query(connection, 'select version::int from access_version')).toEqual([{ version: 1 }])
  }))

it('a second start applies nothing', () =>
  withDatabase(async (connection) => {
    expect(await migrate(connection)).toEqual([])
  }))

it('a schema that is newer than the program is refused and left alone', () =>
  withDatabase(async (connection) => {
    await query(connection, "insert into schema_file (name, checksum) values ('migrations/9999_later.sql', 'x')")
    await query(connection, "update schema_file set checksum = 'x' where name like 'functions/%'")
    await expect(migrate(connection)).rejects.toThrow('newer than this program (migrations/9999_later.sql)')
    expect(
      await query(connection, "select 1 from schema_file where name like 'functions/%' and checksum <> 'x'"),
    ).toEqual([])
  }))

it('a migration whose text changed after it was applied is refused by name', () =>
  withDatabase(async (connection) => {
    await query(connection, "update schema_file set checksum = 'x' where name = 'migrations/0001_access.sql'")
    await expect(migrate(connection)).rejects.toThrow(/migrations\/0001_access\.sql changed after it was applied/)
  }))

it('a function file is applied again when its text changed, and only that one', () =>
  withDatabase(async (connection) => {
    await query(
      connection,
      'create or replace function record_audit(p_company uuid, p_line jsonb) returns void language sql as $$ select $$',
    )
    await query(
      connection,
      "update schema_file set checksum = 'older text' where name = 'functions/access/record_audit.sql'",
    )
    expect(await migrate(connection)).toEqual(['functions/access/record_audit.sql'])
    const [row] = await query<{ source: string }>(
      connection,
      "select prosrc as source from pg_proc where proname = 'record_audit'",
    )
    expect(row?.source).toContain('insert into audit_log')
    expect(await migrate(connection)).toEqual([])
  }))

it('migrations are numbered without gaps or repetitions', () => {
  const numbers = readSqlFiles('migrations').map(({ name }) =>
    Number(/^migrations\/(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1]),
  )
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})
