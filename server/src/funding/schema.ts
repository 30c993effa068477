// Funding invoices, and payments in review, as the API shows them. invoice_json.sql makes the same JSON for events.
import { type Static, Type } from 'typebox'
import { createdByField, Creator, parseCreator, showCreator } from '../access/creator.ts'
import {
  Amount,
  EnvironmentSchema,
  Failure,
  field,
  nullable,
  object,
  pageQuery,
  sortQuery,
  positiveAmount,
  Timestamp,
} from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import { formatMicros, USDT_PATTERN } from '../tron/usdt.ts'
import type { InvoiceRow, PaymentReviewRow } from './queries.ts'
import { INVOICE_STATUSES, REVIEW_REASONS } from './states.ts'

export const UsdtAmount = Type.String({
  pattern: USDT_PATTERN,
  hint: 'an amount of USDT with up to six decimals, such as "100.004711"',
  signHint: 'positive, without a sign: a payment only adds money',
  description: 'An amount of USDT with up to six decimals. Never round it.',
})

export const NewInvoice = object(
  {
    amount: field(
      positiveAmount('an invoice only adds money'),
      'The deposit in whole US dollars, at least 10. The fee of 1.5 % is deducted from it.',
    ),
  },
  'FundingInvoiceCreate',
  'An invoice to create.',
)

export const Invoice = object(
  {
    id: field(Type.String(), 'The id of the invoice, `inv_…`.'),
    environment: EnvironmentSchema,
    status: field(
      Type.Enum([...INVOICE_STATUSES]),
      'Where the invoice stands. Pay only while it is `pending`. In `manual_review` a person decides, and the reasons say why.',
    ),
    depositAmount: field(Amount, 'The deposit.'),
    fee: field(Amount, 'The fee, deducted from the deposit.'),
    creditAmount: field(Amount, 'What is credited: the deposit minus the fee.'),
    address: nullable(field(Type.String(), 'The TRON address to pay to. Null until the invoice is `pending`.')),
    payAmount: nullable(
      field(
        Type.String({ pattern: '^\\d+\\.\\d{6}$' }),
        'The exact amount of USDT to transfer, with six decimals. Never round it: the payment is recognised by it.',
      ),
    ),
    asset: field(Type.String(), 'Always `USDT`.'),
    network: field(Type.String(), 'Always `TRON`.'),
    expiresAt: nullable(field(Timestamp, 'The payment must arrive before this time.')),
    createdAt: field(Timestamp, 'When the invoice was created.'),
    payUrl: field(Type.String(), 'A page for the payer. Everyone who has the link can see it.'),
    reasons: field(Type.Array(Type.Enum([...REVIEW_REASONS])), 'Why the invoice is, or was, in `manual_review`.'),
    receivedAmount: nullable(field(Type.String(), 'How much USDT the issuer reported as received.')),
    failure: Type.Optional(field(Failure, 'Why the invoice failed. Only there when it did.')),
    createdBy: createdByField,
    cancelledBy: Type.Optional(
      field(
        Creator,
        'Who cancelled the invoice. Only there when it was cancelled; `expiresAt` is then the time of it.',
      ),
    ),
  },
  'FundingInvoice',
  'An invoice to fund the card account with USDT on TRON.',
)
export type Invoice = Static<typeof Invoice>

export const InvoiceQuery = object({
  ...pageQuery,
  sort: sortQuery,
  status: Type.Optional(field(Type.Enum([...INVOICE_STATUSES]), 'Only invoices with this status.')),
})

/** A payment that arrived after its invoice was closed, and the decision about it. */
export const Payment = object(
  {
    id: field(Type.String(), 'The id of the payment, `rev_…`.'),
    object: field(Type.Literal('payment'), 'Always `payment`.'),
    environment: EnvironmentSchema,
    status: field(Type.Enum(['manual_review', 'completed', 'failed']), 'What was decided about the payment.'),
    invoiceId: field(Type.String(), 'The invoice that the payment came for.'),
    amount: field(UsdtAmount, 'How much USDT arrived.'),
    depositAmount: nullable(field(Amount, 'The deposit that was made of it. Null unless it was credited.')),
    fee: nullable(field(Amount, 'The fee on the deposit. Null unless it was credited.')),
    creditAmount: nullable(field(Amount, 'What was credited. Null unless it was credited.')),
    createdAt: field(Timestamp, 'When the payment was recorded.'),
  },
  'Payment',
  'Money that arrived after its invoice was closed, and what was decided about it.',
)

export function toInvoice(row: InvoiceRow, payUrl: string): Invoice {
  return {
    id: formatId('inv', row.id),
    environment: row.environment,
    status: row.status,
    depositAmount: formatCents(row.deposit),
    fee: formatCents(row.fee),
    creditAmount: formatCents(row.deposit - row.fee),
    address: row.address,
    payAmount: row.pay_amount === null ? null : formatMicros(row.pay_amount),
    asset: 'USDT',
    network: 'TRON',
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    payUrl,
    reasons: row.reasons,
    receivedAmount: row.received === null ? null : formatMicros(row.received),
    ...(row.failure_code === null ? {} : { failure: { code: row.failure_code, message: row.failure_message ?? '' } }),
    ...showCreator(row.created_by),
    ...(row.cancelled_by === null ? {} : { cancelledBy: parseCreator(row.cancelled_by) }),
  }
}

const INVOICE_STEPS = [
  'created',
  'paid',
  'received',
  'cancelled',
  'expired',
  'manual_review',
  'credited',
  'failed',
] as const

const InvoiceStep = object(
  {
    step: field(
      Type.Enum([...INVOICE_STEPS]),
      'What happened. `paid`: the block of the payment; `received`: the issuer confirmed it.',
    ),
    at: field(Timestamp, 'When it happened.'),
    amount: Type.Optional(field(Type.String(), 'Of a payment, how much USDT; of a credit, how many US dollars.')),
    fee: Type.Optional(field(Amount, 'Of a credit: the fee that was deducted.')),
    reference: Type.Optional(field(Type.String(), "Of a payment: the issuer's id of it.")),
    transactionId: Type.Optional(
      field(Type.String(), 'Of a payment on TRON: the id of its transaction, if the issuer reported it.'),
    ),
    paymentId: Type.Optional(
      field(
        Type.String(),
        'Of money that came after the invoice was closed: the payment, `rev_…`, that was decided on its own.',
      ),
    ),
  },
  'InvoiceStep',
  'One step of an invoice.',
)
export type InvoiceStep = Static<typeof InvoiceStep>

export const InvoiceTimeline = object(
  { steps: field(Type.Array(InvoiceStep), 'What happened, from the first step to the last.') },
  'InvoiceTimeline',
  'What happened to an invoice.',
)

export function toPayment(row: PaymentReviewRow): Static<typeof Payment> {
  const { deposit, fee } = row
  const credit = deposit === null || fee === null ? null : { deposit, fee }
  return {
    id: formatId('rev', row.id),
    object: 'payment',
    environment: row.environment,
    status: row.status,
    invoiceId: formatId('inv', row.invoice_id),
    amount: formatMicros(row.amount),
    depositAmount: credit && formatCents(credit.deposit),
    fee: credit && formatCents(credit.fee),
    creditAmount: credit && formatCents(credit.deposit - credit.fee),
    createdAt: row.created_at.toISOString(),
  }
}
