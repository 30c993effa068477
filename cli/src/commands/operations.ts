// `cardstock products`, `quote` and `operations …`: what a company buys, with its API key.
import {
  type Cardstock,
  CardstockError,
  type NewOperation,
  type Operation,
  OPERATION_STATUSES,
  OPERATION_TYPES,
  type OperationFilter,
  type Product,
  WaitTimeoutError,
} from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { EndUnknownError, EXIT, type ExitCode } from '../failure.ts'
import { limitOption, printList, sortOption, take } from '../list.ts'
import { type Column, formatFields, type Output } from '../output.ts'
import type { Context } from '../context.ts'

const PRODUCT_COLUMNS: readonly Column<Product>[] = [
  { title: 'ID', cell: (product) => product.id },
  { title: 'KIND', cell: (product) => product.kind },
  { title: 'FEE', cell: ({ pricing }) => describeFee(pricing) },
  { title: 'MINIMUM', cell: ({ pricing }) => pricing.minimumAmount },
  { title: 'MAXIMUM', cell: ({ pricing }) => pricing.maximumAmount },
  { title: 'PRICE', cell: ({ pricing }) => pricing.fixedPrice },
  { title: 'NAME', isText: true, cell: (product) => product.name },
]

const OPERATION_COLUMNS: readonly Column<Operation>[] = [
  { title: 'ID', cell: (operation) => operation.id },
  { title: 'TYPE', cell: (operation) => operation.type },
  { title: 'STATUS', cell: (operation) => operation.status },
  { title: 'AMOUNT', cell: (operation) => operation.amount },
  { title: 'FEE', cell: (operation) => operation.fee },
  { title: 'TOTAL', cell: (operation) => operation.total },
  { title: 'CREATED', cell: (operation) => operation.createdAt },
  { title: 'CARD', cell: (operation) => operation.result.cardId },
  { title: 'TITLE', isText: true, cell: (operation) => operation.title },
]

function describeFee({ flatFee, rate }: Product['pricing']): string {
  return [flatFee, rate === null ? null : `× ${rate}`].filter((part) => part !== null).join(' + ')
}

export function registerOperations(program: Command, context: Context): void {
  registerPrices(program, context)
  const group = program.command('operations').description('issue cards, top them up, order services')
  registerCreate(group, context)
  registerRead(group, context)
  registerWatch(group, context)
}

function registerPrices(program: Command, { connectCompany, output }: Context): void {
  program
    .command('products')
    .description('list what can be ordered, and what it costs')
    .action(async () => {
      printList(output(), await connectCompany().api.products.list(), PRODUCT_COLUMNS)
    })
  withOperation(program.command('quote').description('show what an operation would cost; nothing is reserved')).action(
    async (options: OperationOptions) => {
      const quote = await connectCompany().api.quotes.create(toOperation(options))
      output().result(quote, () => formatFields({ ...quote }))
    },
  )
}

interface OperationOptions {
  type: NewOperation['type']
  amount: string
  product?: string
  holder?: string
  card?: string
  recipient?: string
  name?: string
  expectedTotal?: string
}

function withOperation(command: Command): Command {
  return command
    .addOption(new Option('--type <type>', 'kind of operation').choices(OPERATION_TYPES).makeOptionMandatory())
    .requiredOption('--amount <amount>', 'amount in USD, such as 25.00')
    .option('--product <id>', 'product, for an issue or a service')
    .option('--holder <id>', 'holder of the new card, for an issue')
    .option('--card <id>', 'card, for a topup')
    .option('--recipient <text>', 'recipient, for a service')
    .option('--name <text>', 'label of the new card, for an issue')
    .option('--expected-total <amount>', 'refuse if the total differs from this')
}

/** The server checks which fields belong to which type, so that the rules are in one place. */
function toOperation({ product, holder, card, ...options }: OperationOptions): NewOperation {
  const { type, amount, recipient, name, expectedTotal } = options
  const fields = { type, amount, recipient, name, expectedTotal, productId: product, holderId: holder, cardId: card }
  return fields as NewOperation
}

