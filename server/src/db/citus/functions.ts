// The SQL functions of a database that Citus distributes: those of sql/functions with the conditions for Citus, and those of
// sql/citus/functions, which replace functions of the same name or are needed only there.
import { posix } from 'node:path'
import { readSqlFiles, type SqlFile } from '../sql-files.ts'
import { toCitusText } from './text.ts'

export function listCitusFunctions(functions: readonly SqlFile[]): SqlFile[] {
  const own = readSqlFiles('citus').filter((file) => file.name.startsWith('citus/functions/'))
  const replaced = new Set(own.map((file) => posix.basename(file.name)))
  const shared = functions.filter((file) => !replaced.has(posix.basename(file.name)))
  return [...shared.map((file) => ({ ...file, text: toCitusText(file.text) })), ...own]
}
