// What was spent with cards, as the API shows it.
import { Type } from 'typebox'
import { cardNameFields } from '../../cards/schema.ts'
import { field, object, SignedAmount } from '../../lib/wire.ts'
import { SpendCategory } from '../schema.ts'

export const SPEND_GROUPS = ['month', 'card', 'holder', 'merchant', 'category'] as const
export type SpendGroup = (typeof SPEND_GROUPS)[number]

/** What fits on a page and in a file that people read. The rest is added up in `others`. */
export const SPEND_LIMIT_MAX = 1_000
const SPEND_LIMIT_DEFAULT = 100

const Day = Type.String({ maxLength: 10, format: 'date', hint: 'a date such as 2026-01-31' })

export const SpendQuery = object({
  by: field(Type.Enum([...SPEND_GROUPS]), 'What the payments are added up by.'),
  from: field(Day, 'The first UTC day, inclusive.'),
  to: field(Day, 'The last UTC day, inclusive. At most 366 days in all.'),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SPEND_LIMIT_MAX,
      default: SPEND_LIMIT_DEFAULT,
      hint: `a number from 1 to ${SPEND_LIMIT_MAX}`,
      description: 'How many rows to return at most.',
    }),
  ),
})

const sums = {
  count: field(Type.Integer(), 'How many payments there are.'),
  amount: field(SignedAmount, 'What was spent, in USD. Refunds lower it, so that it can be negative.'),
}

const SpendRow = object(
  {
    ...sums,
    month: Type.Optional(field(Type.String(), 'The UTC month, such as `2026-01`. Present with `by=month`.')),
    merchant: Type.Optional(
      field(Type.String(), 'The name of the merchant; empty when it is not known. Present with `by=merchant`.'),
    ),
    category: Type.Optional(field(SpendCategory, 'Present with `by=category`.')),
    ...cardNameFields,
  },
  'SpendRow',
  'The payments of one card, holder, merchant, category or month, added up.',
)

const SpendOthers = object(
  { groups: field(Type.Integer(), 'How many rows were left out.'), ...sums },
  'SpendOthers',
  'The rows that `limit` left out, added up.',
)

export const Spend = object(
  {
    ...sums,
    currency: field(Type.String(), 'Always `USD`.'),
    data: field(Type.Array(SpendRow), 'Months in their order; everything else with the largest amount first.'),
    others: Type.Union([SpendOthers, Type.Null()], { description: 'Null when no row was left out.' }),
  },
  'Spend',
  'What was spent with cards.',
)
