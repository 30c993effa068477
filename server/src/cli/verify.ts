// `cardstock verify`: checks a statement saved as JSON, offline, and reports what was altered.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { verifyStatement } from '../statements/verify.ts'
import { describeFileError, UsageError } from './failure.ts'
import type { Context } from './program.ts'

export function registerVerify(program: Command, { output, fail }: Context): void {
  program
    .command('verify')
    .description('check the figures and the hash chain of a statement, offline')
    .argument('<file>', 'a statement saved as JSON')
    .action((file: string) => {
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
    })
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
