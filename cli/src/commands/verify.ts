// `cardstock verify`: checks a statement saved as JSON and reports what does not fit. Offline it can only show that a statement is
// consistent in itself; with --server it compares it with what the server has. The program of a server also checks archives.
import { readFileSync, statSync } from 'node:fs'
import type { Statement } from '@cardstock/sdk'
import {
  compareStatements,
  type StatementComparison,
  type StatementVerdict,
  verifyStatement,
} from '@cardstock/sdk/statements'
import type { Command } from 'commander'
import type { CommandSet } from '../command-set.ts'
import { companyCommands } from '../company-commands.ts'
import type { Context } from '../context.ts'
import { describeFileError, UsageError } from '../failure.ts'

interface Options {
  database?: boolean
  server?: boolean
}

/** Checks the files of an archive, which only a server's program can read. */
type VerifyArchive = (paths: readonly string[], options: { database?: boolean }, context: Context) => Promise<void>

/** `verifyArchive` is undefined in a program without a server. */
export function createVerifyCommands(verifyArchive?: VerifyArchive): CommandSet {
  const ofStatement = [
    'cardstock verify statement-2026-01-01-2026-01-31.json',
    'cardstock verify statement-2026-01-01-2026-01-31.json --server',
  ]
  return {
    heading: companyCommands.heading,
    register: (program, context) =>
      verifyArchive === undefined
        ? registerForStatements(program, context)
        : registerForBoth(program, context, verifyArchive),
    examples: {
      verify:
        verifyArchive === undefined
          ? ofStatement
          : [...ofStatement, 'cardstock verify --database /var/archives/cardstock'],
    },
  }
}

function registerForStatements(program: Command, context: Context): void {
  program
    .command('verify')
    .description('check that a statement is consistent in itself, and whether the server has the same')
    .argument('<path>', 'a statement saved as JSON')
    .option('--server', 'also compare it with what the server has for the same days')
    .action((file: string, options: Options) => verifyOneStatement(file, options, context))
}

function registerForBoth(program: Command, context: Context, verifyArchive: VerifyArchive): void {
  program
    .command('verify')
    .description('check that a statement or an archive is consistent in itself, and whether the server has the same')
    .argument('<paths...>', 'a statement saved as JSON, or files and folders that cardstock archive has written')
    .option('--server', 'also compare a statement with what the server has for the same days')
    .option('--database', 'also compare an archive with what the database has')
    .action(async (paths: string[], options: Options) => {
      if (paths.some(isOfArchive)) {
        if (options.server === true) throw new UsageError('--server is for a statement. Use --database for an archive.')
        await verifyArchive(paths, options, context)
        return
      }
      const [file = '', ...more] = paths
      if (more.length > 0) throw new UsageError('Give one statement, or files and folders of an archive.')
      if (options.database === true) throw new UsageError('--database is for the files of an archive.')
      await verifyOneStatement(file, options, context)
    })
}

function isOfArchive(path: string): boolean {
  try {
    return path.endsWith('.gz') || statSync(path).isDirectory()
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${describeFileError(error as Error)}.`)
  }
}

async function verifyOneStatement(file: string, options: Options, context: Context): Promise<void> {
  const document = readJson(file)
  if (!isStatement(document))
    throw new UsageError(`${file} is not a statement. Save one with cardstock statement --format json.`)
  const verdict = verifyStatement(document)
  const isConsistent = verdict.problems.length === 0
  const compared =
    isConsistent && options.server === true ? await compareWithServer(document as Statement, context) : undefined
  const problems = [...verdict.problems, ...(compared?.differences ?? [])]
  const server = compared === undefined ? {} : { laterEntries: compared.laterEntries }
  context
    .output()
    .result({ valid: problems.length === 0, entries: verdict.entries, problems, ...server }, () =>
      compared === undefined ? describeVerdict(file, verdict) : describeComparison(file, verdict, compared),
    )
  if (problems.length > 0) context.fail()
}

async function compareWithServer(saved: Statement, context: Context): Promise<StatementComparison> {
  return compareStatements(saved, await context.connectCompany().api.statements.get(saved))
}

function describeVerdict(file: string, { entries, problems }: StatementVerdict): string {
  if (problems.length > 0) return describeProblems(`${file} was altered:`, problems)
  return (
    `${file} is consistent in itself: ${count(entries)}, and all figures and the hash chain agree.\n` +
    'Its hashes have no key, so that anybody could have written it. Add --server to compare it with what the server has.'
  )
}

function describeComparison(
  file: string,
  { entries }: StatementVerdict,
  { differences, laterEntries }: StatementComparison,
): string {
  if (differences.length > 0)
    return describeProblems(`${file} is consistent in itself, but the server has something else:`, differences)
  const later = laterEntries === 0 ? '' : ` The server has booked more for these days since: ${count(laterEntries)}.`
  return `${file} is what the server has: ${count(entries)}, and all figures and the hash chain agree.${later}`
}

function describeProblems(title: string, problems: StatementVerdict['problems']): string {
  return [title, ...problems.map(({ where, problem }) => `  ${where}: ${problem}`)].join('\n')
}

const count = (entries: number) => (entries === 1 ? '1 entry' : `${entries} entries`)

/** A file without any of these was never a statement, so it does not count as an altered one. */
function isStatement(document: unknown): boolean {
  return typeof document === 'object' && document !== null && ('proof' in document || 'account' in document)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : describeFileError(error as Error)
    throw new UsageError(`${file} cannot be read: ${reason}.`)
  }
}
