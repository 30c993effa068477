// Card payments on the wire.
import { type Static, Type } from 'typebox'
import { Amount, instantQuery, object, pageQuery, SignedAmount, Timestamp } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { TransactionRow } from './queries.ts'
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from './states.ts'

/** As long as what a card network sends, with room. */
const MERCHANT_LENGTH_MAX = 255
const DESCRIPTION_LENGTH_MAX = 255

export const Transaction = object(
  {
    id: Type.String(),
    cardId: Type.String(),
    reference: Type.String({ description: "the issuer's id of the payment" }),
    type: Type.Enum([...TRANSACTION_TYPES]),
    status: Type.Enum([...TRANSACTION_STATUSES]),
    amount: SignedAmount,
    currency: Type.String({ description: 'ISO 4217' }),
    merchant: Type.String(),
    country: Type.String({ description: 'ISO 3166-1 alpha-2, or empty when it is not known' }),
    description: Type.String(),
    occurredAt: Timestamp,
  },
  'Transaction',
)

export const TransactionQuery = object({
  ...pageQuery,
  cardId: Type.Optional(Type.String({ maxLength: 100 })),
  type: Type.Optional(Type.Enum([...TRANSACTION_TYPES])),
  status: Type.Optional(Type.Enum([...TRANSACTION_STATUSES])),
  from: Type.Optional(instantQuery),
  to: Type.Optional(instantQuery),
})

const text = (lengthMax: number) =>
  Type.String({ maxLength: lengthMax, description: `a text of at most ${lengthMax} characters` })

export const NewTransaction = object(
  {
    cardId: Type.String({ minLength: 1, maxLength: 100, description: 'the id of a card' }),
    type: Type.Enum([...TRANSACTION_TYPES]),
    amount: Amount,
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'a currency code such as "USD"' })),
    merchant: Type.Optional(text(MERCHANT_LENGTH_MAX)),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'a country code such as "DE"' })),
    description: Type.Optional(text(DESCRIPTION_LENGTH_MAX)),
    status: Type.Optional(Type.Enum([...TRANSACTION_STATUSES])),
  },
  'NewSandboxTransaction',
)

export function toTransaction(row: TransactionRow): Static<typeof Transaction> {
  return {
    id: formatId('txn', row.id),
    cardId: formatId('card', row.card_id),
    reference: row.issuer_id,
    type: row.type,
    status: row.status,
    amount: formatCents(row.amount),
    currency: row.currency,
    merchant: row.merchant,
    country: row.country,
    description: row.description,
    occurredAt: row.occurred_at.toISOString(),
  }
}
