// Every statement in the sources is understood by the database, and every one on company data names whose it is.
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../support/harness.ts'
import { findStatements, statementsIn } from './source-statements.ts'

const { connection, drop } = await createDatabase()
const client = new pg.Client(connection)
await client.connect()
const { rows } = await client.query<{ table_name: string }>(`
  select table_name from information_schema.columns
  where table_schema = 'public' and column_name in ('company_id', 'environment')
  group by table_name having count(*) = 2 order by table_name`)
const COMPANY_TABLES = rows.map((row) => row.table_name)
afterAll(async () => {
  await client.end()
  await drop()
})

const statements = findStatements(fileURLToPath(new URL('../../src', import.meta.url)))

describe('the reader of the sources', () => {
  it('finds the statements and the tables at all', () => {
    expect(statements.length).toBeGreaterThan(30)
    expect(COMPANY_TABLES).toEqual(expect.arrayContaining(['api_key', 'account', 'card', 'entry', 'holder']))
  })

  it('numbers expressions, also nested ones', () => {
    const source = 'x(sql`select ${a} + ${list.map((i) => ({ b: `${i}` }))}`) // end'
    expect(statementsIn(source).map(({ text }) => text)).toEqual(['select $1 + $2'])
  })
})

describe.each(statements.map((statement) => [statement.place, statement] as const))(
  '%s',
  (_place, { text, context }) => {
    it('can be prepared', async () => {
      await expect(client.query(`prepare checked as ${text}`)).resolves.toBeDefined()
      await client.query('deallocate checked')
    })

    const problem = findScopeProblem(text, context)
    it('names its company and environment, or says why not', () => expect(problem).toBeUndefined())
  },
)

/**
 * A statement on company data is bound to a company and an environment in what it compares or inserts; naming them in
 * what it selects is not enough. `across companies: <reason>` in the function's comment lifts both, `across
 * environments: <reason>` the second.
 */
function findScopeProblem(text: string, context: string): string | undefined {
  const touched = COMPANY_TABLES.filter((table) =>
    new RegExp(String.raw`\b(from|join|into|update)\s+(public\.)?${table}\b`).test(text),
  )
  if (touched.length === 0) return undefined
  if (/across companies: [a-z]/i.test(context)) return undefined
  const bound = boundPart(text)
  if (!/\bcompany_id\b/.test(bound)) return `${touched.join(', ')} without company_id`
  if (/across environments: [a-z]/i.test(context)) return undefined
  if (!/\benvironment\b/.test(bound)) return `${touched.join(', ')} without environment`
  return undefined
}

/** Conditions of `where` and `on`, and the column lists of inserts. */
function boundPart(text: string): string {
  const conditions = [
    ...text.matchAll(/\b(?:where|on)\b([\s\S]*?)(?=\b(?:returning|order by|group by|limit|select|insert)\b|$)/g),
  ]
  const columns = [...text.matchAll(/\binsert into \w+ \(([^)]*)\)/g)]
  return [...conditions, ...columns].map(([, part]) => part).join(' ')
}

describe('the rule itself', () => {
  it.each([
    ['select 1 from card where company_id = $1 and environment = $2', '', undefined],
    ['select 1 from card where id = $1', '', 'card without company_id'],
    ['select company_id, environment from card where id = $1', '', 'card without company_id'],
    ['update holder set name = $1 where company_id = $2', '', 'holder without environment'],
    [
      'update holder set name = $1 where company_id = $2',
      '/** across environments: a name is the same in both */',
      undefined,
    ],
    ['select 1 from entry', '/** across companies: the worker serves all */', undefined],
    ['select 1 from entry', '/** across companies: */', 'entry without company_id'],
    ['insert into card (company_id, environment, id) values ($1, $2, $3)', '', undefined],
    ['select 1 from product where id = $1', '', undefined],
  ])('%s', (text, context, expected) => expect(findScopeProblem(text, context)).toBe(expected))
})
