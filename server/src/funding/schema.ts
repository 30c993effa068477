// Funding invoices, and payments in review, on the wire. invoice_json.sql makes the same for events.
import { type Static, Type } from 'typebox'
import { Amount, EnvironmentSchema, nullable, object, pageQuery, Timestamp } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import { formatMicros, USDT_PATTERN } from '../lib/usdt.ts'
import type { InvoiceRow, PaymentReviewRow } from './queries.ts'
import { INVOICE_STATUSES, REVIEW_REASONS } from './states.ts'

export const UsdtAmount = Type.String({
  pattern: USDT_PATTERN,
  description: 'an amount of USDT with up to six decimals, such as "100.004711"',
})

export const NewInvoice = object({ amount: Amount })

export const Invoice = object(
  {
    id: Type.String(),
    environment: EnvironmentSchema,
    status: Type.Enum([...INVOICE_STATUSES]),
    depositAmount: Amount,
    fee: Amount,
    creditAmount: Amount,
    address: nullable(Type.String({ description: 'the TRON address to pay to' })),
    payAmount: nullable(
      Type.String({ description: 'the exact amount of USDT to transfer, six decimals; never round it' }),
    ),
    asset: Type.String(),
    network: Type.String(),
    expiresAt: nullable(Timestamp),
    createdAt: Timestamp,
    payUrl: Type.String({ description: 'a page for the payer; whoever has the link can see it' }),
    reasons: Type.Array(Type.Enum([...REVIEW_REASONS]), { description: 'why it is, or was, in manual review' }),
    receivedAmount: nullable(Type.String({ description: 'USDT that the issuer reported as received' })),
    failure: Type.Optional(object({ code: Type.String(), message: Type.String() })),
  },
  'FundingInvoice',
)
export type Invoice = Static<typeof Invoice>

export const InvoiceQuery = object({ ...pageQuery, status: Type.Optional(Type.Enum([...INVOICE_STATUSES])) })

/** Money that came after its invoice was closed, and what was decided about it. */
export const Payment = object(
  {
    id: Type.String(),
    object: Type.Literal('payment'),
    environment: EnvironmentSchema,
    status: Type.Enum(['manual_review', 'completed', 'failed']),
    invoiceId: Type.String(),
    amount: UsdtAmount,
    depositAmount: nullable(Amount),
    fee: nullable(Amount),
    creditAmount: nullable(Amount),
    createdAt: Timestamp,
  },
  'Payment',
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
  }
}

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
