// `cardstock admin seals`: lists the seals of the ledger, the newest first.
import { type Environment, ENVIRONMENTS, type Seal } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import type { Column } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<Seal>[] = [
  { title: 'SEALED', cell: (seal) => seal.sealedAt },
  { title: 'COMPANY', cell: (seal) => seal.companyId },
  { title: 'COMPANY NAME', isText: true, cell: (seal) => seal.companyName },
  { title: 'ENVIRONMENT', cell: (seal) => seal.environment },
  { title: 'LAST ENTRY', cell: (seal) => String(seal.number) },
  { title: 'HASH', cell: (seal) => seal.hash },
]

interface Options {
  company?: string
  environment?: Environment
  limit: number
}

export function registerSeals(program: Command, { connect, output }: Context): void {
  program
    .command('seals')
    .description('list the seals of the ledger')
    .option('--company <id>', 'show only seals of this company')
    .addOption(new Option('--environment <environment>', 'show only seals of this environment').choices(ENVIRONMENTS))
    .addOption(limitOption())
    .action(async ({ company, environment, limit }: Options) => {
      const { books } = connect()
      const filter = { companyId: company, environment }
      printList(output(), await take((query) => books.seals({ ...filter, ...query }), limit), COLUMNS)
    })
}
