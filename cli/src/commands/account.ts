// `cardstock balance` and `cardstock account …`: the card account, its balance on each day, when it is low, and its movements, with a
// company's API key.
import { type BalanceDay, ENTRY_KINDS, type EntryKind, type StatementEntry } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields, formatTable } from '../output.ts'
import type { Context } from '../context.ts'

const DAY_COLUMNS: readonly Column<BalanceDay>[] = [
  { title: 'DAY', cell: ({ day }) => day },
  { title: 'BALANCE', cell: ({ balance }) => balance },
  { title: 'HELD', cell: ({ held }) => held },
]

const ENTRY_COLUMNS: readonly Column<StatementEntry>[] = [
  { title: 'CREATED', cell: (entry) => entry.createdAt },
  { title: 'KIND', cell: (entry) => entry.kind },
  { title: 'AMOUNT', cell: (entry) => entry.amount },
  { title: 'BALANCE', cell: (entry) => entry.balance },
  { title: 'REFERENCE', cell: (entry) => entry.reference },
  { title: 'DESCRIPTION', isText: true, cell: (entry) => entry.description },
]

interface EntryOptions {
  kind?: EntryKind
  reference?: string
  from?: string
  to?: string
  limit: number
}

export function registerAccount(program: Command, { connectCompany, output }: Context): void {
  program
    .command('balance')
    .description('show the balance of the card account')
    .action(async () => {
      const found = await connectCompany().api.balance.get()
      output().result(found, () => formatFields({ ...found }))
    })
  const group = program.command('account').description('the history of the card account, and when its balance is low')
  group
    .command('history')
    .description('show the balance at the end of each day')
    .requiredOption('--from <date>', 'first day (UTC), such as 2026-01-01')
    .requiredOption('--to <date>', 'last day (UTC), inclusive')
    .action(async (range: { from: string; to: string }) => {
      const history = await connectCompany().api.balance.history(range)
      const out = output()
      out.result(history, () => formatTable(DAY_COLUMNS, history.data, out))
    })
  group
    .command('warning')
    .description('show below which amount people are warned of a low balance, or set it')
    .argument('[amount]', 'the amount in USD to set, such as 500.00, or off for no warning')
    .action(async (amount?: string) => {
      const { balance } = connectCompany().api
      const alert = await (amount === undefined
        ? balance.alert()
        : balance.setAlert({ threshold: amount === 'off' ? null : amount }))
      output().result(alert, () => formatFields({ ...alert }))
    })
  group
    .command('entries')
    .description('list the movements on the card account')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(ENTRY_KINDS))
    .option('--reference <id>', 'only those of this operation, invoice or card')
    .option('--from <time>', 'only from this date or date-time on (UTC)')
    .option('--to <time>', 'only up to this date or date-time (UTC)')
    .addOption(limitOption())
    .action(async ({ limit, ...filter }: EntryOptions) => {
      const { api } = connectCompany()
      printList(output(), await take((query) => api.balance.entries({ ...filter, ...query }), limit), ENTRY_COLUMNS)
    })
}
