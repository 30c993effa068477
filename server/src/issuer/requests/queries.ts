// All SQL over requests to an issuer of every kind. What belongs to one kind is in its domain.
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { Environment } from '../../lib/scope.ts'
import type { CallKind } from '../lines.ts'

/** What a claim takes: requests of one issuer that are due now, and that nobody else takes before the lease ends. */
export interface DueClaim {
  readonly environment: Environment
  readonly now: Date
  readonly leaseUntil: Date
  /** At most 200 are claimed, whatever this says. */
  readonly limit: number
}

/** A request that is due for a look-up. */
export interface DueRequest {
  company_id: string
  id: string
  kind: Exclude<CallKind, 'look_up'>
}

/** Requests of one kind that were claimed: one company and one id each. */
export interface Claimed {
  readonly companyIds: readonly string[]
  readonly ids: readonly string[]
}

/** Across companies: the worker serves them all. */
export function claimLookUps(
  db: Db,
  { environment, now, leaseUntil, limit }: DueClaim,
  kinds: readonly DueRequest['kind'][],
) {
  return db.many<DueRequest>(sql`
    select company_id, id, kind from claim_look_ups(${environment}, ${now}, ${leaseUntil}, ${limit}, ${kinds})`)
}