function registerCreate(group: Command, { connectCompany, output, fail }: Context): void {
  withOperation(group.command('create').description('create an operation; its total is reserved at once'))
    .option('--idempotency-key <key>', 'repeat a request whose answer was lost; carried out at most once')
    .option('--wait', 'wait until it is completed, failed or in manual review')
    .action(
      async ({ idempotencyKey, wait, ...options }: OperationOptions & { idempotencyKey?: string; wait?: true }) => {
        const { operations } = connectCompany().api
        const accepted = await operations.create(toOperation(options), { idempotencyKey })
        const out = output()
        if (wait !== true) return print(out, accepted)
        const { id } = accepted
        out.note(`${id} was accepted. Ctrl-C ends the waiting, not the operation.`)
        const ended = await waitForEnd(operations, id, out).catch((error: unknown) => {
          // Whoever runs this must not lose the id of what was ordered.
          print(out, accepted)
          throw new EndUnknownError(`${id} was accepted, and its end could not be read`, id, error)
        })
        print(out, ended)
        fail(exitCodeOf(ended))
      },
    )
}

interface ListOptions extends Pick<OperationFilter, 'type' | 'status' | 'from' | 'to' | 'idempotencyKey' | 'sort'> {
  card?: string
  limit: number
}

function registerRead(group: Command, { connectCompany, output }: Context): void {
  group
    .command('get')
    .alias('show')
    .description('show one operation')
    .argument('<id>', 'id of the operation')
    .action(async (id: string) => print(output(), await connectCompany().api.operations.get(id)))
  group
    .command('list')
    .description('list operations')
    .addOption(new Option('--type <type>', 'only this kind').choices(OPERATION_TYPES))
    .addOption(new Option('--status <status>', 'only those with this status').choices(OPERATION_STATUSES))
    .option('--card <id>', 'only those of this card')
    .option('--from <time>', 'only from this date or date-time on (UTC)')
    .option('--to <time>', 'only up to this date or date-time (UTC)')
    .option('--idempotency-key <key>', 'show only the operation with this key')
    .addOption(sortOption())
    .addOption(limitOption())
    .action(async ({ card, limit, ...rest }: ListOptions) => {
      const { operations } = connectCompany().api
      const fetch = (query: object) => operations.list({ ...rest, cardId: card, ...query })
      printList(output(), await take(fetch, limit), OPERATION_COLUMNS)
    })
}

function registerWatch(group: Command, { connectCompany, output, fail }: Context): void {
  group
    .command('watch')
    .description('wait until an operation is completed, failed or in manual review; the exit code tells which')
    .argument('<id>', 'id of the operation')
    .action(async (id: string) => {
      const { operations } = connectCompany().api
      const ended = await waitForEnd(operations, id, output()).catch((error: unknown) => {
        if (isRefusalOfId(error)) throw error
        throw new EndUnknownError(`The end of ${id} could not be read`, id, error)
      })
      print(output(), ended)
      fail(exitCodeOf(ended))
    })
}

/** Then there is no such operation for this key, and nothing goes on that could be waited for. */
function isRefusalOfId(error: unknown): boolean {
  return error instanceof CardstockError && /^(?:not_found|validation_failed|invalid_argument)$/.test(error.code)
}

/** How long one look takes at most; waiting ends by itself only when the operation does. */
const LOOK_MS = 10_000

async function waitForEnd(operations: Cardstock['operations'], id: string, out: Output): Promise<Operation> {
  for (;;) {
    try {
      return await operations.waitFor(id, { timeoutMs: LOOK_MS })
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error
      out.note(`Still ${String(error.details?.['status'])}; Ctrl-C ends the waiting, not the operation.`)
    }
  }
}

function exitCodeOf({ status }: Operation): ExitCode {
  if (status === 'manual_review') return EXIT.undecided
  return status === 'failed' ? EXIT.failed : EXIT.done
}

function print(output: Output, operation: Operation): void {
  const { result, failure, ...rest } = operation
  output.result(operation, () =>
    formatFields({
      id: rest.id,
      type: rest.type,
      status: rest.status,
      amount: rest.amount,
      fee: rest.fee,
      total: rest.total,
      card: result.cardId,
      receipt: result.receipt,
      ...(failure === undefined ? {} : { failure: `${failure.code}: ${failure.message}` }),
      created: rest.createdAt,
    }),
  )
}
