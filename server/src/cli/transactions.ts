// `cardstock transactions …`: lists card payments, with a company's API key.
import {
  type Transaction,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionFilter,
  type TransactionStatus,
  type TransactionType,
} from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { limitOption, printList, take } from './list.ts'
import { type Column, formatFields } from './output.ts'
import type { Context } from './program.ts'

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'OCCURRED', cell: (transaction) => transaction.occurredAt },
  { title: 'TYPE', cell: (transaction) => transaction.type },
  { title: 'STATUS', cell: (transaction) => transaction.status },
  { title: 'AMOUNT', cell: (transaction) => transaction.amount },
  { title: 'CURRENCY', cell: (transaction) => transaction.currency },
  { title: 'CARD', cell: (transaction) => transaction.cardId },
  { title: 'ID', cell: (transaction) => transaction.id },
  { title: 'MERCHANT', cell: (transaction) => transaction.merchant },
]

interface ListOptions {
  card?: string
  type?: TransactionType
  status?: TransactionStatus
  from?: string
  to?: string
  limit: number
}

export function registerTransactions(program: Command, { connectCompany, output }: Context): void {
  const group = program.command('transactions').description("card payments, with a company's API key")
  group
    .command('get')
    .description('show one card payment')
    .argument('<id>', 'id of the payment')
    .action(async (id: string) => {
      const transaction = await connectCompany().api.transactions.get(id)
      output().result(transaction, () => formatFields({ ...transaction }))
    })
  group
    .command('list')
    .description('list card payments')
    .option('--card <id>', 'only those of this card')
    .addOption(new Option('--type <type>', 'show only payments of this type').choices(TRANSACTION_TYPES))
    .addOption(new Option('--status <status>', 'only those with this status').choices(TRANSACTION_STATUSES))
    .option('--from <time>', 'only from this date or date-time on (UTC)')
    .option('--to <time>', 'only up to this date or date-time (UTC)')
    .addOption(limitOption())
    .action(async ({ card, limit, ...rest }: ListOptions) => {
      const filter: TransactionFilter = { ...rest, ...(card === undefined ? {} : { cardId: card }) }
      const { transactions } = connectCompany().api
      printList(output(), await take((query) => transactions.list({ ...filter, ...query }), limit), COLUMNS)
    })
}
