// Parses Lithic's answers into types. Each parser picks the fields that are needed and drops the rest, because an answer about a card may
// have its number and CVV in it. A parser returns undefined if the answer does not have the expected shape.
import { Type } from 'typebox'
import { type Parse, parser } from '../../provider-kit/parse.ts'

export interface Card {
  readonly token: string
  readonly accountToken: string
  readonly memo: string
  readonly state: 'CLOSED' | 'OPEN' | 'PAUSED' | 'PENDING_ACTIVATION' | 'PENDING_FULFILLMENT'
  readonly substatus: string | null
  readonly last4: string
  readonly limit: bigint
  readonly limitDuration: string
}

export interface AccountHolder {
  readonly token: string
  readonly accountToken: string | undefined
  readonly externalId: string | undefined
  /** ACCEPTED, or why the holder cannot have cards. */
  readonly status: string
  readonly created: string
}

export interface Transfer {
  readonly token: string
  readonly status: string
  readonly result: 'APPROVED' | 'DECLINED'
  readonly from: string
  readonly to: string
  readonly settled: bigint
  readonly isShortOfFunds: boolean
}

const Text = Type.String()
export const Integer = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

export const parseCard = parser(
  Type.Object({
    token: Uuid,
    account_token: Text,
    memo: Type.Optional(Text),
    state: Type.Enum(['CLOSED', 'OPEN', 'PAUSED', 'PENDING_ACTIVATION', 'PENDING_FULFILLMENT']),
    substatus: Type.Optional(Type.Union([Text, Type.Null()])),
    last_four: Type.String({ pattern: '^\\d{4}$' }),
    spend_limit: Integer,
    spend_limit_duration: Text,
  }),
  (card): Card => ({
    token: card.token,
    accountToken: card.account_token,
    memo: card.memo ?? '',
    state: card.state,
    substatus: card.substatus ?? null,
    last4: card.last_four,
    limit: BigInt(card.spend_limit),
    limitDuration: card.spend_limit_duration,
  }),
)

export const parseHolder = parser(
  Type.Object({
    token: Uuid,
    account_token: Type.Optional(Uuid),
    external_id: Type.Optional(Text),
    exemption_type: Type.Optional(Text),
    status: Type.Optional(Text),
    verification_application: Type.Optional(Type.Object({ status: Type.Optional(Text) })),
    created: Type.Optional(Text),
  }),
  (holder): AccountHolder => ({
    token: holder.token,
    accountToken: holder.account_token,
    externalId: holder.external_id,
    status: holder.verification_application?.status ?? holder.status ?? statusOfExempt(holder.exemption_type),
    created: holder.created ?? '',
  }),
)

/** A holder who is exempt from identification has nothing that could be pending. */
function statusOfExempt(exemption: string | undefined): string {
  return exemption === undefined ? 'not stated' : 'ACCEPTED'
}

export const parseTransfer = parser(
  Type.Object({
    token: Uuid,
    status: Text,
    result: Type.Enum(['APPROVED', 'DECLINED']),
    from_financial_account_token: Uuid,
    to_financial_account_token: Uuid,
    settled_amount: Integer,
    events: Type.Array(Type.Object({ detailed_results: Type.Array(Text) })),
  }),
  (transfer): Transfer => ({
    token: transfer.token,
    status: transfer.status,
    result: transfer.result,
    from: transfer.from_financial_account_token,
    to: transfer.to_financial_account_token,
    settled: BigInt(transfer.settled_amount),
    isShortOfFunds: transfer.events.some((event) => event.detailed_results.includes('FUNDS_INSUFFICIENT')),
  }),
)

/** Returns what can be spent, in cents: without what is held for open authorisations. */
export const parseAvailable = parser(
  Type.Object({ data: Type.Array(Type.Object({ available_amount: Integer, currency: Text })) }),
  ({ data }) => {
    const [balance, ...others] = data.filter(({ currency }) => currency === 'USD')
    return balance === undefined || others.length > 0 ? undefined : BigInt(balance.available_amount)
  },
)

/** The limit over the whole life of a card, and what of it is left, in cents. */
export const parseSpendLimits = parser(
  Type.Object({
    available_spend_limit: Type.Object({ forever: Integer }),
    spend_limit: Type.Object({ forever: Integer }),
  }),
  (answer) => ({
    limit: BigInt(answer.spend_limit.forever),
    available: BigInt(answer.available_spend_limit.forever),
  }),
)

export const parseEvent = parser(
  Type.Object({
    token: Type.String({ minLength: 1, maxLength: 60 }),
    created: Text,
    event_type: Text,
    payload: Type.Object({ token: Type.Optional(Uuid), card_token: Type.Optional(Uuid) }),
  }),
  ({ token, created, event_type: type, payload }) => {
    const createdMs = parseTimeMs(created)
    if (Number.isNaN(createdMs)) return undefined
    return { token, createdMs, type, transactionToken: payload.token, cardToken: payload.card_token }
  },
)

/** The first thing that every answer of an error says, for people. */
export const parseErrorMessage = parser(Type.Object({ message: Text }), ({ message }) => message)

export const parseAnything: Parse<true> = () => true

/** Times without a zone are in UTC. NaN if the text is not a time. */
export function parseTimeMs(text: string): number {
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text.replace(' ', 'T')}Z`)
}
