// `cardstock statement`: downloads a statement of the card account into a file, with a company's API key.
import { writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { UsageError } from './failure.ts'
import type { Context } from './program.ts'

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
    .description('download a statement of the card account, with CARDSTOCK_API_KEY')
    .requiredOption('--from <date>', 'first day (UTC), such as 2026-01-01')
    .requiredOption('--to <date>', 'last day (UTC), inclusive')
    .addOption(new Option('--format <format>', 'form of the file').choices(FORMATS).default('json'))
    .option('--output <file>', 'file to write; it must not exist yet')
    .action(async ({ from, to, format, output: given }: StatementOptions) => {
      const bytes = await connectCompany().statements.download({ from, to }, format)
      const file = given ?? `statement-${from}-${to}.${format}`
      write(file, bytes)
      output().result({ file, bytes: bytes.length }, () => `${file} (${bytes.length} bytes)`)
    })
}

function write(file: string, bytes: Uint8Array): void {
  try {
    // A statement is for few eyes, and an earlier one is not written over.
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}. Choose another with --output.`)
  }
}
