// The one way to end what has waited for its outcome: an operator's decision ends a review, and so does the issuer's own late report.
// The change and its record in the audit log are one statement.
import { type Actor, auditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, type Prefix } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Environment } from '../lib/scope.ts'
import { type EndTerms, resolveObject, type ReviewedObject } from './queries.ts'

interface ResolvableRow {
  readonly company_id: string
  readonly environment: Environment
  readonly id: string
}

export interface Resolvable<Row extends ResolvableRow, End extends { status: string }> {
  readonly prefix: Prefix
  readonly object: ReviewedObject
  /** Returns what the end of this object consists of, as the database function takes it. */
  termsOf(row: Row, end: End): EndTerms
  /** Returns the refusal that an error of the database means for this kind, or undefined if it means none. */
  refusalOf?(error: unknown): Error | undefined
}

interface Resolution<End> {
  readonly actor: Actor
  readonly from: readonly string[]
  readonly end: End
  /** What decided: the audit log says `review.failed` or `issuer.failed`. */
  readonly by: 'review' | 'issuer'
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * Ends the object if its status is one of `from`. Returns `resolved`, the status if it is another one, `changed` if the object differs
 * from what the end was based on, or null if there is no such object.
 */
export async function resolve<Row extends ResolvableRow, End extends { status: string }>(
  { db, clock }: { db: Db; clock: Clock },
  kind: Resolvable<Row, End>,
  row: Row,
  { actor, from, end, by, details }: Resolution<End>,
): Promise<string | null> {
  const { object, prefix } = kind
  const scope = { companyId: row.company_id, environment: row.environment }
  const record = auditRecord(clock, actor, {
    action: `${by}.${end.status}`,
    object: formatId(prefix, row.id),
    details,
  })
  const change = { from, terms: kind.termsOf(row, end), now: clock.now(), record }
  const resolving = resolveObject(db, scope, { object, id: row.id }, change)
  const { verdict } = must(
    await resolving.catch((error: unknown) => {
      throw kind.refusalOf?.(error) ?? error
    }),
  )
  return verdict
}
