// What the simulated Stripe accepts: the parameters of its calls, all of them texts. Unknown fields, missing fields and wrong values are refused.
import { Type } from 'typebox'
import { object } from '../../../lib/wire.ts'

const Text = Type.String({ minLength: 1, maxLength: 500 })
const Cents = Type.String({ pattern: '^\\d{1,12}$' })
const Seconds = Type.String({ pattern: '^\\d{1,11}$' })
const Id = Type.String({ pattern: '^[a-z]{1,20}_\\w{1,100}$' })
const Name = Type.String({ pattern: "^[A-Za-zÀ-ÖØ-öø-ÿ.,' -]{1,24}$" })
const Metadata = Type.Record(Type.String({ pattern: '^\\w{1,40}$' }), Type.String({ maxLength: 500 }))
const Interval = Type.Enum(['all_time', 'daily', 'monthly', 'per_authorization', 'weekly', 'yearly'])

const paging = {
  limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$' })),
  starting_after: Type.Optional(Id),
  ending_before: Type.Optional(Id),
  created: Type.Optional(
    object({
      gt: Type.Optional(Seconds),
      gte: Type.Optional(Seconds),
      lt: Type.Optional(Seconds),
      lte: Type.Optional(Seconds),
    }),
  ),
}

export const NoQuery = object({})
export const HoldersQuery = object({ ...paging, email: Type.Optional(Text) })
export const CardsQuery = object({
  ...paging,
  cardholder: Type.Optional(Id),
  status: Type.Optional(Type.Enum(['active', 'inactive', 'canceled'])),
})
export const AuthorizationsQuery = object({
  ...paging,
  card: Type.Optional(Id),
  status: Type.Optional(Type.Enum(['pending', 'closed', 'reversed', 'expired'])),
})
export const TransactionsQuery = object({
  ...paging,
  card: Type.Optional(Id),
  type: Type.Optional(Type.Enum(['capture', 'refund'])),
})
export const EventsQuery = object({
  ...paging,
  types: Type.Optional(Type.Array(Text, { maxItems: 20 })),
})

const Address = object({
  line1: Text,
  line2: Type.Optional(Text),
  city: Text,
  state: Type.Optional(Text),
  postal_code: Text,
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
})
export const NewHolder = object({
  type: Type.Enum(['individual', 'company']),
  name: Name,
  email: Type.Optional(Type.String({ format: 'email' })),
  billing: object({ address: Address }),
  individual: Type.Optional(
    object({
      first_name: Type.Optional(Text),
      last_name: Type.Optional(Text),
      card_issuing: Type.Optional(
        object({ user_terms_acceptance: object({ date: Type.Optional(Seconds), ip: Type.Optional(Text) }) }),
      ),
    }),
  ),
  metadata: Type.Optional(Metadata),
})
const Controls = object({
  spending_limits: Type.Array(object({ amount: Cents, interval: Interval }), { minItems: 1 }),
})
export const NewCard = object({
  cardholder: Id,
  currency: Type.Enum(['usd']),
  type: Type.Enum(['virtual']),
  status: Type.Optional(Type.Enum(['active', 'inactive'])),
  spending_controls: Type.Optional(Controls),
  metadata: Type.Optional(Metadata),
})
export const CardUpdate = object({
  status: Type.Optional(Type.Enum(['active', 'inactive', 'canceled'])),
  spending_controls: Type.Optional(Controls),
  metadata: Type.Optional(Metadata),
})
