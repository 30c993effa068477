// Each SQL function has a file of its own, named after it, that says who calls it.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it } from 'vitest'
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
  const call = new RegExp(String.raw`(?:public\.|(?<![\w.]))${name}\(`)
  const bySource = sources.filter(({ code }) => call.test(code)).map((source) => source.name)
  const byFunction = functions.filter(({ names, code }) => names[0] !== name && call.test(code))
  return [...bySource, ...byFunction.map(({ names }) => names[0] ?? '').toSorted()]
}

it('the test finds the functions and their callers', () => {
  expect(functions.length).toBeGreaterThan(60)
  expect(findCallers('settle_operations')).toEqual(['ledger/queries.ts', 'resolve_operation'])
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
      from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = 'public'::regnamespace`)
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(functions.flatMap(({ names }) => names)))
  } finally {
    await client.end()
    await drop()
  }
})
