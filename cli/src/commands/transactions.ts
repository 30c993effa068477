// `cardstock transactions …`: lists card payments and adds them up, with a company's API key.
import {
  SPEND_CATEGORIES,
  type Sort,
  type SpendCategoryId,
  type SpendFilter,
  type SpendRow,
  type Transaction,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionStatus,
  type TransactionTotal,
  type TransactionTotalsFilter,
  type TransactionType,
} from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { limitOption, printList, sortOption, take } from '../list.ts'
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
  { title: 'HOLDER', isText: true, cell: (transaction) => transaction.holder?.name },
]

const TOTAL_COLUMNS: readonly Column<TransactionTotal>[] = [
  { title: 'TYPE', cell: (total) => total.type },
  { title: 'STATUS', cell: (total) => total.status },
  { title: 'COUNT', cell: (total) => String(total.count) },
  { title: 'AMOUNT', cell: (total) => total.amount },
  { title: 'CURRENCY', cell: (total) => total.currency },
]

/** The most that the server returns. */
const SPEND_ROWS_MAX = 1_000
const SPEND_GROUPS = ['month', 'card', 'holder', 'merchant', 'category'] as const

const nameSpend = ({ month, merchant, category, card, holder }: SpendRow) =>
  month ?? merchant ?? category?.name ?? card?.name ?? holder?.name

const SPEND_COLUMNS: readonly Column<SpendRow>[] = [
  { title: 'COUNT', cell: (row) => String(row.count) },
  { title: 'AMOUNT', cell: (row) => row.amount },
  { title: 'ID', cell: (row) => row.card?.id ?? row.holder?.id },
  { title: 'NAME', isText: true, cell: nameSpend },
]

interface FilterOptions {
  card?: string
  type?: TransactionType
  status?: TransactionStatus
  category?: SpendCategoryId
  from?: string
  to?: string
}

function addFilters(command: Command): Command {
  return command
    .option('--card <id>', 'only those of this card')
    .addOption(new Option('--type <type>', 'show only payments of this type').choices(TRANSACTION_TYPES))
    .addOption(new Option('--status <status>', 'only those with this status').choices(TRANSACTION_STATUSES))
    .addOption(new Option('--category <id>', 'only those at merchants of this group').choices(SPEND_CATEGORIES))
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
      const { card, holder, category, ...fields } = transaction
      const names = { category: category?.name, card: card?.last4, holder: holder?.name }
      output().result(transaction, () => formatFields({ ...fields, ...names }))
    })
  addFilters(group.command('list').description('list card payments'))
    .addOption(sortOption())
    .addOption(limitOption())
    .action(async ({ limit, sort, ...options }: FilterOptions & { limit: number; sort: Sort }) => {
      const filter = { ...toFilter(options), sort }
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
  group
    .command('spend')
    .description('add up what was spent, by month, card, holder, merchant or category')
    .addOption(new Option('--by <what>', 'what to add up by').choices(SPEND_GROUPS).makeOptionMandatory())
    .requiredOption('--from <date>', 'first day (UTC), such as 2026-01-01')
    .requiredOption('--to <date>', 'last day (UTC), inclusive')
    .action(async (filter: SpendFilter) => {
      const spend = await connectCompany().api.transactions.spend({ ...filter, limit: SPEND_ROWS_MAX })
      const { data, others, amount } = spend
      output().result(spend, () => `${formatTable(SPEND_COLUMNS, data, output())}\n${amount} USD in all.`)
      if (others !== null) output().note(`${others.groups} more, with ${others.amount} USD together.`)
    })
}
