// The SQL functions of a database that Citus distributes: those of sql/functions with other settings, and those of sql/citus/functions,
// which replace functions of the same name or are needed only there.
import { posix } from 'node:path'
import { readSqlFiles, type SqlFile } from '../sql-files.ts'
import { NESTED_FUNCTIONS, TABLES } from './layout.ts'

export function listCitusFunctions(functions: readonly SqlFile[]): SqlFile[] {
  const own = readSqlFiles('citus').filter((file) => file.name.startsWith('citus/functions/'))
  const replaced = new Set(own.map((file) => posix.basename(file.name)))
  const shared = functions.filter((file) => !replaced.has(posix.basename(file.name)))
  const all = [...shared.map((file) => ({ ...file, text: withSettings(file) })), ...own]
  const names = new Set(all.map((file) => posix.basename(file.name, '.sql')))
  return all.map((file) => (usesSchema(file.text, names) ? { ...file, text: withPath(file.text) } : file))
}

/**
 * Citus plans a statement for the company in its parameters, which a forced generic plan would hide. It refuses statements of a function
 * that another statement calls on a node, unless it is told to allow them.
 */
function withSettings({ name, text }: SqlFile): string {
  const free = text.replaceAll(/^set plan_cache_mode = force_generic_plan\n/gm, '')
  if (!NESTED_FUNCTIONS.includes(posix.basename(name, '.sql'))) return free
  return free.replace(/\bas \$\$/, 'set citus.allow_nested_distributed_execution = on as $$$$')
}

/** Reports whether the body of a function names one of our tables or calls one of our functions. */
function usesSchema(text: string, functions: ReadonlySet<string>): boolean {
  const body = text.slice(text.indexOf('$$'))
  return [...body.matchAll(/(?<![\w.])\w+/g)].some(
    ({ 0: word, index }) => Object.hasOwn(TABLES, word) || (functions.has(word) && body[index + word.length] === '('),
  )
}

/**
 * Citus opens sessions on the workers by itself, whose search path is not that of our session. A function that runs there finds the
 * tables and functions of our schema by the path of the migration. The others stay without it, so that PostgreSQL can inline them.
 */
function withPath(text: string): string {
  return text.replace(/\bas \$\$/, 'set search_path from current as $$$$')
}
