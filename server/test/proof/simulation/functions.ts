// Tells which SQL function of the server a statement calls. It may write; those that only compute are left out.
import { posix } from 'node:path'
import { readSqlFiles } from '../../../src/db/sql-files.ts'

const NAMES = readSqlFiles('functions')
  .filter(({ text }) => !/^language \w+ (?:immutable|stable)\b/m.test(text))
  .map(({ name }) => posix.basename(name, '.sql'))
const CALL = new RegExp(String.raw`(?<![\w.])(${NAMES.join('|')})\(`)

export function findFunction(text: string): string | undefined {
  return CALL.exec(text)?.[1]
}
