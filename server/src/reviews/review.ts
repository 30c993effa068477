// A review: something whose outcome a person has to decide. Every kind of object that can be in review is a source;
// the operators' list merges them, and a decision goes to the source that owns the id's prefix.
import { type Static, type TSchema, Type } from 'typebox'
import type { Actor } from '../access/audit.ts'
import type { Permission } from '../access/permissions.ts'
import { ApiError } from '../errors.ts'
import type { Prefix } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import type { ReviewSlice } from '../lib/slice.ts'
import { USDT_PATTERN } from '../tron/usdt.ts'
import { Amount, EnvironmentSchema, field, nullable, object, Timestamp, visibleText } from '../lib/wire.ts'

const Exchange = object(
  {
    purpose: field(Type.String(), '`request` or `look_up`.'),
    sent: field(Type.Unknown(), 'What was sent to the issuer.'),
    received: field(Type.Unknown(), 'What came back.'),
    outcome: field(Type.String(), 'What the answer was taken for.'),
    startedAt: field(Timestamp, 'When the call began.'),
    finishedAt: nullable(field(Timestamp, 'When the call ended.')),
  },
  'IssuerExchange',
  'One call of the issuer and its answer.',
)

const ReceivedPayment = object(
  {
    reference: field(Type.String(), "The issuer's id of the payment."),
    amount: field(Type.String(), 'How much USDT arrived.'),
    paidAt: field(Timestamp, 'When the block was made.'),
    recordedAt: field(Timestamp, 'When the server learned of it.'),
  },
  'ReceivedPayment',
  'A payment of an invoice that the issuer reported.',
)

const Dossier = object(
  {
    type: field(Type.String(), 'What kind of request it is.'),
    acceptedAt: field(Timestamp, 'When the request was accepted.'),
    claimedAt: nullable(field(Timestamp, 'When a worker began to carry it out.')),
    request: field(Type.Record(Type.String(), Type.Unknown()), 'What was asked for.'),
    names: field(Type.Record(Type.String(), Type.String()), 'What the ids in `request` are called now.'),
    exchanges: field(Type.Array(Exchange), 'Every call of the issuer, oldest first.'),
    payments: Type.Optional(field(Type.Array(ReceivedPayment), 'Of an invoice: the payments that arrived.')),
    note: nullable(field(Type.String(), 'What to know before deciding.')),
  },
  'ReviewDossier',
  'Everything that is known: what was sent, what came back, and when.',
)

const Decision = object(
  {
    outcome: field(Type.Enum(['completed', 'failed', 'expired']), 'What was decided.'),
    by: field(Type.String(), 'Who decided, with what they were called then. `issuer` if its own late report did.'),
    byId: nullable(field(Type.String(), 'The id of the person or token. Null for the issuer.')),
    at: field(Timestamp, 'When it was decided.'),
    reason: nullable(field(Type.String(), 'Why. Null for the issuer.')),
    evidence: nullable(field(Type.String(), 'What the decision is based on, if that was said.')),
  },
  'ReviewOutcome',
  'How a review ended.',
)

export const Review = object(
  {
    id: field(Type.String(), 'The id of the object that is in review.'),
    object: field(Type.Enum(['operation', 'invoice', 'payment', 'card_change']), 'What kind of object it is.'),
    invoiceId: Type.Optional(field(Type.String(), 'Of a payment: the invoice that it came for.')),
    amount: Type.Optional(field(Type.String(), 'Of a payment: how much USDT arrived.')),
    title: field(Type.String(), 'What it is in words, such as “Virtual card for Ada Lovelace”, with the names of now.'),
    companyId: field(Type.String(), 'The company.'),
    companyName: field(Type.String(), 'The name of the company.'),
    environment: EnvironmentSchema,
    heldAmount: field(Amount, 'What is, or was, held until the decision.'),
    since: field(Timestamp, 'Since when it has been in review. Of a decided one, when it was decided.'),
    reasons: field(Type.Array(Type.String()), 'Why it is, or was, in review.'),
    dossier: Dossier,
    decision: Type.Optional(field(Decision, 'How it ended. Only there when it is no longer in review.')),
  },
  'Review',
  'Something whose outcome a person has to decide.',
)
export type Review = Static<typeof Review>

