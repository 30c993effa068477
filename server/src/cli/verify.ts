// `cardstock verify`: checks a statement saved as JSON, offline, or the files of an archive, and reports what was altered.
import { readFileSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { verifyStatement } from '../statements/verify.ts'
import { describeFileError, UsageError } from './failure.ts'
import type { Context } from './program.ts'

interface Options {
  database?: boolean
}

export function registerVerify(program: Command, context: Context): void {
  program
    .command('verify')
    .description('check the figures and the hash chain of a statement or an archive, offline')
    .argument('<paths...>', 'a statement saved as JSON, or files and folders that cardstock archive has written')
    .option('--database', 'also compare an archive with what the database has')
    .action(async (paths: string[], options: Options) => {
      if (paths.some(isOfArchive)) {
        const { verifyArchive } = await import('./verify-archive.ts')
        await verifyArchive(paths, options, context)
        return
      }
      const [file = '', ...more] = paths
      if (more.length > 0) throw new UsageError('Give one statement, or files and folders of an archive.')
      if (options.database === true) throw new UsageError('--database is for the files of an archive.')
      verifyOneStatement(file, context)
    })
}

function isOfArchive(path: string): boolean {
  try {
    return path.endsWith('.gz') || statSync(path).isDirectory()
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${describeFileError(error as Error)}.`)
  }
}

function verifyOneStatement(file: string, { output, fail }: Context): void {
  const document = readJson(file)
  if (!isStatement(document))
    throw new UsageError(`${file} is not a statement. Save one with cardstock statement --format json.`)
  const verdict = verifyStatement(document)
  const { entries, problems } = verdict
  const valid = problems.length === 0
  output().result({ valid, ...verdict }, () =>
    valid
      ? `${file} is as the server wrote it: ${entries === 1 ? '1 entry' : `${entries} entries`}, and all figures and the hash chain agree.`
      : [`${file} was altered:`, ...problems.map(({ where, problem }) => `  ${where}: ${problem}`)].join('\n'),
  )
  if (!valid) fail()
}

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
