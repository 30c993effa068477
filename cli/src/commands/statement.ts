// `cardstock statement`: downloads a statement of the card account into a file or to standard output, with a company's API key.
import { open, unlink } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { describeFileError, UsageError } from '../failure.ts'
import type { Context } from '../context.ts'

const FORMATS = ['json', 'csv', 'pdf'] as const

interface StatementOptions {
  from: string
  to: string
  format: (typeof FORMATS)[number]
  output?: string
}

export function registerStatement(program: Command, { connectCompany, output }: Context): void {
  program
    .command('statement')
    .description('download a statement of the card account')
    .requiredOption('--from <date>', 'first day (UTC), such as 2026-01-01')
    .requiredOption('--to <date>', 'last day (UTC), inclusive')
    .addOption(new Option('--format <format>', 'format of the file').choices(FORMATS).default('json'))
    .option('--output <file>', 'file to write, which must not exist yet; - is standard output')
    .action(async ({ from, to, format, output: given }: StatementOptions) => {
      const stream = await connectCompany().api.statements.download({ from, to }, format)
      if (given === '-') {
        const out = output()
        for await (const chunk of stream) out.raw(chunk)
        return
      }
      const file = given ?? `statement-${from}-${to}.${format}`
      const bytes = await write(file, stream)
      output().result({ file, bytes }, () => `${file} (${bytes} bytes)`)
    })
}

/** Returns the number of bytes written. A file that is not complete is removed, so that nothing looks like a statement. */
async function write(file: string, stream: ReadableStream<Uint8Array>): Promise<number> {
  // Only the owner may read a statement, and an existing file is never overwritten.
  const target = await open(file, 'wx', 0o600).catch((error: Error) => {
    throw new UsageError(`${file} cannot be written: ${describeFileError(error)}. Choose another with --output.`)
  })
  try {
    let bytes = 0
    for await (const chunk of stream) bytes += (await target.write(chunk)).bytesWritten
    return bytes
  } catch (error) {
    await unlink(file)
    throw error
  } finally {
    await target.close()
  }
}
