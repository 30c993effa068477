// All SQL over everything that can be in review. What belongs to one kind of object is in that object's domain.
import type { ActorKind, AuditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Scope } from '../lib/scope.ts'

export type ReviewedObject = 'operation' | 'card_change' | 'invoice' | 'payment'

/** What the end of an object consists of. Amounts are texts, because numbers in JSON are not exact. */
export type EndTerms = Readonly<Record<string, string | null>> & { readonly status: string }

export interface ObjectResolution {
  readonly from: readonly string[]
  readonly terms: EndTerms
  readonly now: Date
  readonly record: AuditRecord
}

/** Returns a verdict of resolve_review. */
export function resolveObject(
  db: Db,
  scope: Scope,
  { object, id }: { object: ReviewedObject; id: string },
  { from, terms, now, record }: ObjectResolution,
) {
  return db.find<{ verdict: string | null }>(sql`
    select resolve_review(${scope.companyId}, ${now}, ${scope.environment}, ${object}, ${id}, ${from}, ${terms}, ${record}) as verdict`)
}

export interface DecisionRow {
  action: string
  actor: string
  actor_kind: ActorKind | null
  actor_id: string | null
  actor_name: string | null
  details: Record<string, unknown>
  created_at: Date
}

/** Returns the record of the decision that ended the review of an object, by a person or by the issuer's own report. */
export function findDecision(db: Db, object: string) {
  return db.find<DecisionRow>(sql`
    select action, actor, actor_kind, actor_id, actor_name, details, created_at from audit_log
    where object = ${object} and action in ('review.completed', 'review.failed', 'review.expired', 'issuer.completed', 'issuer.failed')
    order by id desc limit 1`)
}

export interface MeasuredReviews {
  object: ReviewedObject
  /** At most 10,000; more than that are not counted. */
  count: number
  oldest: Date | null
}

/** Across companies: how many reviews of each kind wait, and since when, for metrics and the doctor. */
export function measureReviews(db: Db) {
  return db.many<MeasuredReviews>(sql`
    select 'operation' as object, count(*)::int as count, min(since) as oldest
    from (
      select o.status_at as since
      from issuer_request q join operation o on o.company_id = q.company_id and o.environment = q.environment and o.id = q.id
      where q.status = 'manual_review' order by q.id limit 10000) r
    union all
    select 'card_change', count(*)::int, min(since)
    from (select status_at as since from card_change where status = 'manual_review' order by id limit 10000) r
    union all
    select 'invoice', count(*)::int, min(since)
    from (select status_at as since from invoice where status = 'manual_review' order by id limit 10000) r
    union all
    select 'payment', count(*)::int, min(since)
    from (select created_at as since from payment_review where status = 'manual_review' order by id limit 10000) r`)
}
