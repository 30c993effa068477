// Parses Stripe's answers into types. Each parser picks the fields that are needed and drops the rest. A parser returns undefined if the
// answer does not have the expected shape.
import { type Static, type TSchema, Type } from 'typebox'
import { parser } from '../../provider-kit/parse.ts'

export interface Card {
  readonly id: string
  readonly cardholder: string
  readonly status: 'active' | 'inactive' | 'canceled'
  readonly last4: string
  readonly token: string | undefined
  readonly currency: string
  /** In cents: the only limit, over the whole life of the card and on everything. Undefined if the limits are others. */
  readonly limit: bigint | undefined
  /** The limits for people, such as `2500 all_time`. */
  readonly limits: string
}

export interface Cardholder {
  readonly id: string
  readonly holder: string | undefined
  readonly status: string
  /** Why no card of the cardholder can pay; null if they can. */
  readonly disabledReason: string | null
  /** What Stripe still needs to know. */
  readonly pastDue: readonly string[]
  readonly created: number
}

export const Text = Type.String()
export const Integer = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
export const Seconds = Type.Integer({ minimum: 0, maximum: 100_000_000_000 })
/** Every id of Stripe, such as `ic_1GBZQJEEsyYlpYZ99v6rq38S`. */
export const Id = Type.String({ pattern: '^[a-z]{1,20}_\\w{1,100}$' })
/** A reference, which is the whole object if Stripe expands it. */
export const Reference = Type.Union([Id, Type.Object({ id: Id })])
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
const Metadata = Type.Record(Text, Text)

export function idOf(reference: Static<typeof Reference>): string {
  return typeof reference === 'string' ? reference : reference.id
}

const Limit = Type.Object({ amount: Integer, interval: Text, categories: nullable(Type.Array(Text)) })

export const parseCard = parser(
  Type.Object({
    id: Id,
    cardholder: Reference,
    status: Type.Enum(['active', 'inactive', 'canceled']),
    last4: Type.String({ pattern: '^\\d{4}$' }),
    currency: Text,
    metadata: Metadata,
    spending_controls: Type.Object({ spending_limits: nullable(Type.Array(Limit)) }),
  }),
  ({ id, cardholder, status, last4, currency, metadata, spending_controls: controls }): Card => {
    const limits = controls.spending_limits ?? []
    return {
      id,
      cardholder: idOf(cardholder),
      status,
      last4,
      currency,
      token: metadata['token'],
      limit: currency === 'usd' ? findOnlyLimit(limits) : undefined,
      limits: limits.map(({ amount, interval }) => `${amount} ${interval}`).join(', ') || 'no limit',
    }
  },
)

function findOnlyLimit(limits: readonly Static<typeof Limit>[]): bigint | undefined {
  const [limit, ...others] = limits
  if (limit === undefined || others.length > 0) return undefined
  const isOnEverything = (limit.categories ?? []).length === 0
  return limit.interval === 'all_time' && isOnEverything && limit.amount >= 0 ? BigInt(limit.amount) : undefined
}

export const parseCardholder = parser(
  Type.Object({
    id: Id,
    status: Text,
    metadata: Metadata,
    created: Seconds,
    requirements: Type.Object({ disabled_reason: nullable(Text), past_due: nullable(Type.Array(Text)) }),
  }),
  ({ id, status, metadata, created, requirements }): Cardholder => ({
    id,
    status,
    created,
    holder: metadata['holder'],
    disabledReason: requirements.disabled_reason ?? null,
    pastDue: requirements.past_due ?? [],
  }),
)

/** Returns what the operator can spend by cards, in cents; undefined in `available` if the account has no Issuing. */
export const parseBalance = parser(
  Type.Object({
    livemode: Type.Boolean(),
    issuing: Type.Optional(Type.Object({ available: Type.Array(Type.Object({ amount: Integer, currency: Text })) })),
  }),
  ({ livemode, issuing }) => {
    const dollars = issuing?.available.filter(({ currency }) => currency === 'usd') ?? []
    if (dollars.length > 1) return undefined
    return { isLive: livemode, available: dollars[0] === undefined ? undefined : BigInt(dollars[0].amount) }
  },
)

/** `subject` is what to read: the authorization of a transaction that has one, otherwise the object itself. */
export const parseEvent = parser(
  Type.Object({
    id: Id,
    created: Seconds,
    type: Text,
    data: Type.Object({
      object: Type.Object({ id: Id, object: Text, authorization: nullable(Reference) }),
    }),
  }),
  ({ id, created, type, data: { object } }) => ({
    id,
    created,
    type,
    subject:
      object.object === 'issuing.transaction' && object.authorization
        ? { id: idOf(object.authorization), object: 'issuing.authorization' }
        : { id: object.id, object: object.object },
  }),
)

export const parseError = parser(
  Type.Object({ error: Type.Object({ type: Type.Optional(Text), message: Type.Optional(Text) }) }),
  ({ error }) => error,
)
