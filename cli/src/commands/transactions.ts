// `cardstock transactions …`: lists card payments and adds them up, with a company's API key.
import {
  type Transaction,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionStatus,
  type TransactionTotal,
  type TransactionTotalsFilter,
  type TransactionType,
} from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields, formatTable } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'OCCURRED', cell: (transaction) => transaction.occurredAt },
  { title: 'TYPE', cell: (transaction) => transaction.type },
  { title: 'STATUS', cell: (transaction) => transaction.status },
  { title: 'AMOUNT', cell: (transaction) => transaction.amount },
  { title: 'CURRENCY', cell: (transaction) => transaction.currency },
  { title: 'CARD', cell: (transaction) => transaction.cardId },
  { title: 'ID', cell: (transaction) => transaction.id },
  { title: 'MERCHANT', isText: true, cell: (transaction) => transaction.merchant },
]

const TOTAL_COLUMNS: readonly Column<TransactionTotal>[] = [
  { title: 'TYPE', cell: (total) => total.type },
  { title: 'STATUS', cell: (total) => total.status },
  { title: 'COUNT', cell: (total) => String(total.count) },
  { title: 'AMOUNT', cell: (total) => total.amount },
  { title: 'CURRENCY', cell: (total) => total.currency },
]

interface FilterOptions {
  card?: string
  type?: TransactionType
  status?: TransactionStatus
  from?: string
  to?: string
}

function addFilters(command: Command): Command {
  return command
    .option('--card <id>', 'only those of this card')
    .addOption(new Option('--type <type>', 'show only payments of this type').choices(TRANSACTION_TYPES))
    .addOption(new Option('--status <status>', 'only those with this status').choices(TRANSACTION_STATUSES))
    .option('--from <time>', 'only from this date or date-time on (UTC)')
    .option('--to <time>', 'only up to this date or date-time (UTC)')
}

function toFilter({ card, ...rest }: FilterOptions): TransactionTotalsFilter {
  return { ...rest, ...(card === undefined ? {} : { cardId: card }) }
}

export function registerTransactions(program: Command, { connectCompany, output }: Context): void {
  const group = program.command('transactions').description("card payments, with a company's API key")
  group
    .command('get')
    .alias('show')
    .description('show one card payment')
    .argument('<id>', 'id of the payment')
    .action(async (id: string) => {
      const transaction = await connectCompany().api.transactions.get(id)
      const { card, holder, ...fields } = transaction
      output().result(transaction, () => formatFields({ ...fields, card: card?.last4, holder: holder?.name }))
    })
  addFilters(group.command('list').description('list card payments'))
    .addOption(limitOption())
    .action(async ({ limit, ...options }: FilterOptions & { limit: number }) => {
      const filter = toFilter(options)
      const { transactions } = connectCompany().api
      printList(output(), await take((query) => transactions.list({ ...filter, ...query }), limit), COLUMNS)
    })
  addFilters(group.command('totals').description('add up card payments by type, status and currency')).action(
    async (options: FilterOptions) => {
      const totals = await connectCompany().api.transactions.totals(toFilter(options))
      output().result(totals, () => formatTable(TOTAL_COLUMNS, totals.data, output()))
      if (totals.data.length === 0) output().note('Nothing to show.')
    },
  )
}
