// Starts, restarts and stops the private database with real processes.

import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PrivatePostgresError } from '../src/error.ts'
import {
  countProcesses,
  findWatch,
  hold,
  holdReady,
  makeDatabaseFolder,
  makeFolder,
  postmasters,
  query,
  start,
  TEST_MS_MAX,
  waitFor,
  useCleanups,
} from './helpers.ts'

useCleanups()

const SETTINGS = [
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'data_checksums',
  'jit',
  'listen_addresses',
  'wal_segment_size',
]

async function readSettings(connection: Parameters<typeof query>[0]): Promise<Record<string, unknown>> {
  const rows = await query(
    connection,
    `select name, setting from pg_settings where name in ('${SETTINGS.join("','")}')`,
  )
  return Object.fromEntries(rows.map((row) => [row['name'], row['setting']]))
}

describe('the life of the private database', { timeout: TEST_MS_MAX }, () => {
  it('starts in a relative folder that does not exist, with durable writes and without a network port', async () => {
    const folder = join(makeFolder(), 'data', 'postgres')
    const db = await start(relative(process.cwd(), folder), { durable: true })
    expect(await readSettings(db.connection)).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      jit: 'off',
      listen_addresses: '',
      wal_segment_size: String(4 * 1024 ** 2),
    })
    const [row] = await query(
      db.connection,
      `select current_user, current_database(), pg_encoding_to_char(encoding) as encoding, datcollate
         from pg_database where datname = current_database()`,
    )
    expect(row).toEqual({
      current_user: 'cardstock_server',
      current_database: 'cardstock',
      encoding: 'UTF8',
      datcollate: 'C',
    })
  })

  it('keeps its data across a restart, and the caller’s settings take precedence', async () => {
    const folder = await makeDatabaseFolder()
    const first = await start(folder)
    await query(first.connection, 'create table kept as select 42 as answer')
    await first.stop()
    const second = await start(folder, { settings: { max_connections: '17' } })
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(await query(second.connection, 'show max_connections')).toEqual([{ max_connections: '17' }])
  })

  it('runs in a folder whose path has spaces and is longer than a socket path may be', async () => {
    const folder = join(makeFolder(), `a folder, "quoted" ${'long '.repeat(30)}`)
    mkdirSync(folder)
    expect(Buffer.byteLength(folder)).toBeGreaterThan(120)
    const db = await start(folder)
    expect(await query(db.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('refuses connections without the password, which only its owner can read', async () => {
    const folder = await makeDatabaseFolder()
    const { connection, superuser } = await start(folder)
    const password = join(folder, 'password')
    expect(readFileSync(password, 'utf8')).toBe(superuser.password)
    expect(connection.password).not.toBe(superuser.password)
    expect(statSync(password).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'cluster')).mode & 0o777).toBe(0o700)
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
    await expect(query({ ...connection, password: 'guessed' }, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('leaves no process and no socket when stopped, and may be stopped twice', async () => {
    const folder = await makeDatabaseFolder()
    const db = await start(folder)
    const [postmaster] = postmasters(folder)
    expect(countProcesses(folder)).toBeGreaterThan(1)
    expect(findWatch(postmaster ?? 0)).toBeDefined()
    await Promise.all([db.stop(), db.stop()])
    await db.exited
    expect(countProcesses(folder)).toBe(0)
    expect(existsSync(db.connection.host)).toBe(false)
    await waitFor(() => findWatch(postmaster ?? 0) === undefined, 'the watch is gone')
  })

  it('leaves no process if the server exits without stopping it', async () => {
    const folder = await makeDatabaseFolder()
    const server = hold({ folder, afterwards: 'leave' })
    const { connection } = await server.answer
    await server.ended
    await waitFor(() => countProcesses(folder) === 0, 'PostgreSQL is gone')
    expect(existsSync(connection?.host ?? '/')).toBe(false)
    expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).toContain('database system is shut down')
  })

  it('does not get the Ctrl-C that the terminal sends to the whole process group', async () => {
    const folder = await makeDatabaseFolder()
    const server = await holdReady({ folder })
    process.kill(-server.pid, 'SIGINT')
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    const log = readFileSync(join(folder, 'postgres.log'), 'utf8')
    expect(log.match(/received fast shutdown request/g)).toHaveLength(1)
  })

  it('starts a PostgreSQL that ended by itself again, on the same data and at the same address', async () => {
    const folder = await makeDatabaseFolder()
    const messages: string[] = []
    const db = await start(folder, { warn: (message) => void messages.push(message) })
    await query(db.connection, 'create table kept as select 1 as answer')
    await query(db.superuser, 'checkpoint')
    const [before] = postmasters(folder)
    process.kill(before ?? 0, 'SIGKILL')
    await waitFor(() => messages.some((message) => message.includes('runs again')), 'PostgreSQL runs again')
    expect(await query(db.connection, 'select answer from kept')).toEqual([{ answer: 1 }])
    expect(postmasters(folder)).toHaveLength(1)
    expect(postmasters(folder)).not.toContain(before)
    expect(messages[0]).toMatch(/ended by itself/)
    await db.stop()
    expect(countProcesses(folder)).toBe(0)
  })

  it('gives up after a few tries, and says so', async () => {
    const folder = await makeDatabaseFolder()
    const messages: string[] = []
    const db = await start(folder, { warn: (message) => void messages.push(message), restartDelaysMs: [0, 10] })
    const [postmaster] = postmasters(folder)
    // Without this file no PostgreSQL starts.
    renameSync(join(folder, 'cluster', 'global', 'pg_control'), join(folder, 'pg_control'))
    process.kill(postmaster ?? 0, 'SIGKILL')
    await db.exited
    expect(messages.filter((message) => /could not be started again \(try \d of 2\)/.test(message))).toHaveLength(2)
    await db.stop()
    renameSync(join(folder, 'pg_control'), join(folder, 'cluster', 'global', 'pg_control'))
  })

  it('gives the server a role that owns its database and is no superuser', async () => {
    const db = await start(await makeDatabaseFolder())
    await query(db.connection, 'create table made_here ()')
    const [role] = await query(
      db.connection,
      'select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
    )
    expect(Object.values(role ?? {})).toEqual([false, false, false, false, false])
    await expect(query(db.connection, `copy made_here to program 'true'`)).rejects.toMatchObject({ code: '42501' })
    await expect(query(db.connection, `select pg_read_file('PG_VERSION')`)).rejects.toMatchObject({ code: '42501' })
  })

  it('hands over to that role what an earlier version made as superuser', async () => {
    const folder = await makeDatabaseFolder()
    const first = await start(folder)
    await query(
      first.superuser,
      `create schema more; create type mood as enum ('good'); create table old (id bigint generated always as identity, m mood);
       create table more.old (id int); create view seen as select id from old; create sequence counter;
       create function answer() returns int language sql as 'select 42'`,
    )
    await first.stop()
    const { connection } = await start(folder)
    await query(
      connection,
      `alter table old add column x int; alter type mood add value 'bad'; drop table more.old; drop schema more;
       drop view seen; drop sequence counter; insert into old (m) values ('good');
       create or replace function answer() returns int language sql as 'select 43'`,
    )
    expect(await query(connection, 'select answer()')).toEqual([{ answer: 43 }])
  })

  it('rotates a log that is too large to a single older file', async () => {
    const folder = await makeDatabaseFolder()
    const path = join(folder, 'postgres.log')
    writeFileSync(path, 'an old line\n'.repeat(1_000_000))
    await start(folder)
    expect(statSync(`${path}.1`).size).toBe(12_000_000)
    expect(readFileSync(path, 'utf8')).toContain('ready to accept connections')
    expect(readFileSync(path, 'utf8')).not.toContain('an old line')
  })

  it('shows the end of its log if PostgreSQL does not start, and can be started afterwards', async () => {
    const folder = await makeDatabaseFolder()
    const error = await start(folder, { settings: { shared_buffers: 'plenty' } }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PrivatePostgresError)
    expect(String(error)).toContain('invalid value for parameter "shared_buffers": "plenty"')
    const db = await start(folder)
    expect(await query(db.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})
