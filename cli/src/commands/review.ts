// `cardstock admin review …`: lists and shows what is in manual review, and decides it.
import type { CardChange, FundingInvoice, Operation, PaymentReview, Review, ReviewResolution } from '@cardstock/sdk'
import { Argument, type Command, Option } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<Review>[] = [
  { title: 'ID', cell: (review) => review.id },
  { title: 'OBJECT', cell: (review) => review.object },
  { title: 'ENVIRONMENT', cell: (review) => review.environment },
  { title: 'HELD', cell: (review) => review.heldAmount },
  { title: 'SINCE', cell: (review) => review.since },
  { title: 'TITLE', isText: true, cell: (review) => review.title },
  { title: 'REASONS', isText: true, cell: (review) => review.reasons },
  { title: 'COMPANY', cell: (review) => review.companyId },
  { title: 'COMPANY NAME', isText: true, cell: (review) => review.companyName },
]

export function registerReview(program: Command, context: Context): void {
  const group = program.command('review').description('what is in manual review, and deciding it')
  registerRead(group, context)
  registerResolve(group, context)
}

function registerRead(group: Command, { connect, output }: Context): void {
  group
    .command('list')
    .description('list what is in manual review, oldest first')
    .addOption(new Option('--environment <environment>', 'only this environment').choices(['sandbox', 'live']))
    .addOption(limitOption())
    .action(async ({ limit, environment }: { limit: number; environment?: Review['environment'] }) => {
      const { reviews } = connect()
      printList(output(), await take((query) => reviews.list({ ...query, environment }), limit), COLUMNS)
    })
  group
    .command('show')
    .alias('get')
    .description('show everything known about a review')
    .argument('<id>', 'id of the operation, invoice or payment in review')
    .action(async (id: string) => {
      const review = await connect().reviews.get(id)
      output().result(review, () => formatReview(review))
    })
}

interface ResolveOptions {
  reason: string
  evidence?: string
  receipt?: string
  card?: string
  last4?: string
  receivedAmount?: string
}

function registerResolve(group: Command, { connect, output }: Context): void {
  group
    .command('resolve')
    .description('record what happened; this cannot be undone')
    .argument('<id>', 'id of the operation, invoice or payment in review')
    .addArgument(new Argument('<outcome>', 'what happened').choices(['completed', 'failed', 'expired']))
    .requiredOption('--reason <reason>', 'why, for the audit log')
    .option('--evidence <text>', 'what the decision is based on')
    .option('--receipt <receipt>', "the issuer's receipt")
    .option('--card <id>', 'id for the card that an issue made')
    .option('--last4 <digits>', 'last four digits of the card that an issue made')
    .option('--received-amount <usdt>', 'USDT actually received for an invoice')
    .action(async (id: string, outcome: ReviewResolution['outcome'], { card, ...options }: ResolveOptions) => {
      const resolution = { outcome, ...options, ...(card === undefined ? {} : { cardId: card }) }
      const decided = await connect().reviews.resolve(id, resolution)
      output().result(decided, () => formatDecided(decided))
    })
}

function formatReview({ dossier, ...review }: Review): string {
  const head = formatFields({
    id: review.id,
    object: review.object,
    company: review.companyId,
    environment: review.environment,
    held: review.heldAmount,
    since: review.since,
    reasons: review.reasons,
    type: dossier.type,
    accepted: dossier.acceptedAt,
    claimed: dossier.claimedAt,
    request: JSON.stringify(dossier.request),
    ...(dossier.note === null ? {} : { note: dossier.note }),
  })
  return [head, ...dossier.exchanges.map(formatExchange)].join('\n\n')
}

function formatExchange(exchange: Review['dossier']['exchanges'][number]): string {
  return formatFields({
    [exchange.purpose]: `${exchange.outcome}, ${exchange.startedAt} to ${exchange.finishedAt ?? '?'}`,
    sent: JSON.stringify(exchange.sent),
    received: JSON.stringify(exchange.received),
  })
}

function formatDecided(decided: Operation | CardChange | FundingInvoice | PaymentReview): string {
  if ('cardId' in decided)
    return formatFields({
      id: decided.id,
      card: decided.cardId,
      status: decided.status,
      returned: decided.returnedAmount,
    })
  if ('type' in decided) return formatOperation(decided)
  return formatFields({
    id: decided.id,
    status: decided.status,
    deposit: decided.depositAmount,
    fee: decided.fee,
    credited: decided.status === 'completed' ? decided.creditAmount : null,
  })
}

function formatOperation(operation: Operation): string {
  return formatFields({
    id: operation.id,
    type: operation.type,
    status: operation.status,
    total: operation.total,
    card: operation.result.cardId,
    receipt: operation.result.receipt,
    failure: operation.failure?.message,
  })
}
