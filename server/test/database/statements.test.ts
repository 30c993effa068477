// The database understands every statement in the sources, and every statement on company data, in the sources and in the
// bodies of SQL functions, names the company and the environment.
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { readSqlFiles } from '../../src/db/sql-files.ts'
import { createDatabase } from '../support/harness.ts'
import { findScopeProblem, statementsOfFunction } from './scope.ts'
import { findStatements, statementsIn } from './source-statements.ts'

const { connection, drop } = await createDatabase()
const client = new pg.Client(connection)
await client.connect()
const { rows } = await client.query<{ table_name: string }>(`
  select table_name from information_schema.columns
  where table_schema = current_schema() and column_name in ('company_id', 'environment')
  group by table_name having count(*) = 2 order by table_name`)
const COMPANY_TABLES = rows.map((row) => row.table_name)
afterAll(async () => {
  await client.end()
  await drop()
})

const statements = findStatements(fileURLToPath(new URL('../../src', import.meta.url)))

describe('the parser of the sources', () => {
  it('finds the statements and the tables', () => {
    expect(statements.length).toBeGreaterThan(30)
    expect(COMPANY_TABLES).toEqual(expect.arrayContaining(['api_key', 'account', 'card', 'entry', 'holder']))
  })

  it('numbers expressions, including nested ones', () => {
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

    const problem = findScopeProblem(text, context, COMPANY_TABLES)
    it('names its company and environment, or says why not', () => expect(problem).toBeUndefined())
  },
)

/** The problems of a function's statements; a comment at its beginning may lift the rule for all of them. */
function findFunctionProblems(text: string): string[] {
  const comment = /^(?:--.*\n)*/.exec(text)?.[0].replaceAll(/\n-- /g, ' ') ?? ''
  return statementsOfFunction(text).flatMap((statement) => {
    const problem = findScopeProblem(statement, comment, COMPANY_TABLES)
    return problem === undefined ? [] : [`${problem}: ${statement.slice(0, 80)}`]
  })
}

describe('SQL functions', () => {
  it.each(readSqlFiles('functions'))('$name names its company and environment, or says why not', ({ text }) =>
    expect(findFunctionProblems(text)).toEqual([]),
  )

  const planted = (body: string, comment = '') =>
    findFunctionProblems(
      `${comment}create function planted(p_id uuid) returns void language plpgsql as $$\n${body}\n$$;\n`,
    )

  it.each([
    ['begin perform 1 from card c where c.id = p_id; end', 'card without company_id'],
    ['begin update holder h set name = p_name where h.company_id = p_company; end', 'holder without environment'],
    [
      `begin
         perform 1 from account a where a.company_id = p_company and a.environment = p_environment;
         delete from entry e where e.reference = p_id;
       end`,
      'entry without company_id',
    ],
    [
      `select o.id from account a join operation o on o.id = p_id
       where a.company_id = p_company and a.environment = p_environment`,
      'operation without company_id',
    ],
    [
      "begin update card c set name = 'where company_id, environment' where c.id = p_id; end",
      'card without company_id',
    ],
    ['begin insert into card (id) values (p_id); end', 'card without company_id'],
  ])('the check finds what is wrong in %s', (body, problem) => {
    expect(planted(body)).toEqual([expect.stringMatching(new RegExp(`^${problem}: `))])
  })

  it('a reason in the first comment is an exception to the rule', () => {
    const body = 'begin perform 1 from card c where c.id = p_id; end'
    expect(planted(body, '-- Across companies: the worker serves them all.\n')).toEqual([])
    expect(planted(body, '-- Across companies:\n')).toHaveLength(1)
  })
})

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
  ])('%s', (text, context, expected) => expect(findScopeProblem(text, context, COMPANY_TABLES)).toBe(expected))
})
