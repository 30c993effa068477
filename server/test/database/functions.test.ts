// Each SQL function has a file of its own, named after it, that says who calls it.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it } from 'vitest'
import { listCitusFunctions } from '../../src/db/citus/functions.ts'
import { NESTED_FUNCTIONS } from '../../src/db/citus/layout.ts'
import { readSqlFiles } from '../../src/db/sql-files.ts'
import { createDatabase } from '../support/harness.ts'

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url))

interface FunctionFile {
  readonly file: string
  readonly names: string[]
  readonly comment: string
  readonly code: string
}

const functions: FunctionFile[] = readSqlFiles('functions').map(({ name, text }) => ({
  file: name,
  names: [...text.matchAll(/^create (?:or replace )?function (\w+)/gm)].map((match) => match[1] ?? ''),
  comment: /^(?:--.*\n)*/.exec(text)?.[0].replaceAll(/^-- ?/gm, '') ?? '',
  code: text.replaceAll(/--.*/g, ''),
}))

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: name.replaceAll(sep, '/'), code: readFileSync(join(SOURCES, name), 'utf8') }))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))

function findCallers(name: string): string[] {
  const call = new RegExp(String.raw`(?<![\w.])${name}\(`)
  const bySource = sources.filter(({ code }) => call.test(code)).map((source) => source.name)
  const byFunction = functions.filter(({ names, code }) => names[0] !== name && call.test(code))
  return [...bySource, ...byFunction.map(({ names }) => names[0] ?? '').toSorted()]
}

it('the test finds the functions and their callers', () => {
  expect(functions.length).toBeGreaterThan(60)
  expect(findCallers('settle_operations')).toEqual(['ledger/queries.ts', 'complete_operations', 'resolve_review'])
})

it.each(functions)('$file contains one function and is named after it', ({ file, names }) => {
  expect(names).toEqual([basename(file, '.sql')])
})

it.each(functions)('$file names every caller of its function at the end of its first comment', ({ names, comment }) => {
  const sentence = /Called by ([^]*)\.\n$/.exec(comment)?.[1]
  const isKept = comment.endsWith('Kept for the previous release, whose processes call it during an upgrade.\n')
  const listed = isKept ? [] : sentence?.split(/,\s+|\s+and\s+/)
  expect(listed).toEqual(findCallers(names[0] ?? ''))
})

it('PostgreSQL accepts the body of every function', async () => {
  const { connection, drop } = await createDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    // Migrating creates functions before those that they call, so it cannot check them.
    const { rows } = await client.query<{ name: string }>(`
      select p.proname as name,
             case l.lanname when 'sql' then fmgr_sql_validator(p.oid) when 'plpgsql' then plpgsql_validator(p.oid) end
      from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = quote_ident(current_schema())::regnamespace`)
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(functions.flatMap(({ names }) => names)))
  } finally {
    await client.end()
    await drop()
  }
})

/** JIT compiles a statement by its estimated cost, and forbidding a kind of plan only adds ten thousand million to that. */
it('every function that forbids kinds of plans, or keeps its plans, does not let PostgreSQL compile them', async () => {
  const { connection, drop } = await createDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; settings: string[] }>(`
      select p.proname as name, p.proconfig as settings from pg_proc p
      where p.pronamespace = quote_ident(current_schema())::regnamespace
        and exists (select from unnest(p.proconfig) as c (setting) where c.setting ~ '^(enable_|plan_cache_mode)')`)
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter(({ settings }) => !settings.includes('jit=off')).map(({ name }) => name)).toEqual([])
  } finally {
    await client.end()
    await drop()
  }
})

it('nor does the text for Citus, whose own sessions have JIT on', () => {
  const texts = listCitusFunctions(readSqlFiles('functions'))
  const forbidding = texts.filter(({ text }) => /^set (?:enable_|plan_cache_mode)/m.test(text))
  expect(forbidding.length).toBeGreaterThan(40)
  expect(forbidding.filter(({ text }) => !/^set jit = off$/m.test(text)).map(({ name }) => name)).toEqual([])
})

it('on Citus a function that uses the schema has its own search path, because it may run in a session of Citus', () => {
  const texts = new Map(listCitusFunctions(readSqlFiles('functions')).map(({ name, text }) => [name, text]))
  const hasPath = (name: string) => /set search_path from current/.test(texts.get(name) ?? '')
  expect(hasPath('functions/operations/accept_operations.sql')).toBe(true)
  expect(hasPath('functions/ledger/chain_over.sql')).toBe(true)
  expect(hasPath('citus/functions/due_here.sql')).toBe(true)
  expect(hasPath('functions/lib/wire_time.sql')).toBe(false)
})

it('on Citus no function forces a generic plan, and those that are called on a node may use tables there', () => {
  const texts = listCitusFunctions(readSqlFiles('functions'))
  expect(texts.filter(({ text }) => /force_generic_plan/.test(text))).toEqual([])
  const nested = texts.filter(({ text }) => /set citus.allow_nested_distributed_execution = on/.test(text))
  const names = nested.map(({ name }) => posix.basename(name, '.sql'))
  expect(names.toSorted()).toEqual(NESTED_FUNCTIONS)
})

it('on Citus the company of a batch is the only one of its items, and an empty batch has none that exists', async () => {
  const { connection, drop } = await createDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const file = readSqlFiles('citus').find(({ name }) => name === 'citus/functions/batch_company.sql')
    await client.query((file?.text ?? '').replace('function batch_company(', 'function pg_temp.one_company('))
    const companyOf = async (...companies: string[]) =>
      (await client.query<{ id: string }>('select pg_temp.one_company($1) as id', [companies])).rows[0]?.id
    const [a, b] = [randomUUID(), randomUUID()]
    expect(await companyOf(a, a)).toBe(a)
    expect(await companyOf()).toBe('00000000-0000-0000-0000-000000000000')
    await expect(companyOf(a, b)).rejects.toThrow('a batch is of one company')
  } finally {
    await client.end()
    await drop()
  }
})
