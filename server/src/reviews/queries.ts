// All SQL over everything that can be in review. What belongs to one kind of object is in that object's domain.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

export interface MeasuredReviews {
  object: 'operation' | 'card_change' | 'invoice' | 'payment'
  /** At most 10,000; more than that are not counted. */
  count: number
  oldest: Date | null
}

/** Across companies: how many reviews of each kind wait, and since when, for metrics and the doctor. */
export function measureReviews(db: Db) {
  return db.many<MeasuredReviews>(sql`
    select 'operation' as object, count(*)::int as count, min(since) as oldest
    from (
      select o.status_at as since from issuer_request q
      cross join lateral (
        select status_at from operation where company_id = q.company_id and environment = q.environment and id = q.id offset 0) o
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