/** A person's decision. The object determines which fields after the first three are allowed. */
export const ReviewDecision = object(
  {
    outcome: field(Type.Enum(['completed', 'failed', 'expired']), 'What happened. `expired` is for invoices only.'),
    reason: field(visibleText(2000, 'a reason'), 'Why it is decided this way, for the audit log.'),
    evidence: Type.Optional(
      field(visibleText(10_000, 'a text'), "What the decision is based on, such as the issuer's answer."),
    ),
    cardId: Type.Optional(
      field(visibleText(100, 'the id for the card that was issued'), 'The id for the card that was issued.'),
    ),
    last4: Type.Optional(
      Type.String({
        pattern: '^\\d{4}$',
        hint: 'the last four digits of the card that was issued',
        description: 'The last four digits of the card that was issued. Needed to complete an issue.',
      }),
    ),
    receipt: Type.Optional(field(visibleText(255, 'a receipt'), "The issuer's receipt.")),
    receivedAmount: Type.Optional(
      Type.String({
        pattern: USDT_PATTERN,
        hint: 'an amount with up to six decimals',
        description: 'What was really received: US dollars for a card, USDT for an invoice or a payment.',
      }),
    ),
  },
  'ReviewDecision',
  'What a person decides. Which fields have a meaning depends on the object.',
)
export type ReviewDecision = Static<typeof ReviewDecision>

/** The schema of what a decision returns: the object of any source. */
export function resolvedObject(sources: readonly ReviewSource[]): TSchema {
  return Type.Unsafe({
    title: 'ResolvedObject',
    oneOf: sources.map((source) => source.resource),
    description: 'The object that was in review, after the decision.',
  })
}

export interface ReviewSource {
  readonly prefix: Prefix
  /** The object as a decision answers with it. */
  readonly resource: TSchema
  /** What a sandbox key needs to decide one without an operator. */
  readonly permission: Permission
  /** Returns objects in review after an id, oldest first, at most `limit`. Ids of all sources sort by time. */
  list(page: ReviewSlice): Promise<{ id: string; review: Review }[]>
  /** Undefined when it never was in review. */
  find(id: string): Promise<Review | undefined>
  /** Returns the object after the decision. Not found outside `within`, if given; refused if it is not in review. */
  resolve(actor: Actor, id: string, decision: ReviewDecision, within?: Scope): Promise<unknown>
}

/** The outcome of anything but an invoice. */
export function requireNotExpired(decision: ReviewDecision): 'completed' | 'failed' {
  if (decision.outcome !== 'expired') return decision.outcome
  throw new ApiError('validation_failed', 'body.outcome expired is for invoices; decide completed or failed.', {
    param: 'outcome',
  })
}

/** Refuses fields that do not apply to this kind of object instead of ignoring them. */
export function refuseFields(decision: ReviewDecision, names: readonly (keyof ReviewDecision)[]): void {
  for (const name of names) {
    if (decision[name] === undefined) continue
    throw new ApiError('validation_failed', `body.${name} does not belong to this kind of review; leave it out.`, {
      param: name,
    })
  }
}

export function findSource(sources: readonly ReviewSource[], wireId: string): ReviewSource | undefined {
  return sources.find((source) => wireId.startsWith(`${source.prefix}_`))
}

/** One list of all sources, in the order of their ids. */
export async function listReviews(sources: readonly ReviewSource[], page: ReviewSlice) {
  const lists = await Promise.all(sources.map((source) => source.list(page)))
  return lists
    .flat()
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, page.limit)
}
