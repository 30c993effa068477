// Card payments as the API shows and takes them.
import { type Static, Type } from 'typebox'
import { type CardNames, cardNameFields } from '../cards/schema.ts'
import {
  field,
  INSTANT_NOTE,
  instantQuery,
  MerchantCategory,
  nullable,
  object,
  pageQuery,
  positiveAmount,
  printableText,
  searchQuery,
  SignedAmount,
  sortQuery,
  Timestamp,
} from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import { CATEGORY_IDS, categoryOf } from './rules.ts'
import type { TransactionRow } from './queries.ts'
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from './states.ts'

/** Longer than anything a card network sends. */
const MERCHANT_LENGTH_MAX = 255
const DESCRIPTION_LENGTH_MAX = 255

export const SpendCategory = object(
  {
    id: field(Type.Enum([...CATEGORY_IDS]), 'The group. Groups may be added.'),
    name: field(Type.String(), 'What the group is called.'),
  },
  'SpendCategory',
  'What the merchant sells. `other` has the categories of no other group; `unknown` is where the issuer did not say.',
)

export const Transaction = object(
  {
    id: field(Type.String(), 'The id of the transaction, `txn_…`.'),
    cardId: field(Type.String(), 'The card that was used.'),
    reference: field(Type.String(), "The issuer's id of the payment."),
    type: field(Type.Enum([...TRANSACTION_TYPES]), 'What kind of movement it is.'),
    status: field(
      Type.Enum([...TRANSACTION_STATUSES]),
      '`pending` can still change. `declined` was refused and moved no money.',
    ),
    amount: field(SignedAmount, 'The amount in `currency`. Debits are negative.'),
    currency: field(Type.String({ pattern: '^[A-Z]{3}$' }), 'The currency, ISO 4217.'),
    merchant: field(Type.String(), 'The name of the merchant. Empty when it is not known.'),
    country: field(
      Type.String({ pattern: '^([A-Z]{2})?$' }),
      'The country of the merchant, ISO 3166-1 alpha-2. Empty when it is not known.',
    ),
    merchantCategory: field(
      nullable(MerchantCategory),
      'The category of the merchant (MCC), ISO 18245: four digits. Null when it is not known.',
    ),
    category: Type.Optional(field(SpendCategory, 'The group that `merchantCategory` belongs to. Not in events.')),
    description: field(Type.String(), 'What the network says about the payment. Empty when it says nothing.'),
    occurredAt: field(Timestamp, 'When the payment was made.'),
    ...cardNameFields,
  },
  'Transaction',
  'A payment with a card, or another movement on it.',
)

const filters = {
  cardId: Type.Optional(field(Type.String({ maxLength: 100 }), 'Only transactions of this card.')),
  type: Type.Optional(field(Type.Enum([...TRANSACTION_TYPES]), 'Only transactions of this type.')),
  status: Type.Optional(field(Type.Enum([...TRANSACTION_STATUSES]), 'Only transactions with this status.')),
  category: Type.Optional(
    field(Type.Enum([...CATEGORY_IDS]), 'Only transactions whose merchant belongs to this group.'),
  ),
  q: Type.Optional(
    field(
      searchQuery,
      'Only transactions whose merchant, or the last four digits of whose card, begin with this. At least two characters; upper and lower case are the same.',
    ),
  ),
  from: Type.Optional(field(instantQuery, `Only transactions that occurred from this time on. ${INSTANT_NOTE}`)),
  to: Type.Optional(field(instantQuery, `Only transactions that occurred until this time. ${INSTANT_NOTE}`)),
}

export const TransactionQuery = object({ ...pageQuery, sort: sortQuery, ...filters })
export const TotalsQuery = object(filters)

const TransactionTotal = object(
  {
    type: field(Type.Enum([...TRANSACTION_TYPES]), 'The type of these transactions.'),
    status: field(Type.Enum([...TRANSACTION_STATUSES]), 'Their status.'),
    currency: field(Type.String({ pattern: '^[A-Z]{3}$' }), 'Their currency, ISO 4217.'),
    count: field(Type.Integer(), 'How many there are.'),
    amount: field(SignedAmount, 'The sum of their amounts. Debits are negative.'),
  },
  'TransactionTotal',
  'Transactions of one type, status and currency, added up.',
)

export const TransactionTotals = object(
  {
    data: field(
      Type.Array(TransactionTotal),
      'One object for each combination of type, status and currency that occurs. Empty when no transaction matches.',
    ),
  },
  'TransactionTotals',
  'The sums of card payments.',
)

const text = (lengthMax: number, description: string) => field(printableText(lengthMax, 'a text'), description)

export const NewTransaction = object(
  {
    cardId: Type.String({ minLength: 1, maxLength: 100, hint: 'the id of a card', description: 'The card to use.' }),
    type: field(Type.Enum([...TRANSACTION_TYPES]), 'What kind of movement it is. It decides the sign of the amount.'),
    amount: field(
      positiveAmount('`type` decides the direction, and money that comes back is a `refund`'),
      'The amount, without a sign.',
    ),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        hint: 'a currency code such as "USD"',
        description: 'The currency: a code of ISO 4217 that is in use. The default is `USD`.',
      }),
    ),
    merchant: Type.Optional(
      text(
        MERCHANT_LENGTH_MAX,
        'The name of the merchant. The default is an invented one, but for fees and adjustments.',
      ),
    ),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        hint: 'a country code such as "DE"',
        description:
          'The country of the merchant, ISO 3166-1 alpha-2. The default is that of the invented merchant, and none if you name the merchant.',
      }),
    ),
    merchantCategory: Type.Optional(
      field(
        MerchantCategory,
        'The category of the merchant (MCC), ISO 18245: four digits. The default suits the merchant: `6011` for a withdrawal, and `5999` if you name the merchant.',
      ),
    ),
    description: Type.Optional(text(DESCRIPTION_LENGTH_MAX, 'What the network says about the payment.')),
    status: Type.Optional(
      field(Type.Enum([...TRANSACTION_STATUSES]), 'The status to begin with. The default is `settled`.'),
    ),
  },
  'SandboxTransactionCreate',
  'A card payment to simulate.',
)

/** As events have it: without names and the group, which change, while an event never does. */
export function toTransactionData(row: TransactionRow): Static<typeof Transaction> {
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
    merchantCategory: row.merchant_category,
    description: row.description,
    occurredAt: row.occurred_at.toISOString(),
  }
}

export function toTransaction(row: TransactionRow & { names?: CardNames }): Static<typeof Transaction> {
  return { ...toTransactionData(row), category: categoryOf(row.merchant_category), ...row.names }
}
