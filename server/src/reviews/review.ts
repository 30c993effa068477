// A review: something whose outcome a person has to decide. Every kind of object that can be in review is a source;
// the operators' list merges them, and a decision goes to the source that owns the id's prefix.
import { type Static, type TSchema, Type } from 'typebox'
import type { Actor } from '../access/audit.ts'
import type { Permission } from '../access/permissions.ts'
import { ApiError } from '../errors.ts'
import type { Prefix } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import type { Page } from '../lib/page.ts'
import { USDT_PATTERN } from '../lib/usdt.ts'
import { Amount, EnvironmentSchema, nullable, object, Timestamp } from '../lib/wire.ts'

const text = (lengthMax: number, about: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: '\\S', description: about })

export const Review = object(
  {
    id: Type.String(),
    object: Type.Enum(['operation', 'invoice', 'payment', 'card_change']),
    invoiceId: Type.Optional(Type.String({ description: 'of a payment: the invoice that it came for' })),
    amount: Type.Optional(Type.String({ description: 'of a payment: USDT' })),
    companyId: Type.String(),
    environment: EnvironmentSchema,
    heldAmount: Amount,
    since: Timestamp,
    reasons: Type.Array(Type.String()),
    dossier: object({
      type: Type.String(),
      acceptedAt: Timestamp,
      claimedAt: nullable(Timestamp),
      request: Type.Record(Type.String(), Type.Unknown()),
      exchanges: Type.Array(
        object({
          purpose: Type.String(),
          sent: Type.Unknown(),
          received: Type.Unknown(),
          outcome: Type.String(),
          startedAt: Timestamp,
          finishedAt: nullable(Timestamp),
        }),
      ),
      payments: Type.Optional(
        Type.Array(
          object({ reference: Type.String(), amount: Type.String(), paidAt: Timestamp, recordedAt: Timestamp }),
        ),
      ),
      note: nullable(Type.String()),
    }),
  },
  'Review',
)
export type Review = Static<typeof Review>

/** What a person decides. Which fields beyond the first three mean something depends on the object. */
export const ReviewDecision = object({
  outcome: Type.Enum(['completed', 'failed', 'expired'], { description: 'expired is for invoices only' }),
  reason: text(2000, 'why it is decided so, 1 to 2000 characters'),
  evidence: Type.Optional(text(10_000, 'what it is decided on, 1 to 10000 characters')),
  cardId: Type.Optional(text(100, 'the id for the card that an issue made')),
  last4: Type.Optional(
    Type.String({ pattern: '^\\d{4}$', description: 'the four last digits of the card that an issue made' }),
  ),
  receipt: Type.Optional(text(255, "the issuer's receipt, 1 to 255 characters")),
  receivedAmount: Type.Optional(
    Type.String({ pattern: USDT_PATTERN, description: 'what was really received; up to six decimals for USDT' }),
  ),
})
export type ReviewDecision = Static<typeof ReviewDecision>

export interface ReviewSource {
  readonly prefix: Prefix
  /** The object as a decision answers with it. */
  readonly resource: TSchema
  /** What a sandbox key needs to decide one without an operator. */
  readonly permission: Permission
  /** Those in review, oldest first, after an id; at most `limit`. Ids of all sources are of one order: that of time. */
  list(page: Page): Promise<{ id: string; review: Review }[]>
  /** Undefined when it is not in review. */
  find(id: string): Promise<Review | undefined>
  /** The object after the decision. Not found outside `within`, when given; refused when it is not in review. */
  resolve(actor: Actor, id: string, decision: ReviewDecision, within?: Scope): Promise<unknown>
}

/** The outcome of anything but an invoice. */
export function requireNotExpired(decision: ReviewDecision): 'completed' | 'failed' {
  if (decision.outcome !== 'expired') return decision.outcome
  throw new ApiError('validation_failed', 'body.outcome expired is for invoices; decide completed or failed.')
}

/** Fields that mean nothing for this kind of object are refused rather than ignored. */
export function refuseFields(decision: ReviewDecision, names: readonly (keyof ReviewDecision)[]): void {
  for (const name of names) {
    if (decision[name] === undefined) continue
    throw new ApiError('validation_failed', `body.${name} does not belong to this kind of review; leave it out.`)
  }
}

export function findSource(sources: readonly ReviewSource[], wireId: string): ReviewSource | undefined {
  return sources.find((source) => wireId.startsWith(`${source.prefix}_`))
}

/** One list of all sources, in the order of their ids. */
export async function listReviews(sources: readonly ReviewSource[], page: Page) {
  const lists = await Promise.all(sources.map((source) => source.list(page)))
  return lists
    .flat()
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, page.limit)
}
