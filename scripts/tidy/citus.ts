// Checks that the schema and the SQL functions keep to what Citus can do, also where Citus is not installed. Each rule stands for something
// that a cluster refused or did otherwise; docs/scaling.md lists them. It reads the text that `cardstock migrate --citus` would
// create, and one rule reads the statements of the server's sources too.
import { basename } from 'node:path'
import {
  DELEGATED_FUNCTIONS,
  COORDINATOR_KEYS,
  NESTED_FUNCTIONS,
  SAFE_TRIGGER_FUNCTIONS,
  TABLES,
} from '../../server/src/db/citus/layout.ts'
import type { Problem } from './source.ts'

interface File {
  readonly path: string
  readonly text: string
}

/** The view is over distributed tables. */
const COMPANY_TABLES = new Set([...Object.keys(TABLES).filter((table) => TABLES[table] === 'company'), 'event_log'])
const ANY_TABLE = [...Object.keys(TABLES), 'event_log'].join('|')

/** The first comment of a function that is only called on plain PostgreSQL, and of one that asks every shard on purpose. */
const PLAIN_ONLY = /Not on Citus: \S/
const ACROSS = /across companies: \S/i

/** A value that is the same for the whole statement, so that Citus finds the one shard. */
const ONE_COMPANY = String.raw`(?:[pv]_company\b|coalesce\(v_company, |[pv]_\w+\.company_id)`

