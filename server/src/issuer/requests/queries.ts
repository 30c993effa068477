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

/** A request that is due for a look-up. Columns that its kind does not have are null. */
export interface DueRequest {
  company_id: string
  environment: Environment
  id: string
  kind: Exclude<CallKind, 'look_up'>
  amount: bigint | null
  product_id: string | null
  holder_id: string | null
  card_id: string | null
  name: string | null
  recipient: string | null
  wanted: string | null
  unsent_count: number
  look_up_count: number
  created_at: Date
  /** Since when its outcome has been open. */
  status_at: Date
}

/** Across companies: the worker serves them all. */
export function claimLookUps(
  db: Db,
  { environment, now, leaseUntil, limit }: DueClaim,
  kinds: readonly DueRequest['kind'][],
) {
  return db.many<DueRequest>(sql`
    select company_id, environment, id, kind, amount, product_id, holder_id, card_id, name, recipient, wanted, unsent_count, look_up_count,
           created_at, status_at
    from claim_look_ups(${environment}, ${now}, ${leaseUntil}, ${limit}, ${kinds})`)
}
