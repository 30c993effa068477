// The SQL functions of a database that Citus distributes: those of sql/functions with the conditions for Citus, and those of
// sql/citus/functions, which replace functions of the same name or are needed only there.
import { posix } from 'node:path'
import { readSqlFiles, type SqlFile } from '../sql-files.ts'
import { TABLES } from './layout.ts'
import { toCitusText } from './text.ts'

export function listCitusFunctions(functions: readonly SqlFile[]): SqlFile[] {
  const own = readSqlFiles('citus').filter((file) => file.name.startsWith('citus/functions/'))
  const replaced = new Set(own.map((file) => posix.basename(file.name)))
  const shared = functions.filter((file) => !replaced.has(posix.basename(file.name)))
  const all = [...shared.map((file) => ({ ...file, text: toCitusText(file.text) })), ...own]
  const names = all.map((file) => posix.basename(file.name, '.sql'))
  const usesSchema = new RegExp(
    String.raw`\$\$[^]*(?<![\w.])(?:(?:${names.join('|')})\(|(?:${Object.keys(TABLES).join('|')})\b)`,
  )
  return all.map((file) => (usesSchema.test(file.text) ? { ...file, text: withPath(file.text) } : file))
}

/**
 * Citus opens sessions on the workers by itself, whose search path is not that of our session. A function that runs there finds the
 * tables and functions of our schema by the path of the migration. The others stay without it, so that PostgreSQL can inline them.
 */
function withPath(text: string): string {
  return text.replace(/\bas \$\$/, 'set search_path from current as $$$$')
}