/** `readers` are the names of the functions that read or write tables. */
export function findFunctionProblems({ path, text }: File, readers: ReadonlySet<string> = new Set()): Problem[] {
  const comment = /^(?:--.*\n)*/.exec(text)?.[0].replaceAll(/\n-- ?/g, ' ') ?? ''
  if (PLAIN_ONLY.test(comment)) return []
  const name = basename(path, '.sql')
  const code = text
    .replaceAll(/^set plan_cache_mode = force_generic_plan$/gm, '')
    .replaceAll(/--.*/g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
  const [head = '', body = ''] = code.split('$$')
  const statements = body.split(/;|\bloop\b/)
  const found = [
    ...findHeadProblems(name, head, body),
    ...statements.flatMap((statement) => findStatementProblems(statement, ACROSS.test(comment))),
    ...statements.flatMap((statement) => findNestedProblems(statement, readers)),
    ...statements.flatMap(findHandedRows),
    ...statements.flatMap(findLostParameters),
  ]
  return [...new Set(found)].map((message) => ({ path, line: 1, message }))
}

function findHeadProblems(name: string, head: string, body: string): string[] {
  const problems: string[] = []
  if (/plan_cache_mode(?! = force_custom_plan\b)/.test(head + body)) {
    problems.push(
      'forces a generic plan, in which Citus cannot see the company; write the line as in the other functions',
    )
  }
  if (/\blanguage sql\b/.test(head) && tablesOf(body).some(({ table }) => TABLES[table] !== 'local')) {
    problems.push('reads tables in language sql, whose parameters Citus cannot plan; write plpgsql')
  }
  if (DELEGATED_FUNCTIONS.includes(name) && !/^[^(]*\(\s*p_company uuid\b/.test(head)) {
    problems.push('is delegated to the node of its company, so p_company must be its first parameter')
  }
  if (/\bwhen unique_violation\b/.test(body) && !DELEGATED_FUNCTIONS.includes(name)) {
    problems.push(
      'handles a duplicate key, which arrives with another code unless the function is in DELEGATED_FUNCTIONS',
    )
  }
  if (new RegExp(String.raw`\bv_\w+ (?:${ANY_TABLE})\[\]`).test(body)) {
    problems.push('has an array of rows, which Citus turns into records; use an array for each column')
  }
  return problems
}

export function usesTables({ path, text }: File): boolean {
  if (NESTED_FUNCTIONS.includes(basename(path, '.sql'))) return false
  const code = text.replaceAll(/--.*/g, '').toLowerCase()
  const written = [...code.matchAll(/\binsert into (\w+)/g)].map(([, table = '']) => table)
  return [...tablesOf(code).map(({ table }) => table), ...written].some((table) => TABLES[table] !== 'local')
}

/** A statement that calls a function for rows of a shard runs it on the node, in the middle of a statement. */
function findNestedProblems(statement: string, readers: ReadonlySet<string>): string[] {
  if (!usesShards(statement)) return []
  return [...statement.matchAll(/(?<![\w.])(perform |:= )?\b(\w+)\(/g)]
    .filter(({ 1: alone, 2: name = '', index, 0: call }) => {
      if (!readers.has(name)) return false
      // What stands before such a call may be a condition that is a statement of its own.
      return alone === undefined || usesShards(untilStatementEnds(statement.slice(index + call.length)))
    })
    .map(
      ([, , name]) => `calls ${name}, which uses tables, in a statement on those of a company; call it before or after`,
    )
}

const usesShards = (statement: string) => tablesOf(statement).some(({ table }) => COMPANY_TABLES.has(table))

/** Returns the arguments of a call, and what follows it up to a keyword that begins another statement. */
function untilStatementEnds(text: string): string {
  return /^[^]*?(?=\b(?:then|else|elsif|end)\b|$)/.exec(text)?.[0] ?? ''
}

/** Checks the statements in a source file of the server. */
export function findSourceProblems({ path, text }: File, readers: ReadonlySet<string> = new Set()): Problem[] {
  if (!path.startsWith('server/src/')) return []
  return [...text.matchAll(/\bsql`([^`]*)`/g)].flatMap(({ 1: statement = '', index }) => {
    const code = statement.replaceAll(/--.*/g, '').toLowerCase()
    const line = text.slice(0, index).split('\n').length
    const found = [...findHandedRows(code), ...findLostParameters(code), ...findNestedProblems(code, readers)]
    return found.map((message) => ({ path, line, message }))
  })
}

/**
 * Citus plans an insert only after the parts of its statement have run, so it copies the rows of a part that the insert reads to every
 * node, and the statement fails for all companies while one node is down.
 */
function findHandedRows(statement: string): string[] {
  const parts = [...statement.matchAll(/(?:\bwith\s+(?:recursive\s+)?|\)\s*,\s*)(\w+) as \(/g)].map(([, name]) => name)
  if (parts.length === 0) return []
  const read = new RegExp(String.raw`(?:\b(?:from|join)\s+|,\s*)(?:${parts.join('|')})\b(?! as \(|\.)`)
  const reads = [...statement.matchAll(/\binsert into (\w+)/g)].filter(
    ({ 1: table = '', index }) =>
      (TABLES[table] ?? 'local') !== 'local' && read.test(untilClosed(statement.slice(index))),
  )
  return reads.map(
    ([, table]) =>
      `hands rows of a part of the statement to the insert into ${table}, which Citus copies to every node; keep them in variables and insert in the next statement`,
  )
}

/**
 * Citus takes a part of such a statement to the node without its parameters, and the node refuses it: "bind message supplies 0
 * parameters". What is to be inserted can be named instead, as a column of `excluded`.
 */
function findLostParameters(statement: string): string[] {
  const inserts = [...statement.matchAll(/\binsert into (\w+)/g)].filter(({ 1: table = '', index }) => {
    const [rows = '', change = ''] = untilClosed(statement.slice(index)).split(/\bdo update set\b/)
    return (
      COMPANY_TABLES.has(table) && /\bselect\b/.test(rows) && /\b[pv]_\w+|\$\{/.test(change.split('returning')[0] ?? '')
    )
  })
  return inserts.map(
    ([, table]) =>
      `has a parameter in the "do update" of an insert into ${table} that selects its rows, which Citus loses; use a column of excluded`,
  )
}

/** Returns the text up to the bracket that closes what was opened before it. */
function untilClosed(text: string): string {
  let depth = 0
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1
    if (depth < 0) return text.slice(0, index)
  }
  return text
}

interface Use {
  readonly table: string
  readonly alias: string
}

const NOT_ALIASES =
  /^(?:where|set|on|order|group|limit|join|cross|left|inner|returning|select|values|for|union|offset|using|as)$/

function tablesOf(statement: string): Use[] {
  const uses = statement.matchAll(
    new RegExp(
      String.raw`\b(?:from|join|update|using)\s+(?:only\s+)?(${ANY_TABLE})\b(?!\s*\()(?:\s+(?:as\s+)?(\w+))?`,
      'g',
    ),
  )
  return [...uses].map(([, table = '', next = '']) => ({
    table,
    alias: next === '' || NOT_ALIASES.test(next) ? table : next,
  }))
}

function findStatementProblems(statement: string, isAcross: boolean): string[] {
  const uses = tablesOf(statement)
  const shards = uses.filter(({ table }) => COMPANY_TABLES.has(table))
  const problems: string[] = []
  const bound = findBound(statement, shards)
  const unpruned = shards.find((use) => !bound.has(use))
  const locks = /\bfor (?:no key )?(?:update|share)\b/.test(statement)
  if (unpruned !== undefined && (!isAcross || locks)) {
    const why = locks ? 'locks rows of' : 'reads or changes'
    problems.push(
      `${why} ${unpruned.table} without one company in the condition; add "${unpruned.alias}.company_id = p_company", or what batch_company.sql says`,
    )
  }
  if (shards.length > 0 || /\binsert into\b/.test(statement)) problems.push(...findExpressionProblems(statement, uses))
  return problems
}

/** Returns the uses of distributed tables that are bound to one company, by a value or through another table that is. */
function findBound(statement: string, shards: readonly Use[]): Set<Use> {
  const bound = new Set<Use>()
  for (let before = -1; before < bound.size;) {
    before = bound.size
    const values = [...bound].map(({ alias }) => String.raw`${alias}\.company_id\b`)
    for (const use of shards) if (isEqual(statement, use, [ONE_COMPANY, ...values].join('|'))) bound.add(use)
  }
  return bound
}

function isEqual(statement: string, { table, alias }: Use, values: string): boolean {
  const column = alias === table ? String.raw`(?:${alias}\.)?company_id` : String.raw`${alias}\.company_id`
  return new RegExp(String.raw`(?<![\w.])${column} = (?:${values})`).test(statement)
}

function findExpressionProblems(statement: string, uses: readonly Use[]): string[] {
  const problems: string[] = []
  const aliases = uses.map(({ alias }) => alias).join('|')
  if (
    aliases !== '' &&
    new RegExp(String.raw`\b\w+\((?:${aliases})\s*[,)]|(?:select|returning)\s+(?:${aliases})\s+as\b`).test(statement)
  ) {
    problems.push('uses a whole row, which Citus turns into a record; name the columns')
  }
  if (/\bcase\s+[pv]_\w+\s+when\b/.test(statement)) {
    problems.push('has "case parameter when", which Citus prints wrongly; write "case when parameter = …"')
  }
  if (/\breturning\b[^;]*?\b(?:\w+_json|event_id|wire_\w+)\(/.test(returningOf(statement))) {
    problems.push('calls a function in "returning", which Citus refuses; return the columns and call it afterwards')
  }
  return problems
}

/** The last list of returned columns, up to the end of its part of the statement. */
function returningOf(statement: string): string {
  return [...statement.matchAll(/\breturning\b(?:[^()]|\([^()]*\))*/g)].map(([text]) => text).join('\n')
}

/** Checks server/schema.sql: tables, keys and triggers. */
export function findSchemaProblems({ path, text }: File): Problem[] {
  const problem = (message: string): Problem => ({ path, line: 1, message })
  const tables = [...text.matchAll(/^create table (\w+) \(\n([^]*?)^\)/gm)].map(([, name = '', body = '']) => ({
    name,
    body,
  }))
  return [
    ...tables.flatMap(({ name, body }) => findTableProblems(name, body)).map(problem),
    ...findIndexProblems(text).map(problem),
    ...findTriggerProblems(text).map(problem),
  ]
}

function findTableProblems(name: string, body: string): string[] {
  const place = TABLES[name]
  if (place === undefined) return [`${name} has no place on Citus; add it to db/citus/layout.ts`]
  const keys = [...body.matchAll(/constraint (\w+) FOREIGN KEY \((\w+)[^)]*\) REFERENCES (\w+)/g)]
  return [
    ...[...body.matchAll(/(?:PRIMARY KEY|UNIQUE[A-Z ]*) \((\w+)/g)]
      .filter(([, first]) => place === 'company' && first !== 'company_id')
      .map(([, first]) => `a key of ${name} begins with ${first}; a key of a distributed table begins with company_id`),
    ...keys.flatMap(([, key = '', first, target = '']) => {
      if (COORDINATOR_KEYS.some((listed) => listed.name === key)) return []
      const to = TABLES[target]
      const isTogether = place === to && (place !== 'company' || first === 'company_id')
      return isTogether && (place !== 'coordinator' || name === target)
        ? []
        : [
            `the foreign key ${key} joins tables that Citus keeps apart or locks; add it to COORDINATOR_KEYS in db/citus/layout.ts`,
          ]
    }),
  ]
}

function findIndexProblems(text: string): string[] {
  return [...text.matchAll(/^CREATE UNIQUE INDEX (\w+) ON public\.(\w+) USING btree \((.*?)\)(?: WHERE|;)/gm)]
    .filter(([, , table = '', columns]) => TABLES[table] === 'company' && !columns?.split(', ').includes('company_id'))
    .map(([, index]) => `${index} is unique and does not contain company_id, so Citus cannot check it`)
}

function findTriggerProblems(text: string): string[] {
  return [...text.matchAll(/^CREATE TRIGGER (\w+) .*? ON public\.(\w+) .*?EXECUTE FUNCTION (\w+)\(/gm)]
    .filter(([, , table = '', used = '']) => TABLES[table] === 'company' && !SAFE_TRIGGER_FUNCTIONS.includes(used))
    .map(
      ([, trigger, table]) =>
        `${trigger} is a trigger on ${table}, which has shards; only triggers that raise are safe there (SAFE_TRIGGER_FUNCTIONS)`,
    )
}
