// All SQL on operations except accepting and settling, which belong to the ledger, and the company's list (lists/queries.ts).
import type { Db } from '../db/pool.ts'
import { aliased, fragment, planEachTime, sql } from '../db/sql.ts'
import type { AtOnce } from '../issuer/port.ts'
import type { Claimed, DueClaim } from '../issuer/requests/queries.ts'
import type { ReviewSlice } from '../lib/slice.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { OperationStatus } from './states.ts'

/** The columns of an OperationRow. */
export const OPERATION_COLUMNS = fragment`
  company_id, environment, id, type, status, amount, fee, product_id, holder_id, card_id, name, recipient, receipt, failure_code,
  failure_message, created_at, status_at, claimed_at, unsent_count, look_up_count, created_by`
export const ALIASED_OPERATION_COLUMNS = aliased('o', OPERATION_COLUMNS)

export interface OperationRow {
  company_id: string
  environment: Environment
  id: string
  type: 'issue' | 'topup' | 'service'
  status: OperationStatus
  amount: bigint
  fee: bigint
  product_id: string
  holder_id: string | null
  card_id: string | null
  name: string | null
  recipient: string | null
  receipt: string | null
  failure_code: string | null
  failure_message: string | null
  created_at: Date
  status_at: Date
  claimed_at: Date | null
  unsent_count: number
  look_up_count: number
  created_by: string | null
}

export function findOperation(db: Db, scope: Scope, id: string) {
  return db.find<OperationRow>(sql`
    select ${OPERATION_COLUMNS}
    from operation
    where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

/** With the key of the request that created it. */
export function findOperationWithKey(db: Db, scope: Scope, id: string) {
  return db.find<OperationRow & { idempotency_key: string }>(sql`
    select ${OPERATION_COLUMNS},
           idempotency_key
    from operation
    where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

export function findOperationByKey(db: Db, scope: Scope, idempotencyKey: string) {
  return db.find<Pick<OperationRow, 'id' | 'type' | 'amount' | 'fee' | 'created_at'> & { request_digest: Buffer }>(sql`
    select id, type, amount, fee, created_at, request_digest from operation
    where company_id = ${scope.companyId} and environment = ${scope.environment} and idempotency_key = ${idempotencyKey}`)
}

/** Where a claim begins, and how it divides what it takes between companies. */
export interface Turn {
  /** What each company gets before any gets more. */
  share: number
  /** The company that was served last. */
  after: string
  /** In the order of ids: the companies whose queue is read from a position on, and those positions in time. */
  companies: readonly string[]
  positions: readonly Date[]
}

/** The columns that are needed to carry an operation out. They are few on purpose: each is sent and read per operation. */
export type ClaimedOperation = Pick<
  OperationRow,
  | 'company_id'
  | 'environment'
  | 'id'
  | 'type'
  | 'amount'
  | 'product_id'
  | 'holder_id'
  | 'card_id'
  | 'name'
  | 'recipient'
  | 'unsent_count'
  | 'look_up_count'
  | 'created_at'
>

/** Across companies: the worker serves them all. At most 200 are claimed, whatever the limit says. */
export function claimOperations(db: Db, { environment, now, leaseUntil, limit }: DueClaim, turn: Turn) {
  const { share, after, companies, positions } = turn
  return db.many<ClaimedOperation>(sql`
    select company_id, environment, id, type, amount, product_id, holder_id, card_id, name, recipient, unsent_count, look_up_count,
           created_at
    from claim_operations(${environment}, ${now}, ${leaseUntil}, ${limit}, ${share}, ${after},
      ${companies}::uuid[], ${positions}::timestamptz[])`)
}

/** What a statement completed of a company's queue. */
export interface CompletedRow {
  company_id: string
  /** How many operations were due, and the latest time of them. */
  due: number
  last: Date
  /** How many of them stay in the queue. */
  left_out: number
}

/** Across companies: the worker serves them all. At most 200 are completed, whatever the limit says. */
export function completeOperations(
  db: Db,
  { environment, now, limit }: Omit<DueClaim, 'leaseUntil'>,
  turn: Turn,
  { exceptTexts, exceptAmounts }: AtOnce,
) {
  const { share, after, companies, positions } = turn
  return db.many<CompletedRow>(sql`
    select company_id, due, last, left_out
    from complete_operations(${environment}, ${now}, ${limit}, ${share}, ${after}, ${companies}::uuid[], ${positions}::timestamptz[],
      ${exceptTexts}::text[], ${exceptAmounts}::bigint[])`)
}

/** A position in the order of the companies, and how many operations of each type may be claimed. */
export interface TypeTurn {
  share: number
  after: string
  limits: ReadonlyMap<string, number>
}

/** Claims operations of some types only. `reached` is where the next claim starts. */
export async function claimOperationsOf(db: Db, { environment, now, leaseUntil, limit }: DueClaim, turn: TypeTurn) {
  const { share, after, limits } = turn
  const rows = await db.many<(ClaimedOperation | { id: null }) & { reached: string }>(sql`
    select reached, (claimed).company_id, (claimed).environment, (claimed).id, (claimed).type, (claimed).amount, (claimed).product_id,
           (claimed).holder_id, (claimed).card_id, (claimed).name, (claimed).recipient, (claimed).unsent_count,
           (claimed).look_up_count, (claimed).created_at
    from claim_operations_of(${environment}, ${now}, ${leaseUntil}, ${limit}, ${share}, ${after},
      ${[...limits.keys()]}::text[], ${[...limits.values()]}::integer[])`)
  const claimed = rows.filter((row) => row.id !== null)
  return { rows: claimed, reached: rows[0]?.reached ?? after }
}

/** Across companies: the worker serves them all. Returns what is needed to look claimed operations up. */
export function listClaimedOperations(db: Db, environment: Environment, claimed: Claimed) {
  return db.many<ClaimedOperation & { status_at: Date }>(
    planEachTime(sql`
      select company_id, environment, id, type, amount, product_id, holder_id, card_id, name, recipient, unsent_count,
             look_up_count, created_at, status_at
      from operation
      where company_id = any (${claimed.companyIds}::uuid[]) and environment = ${environment} and id = any (${claimed.ids}::uuid[])`),
  )
}

/** Across companies: an operator sees all reviews. */
export function listOperationsInReview(db: Db, slice: ReviewSlice) {
  return db.many<OperationRow>(sql`
    select ${ALIASED_OPERATION_COLUMNS}
    from issuer_request q join operation o on o.company_id = q.company_id and o.environment = q.environment and o.id = q.id
    where q.status = 'manual_review' and q.id > ${slice.after}
      and (${slice.environment ?? null}::environment is null or q.environment = ${slice.environment ?? null})
    order by q.id limit ${slice.limit}`)
}

/** Across companies: an operator names an operation by its id alone. */
export function findOperationAnywhere(db: Db, id: string) {
  return db.find<OperationRow>(sql`
    select ${ALIASED_OPERATION_COLUMNS}
    from account a join operation o on o.company_id = a.company_id and o.environment = a.environment and o.id = ${id}`)
}

/** How an operation ends that may have been sent. */
export interface OperationEnd {
  readonly status: 'completed' | 'failed'
  readonly receipt?: string
  /** The card that a completed issue creates. */
  readonly card?: { readonly id: string; readonly last4: string }
  readonly failure?: { readonly code: string; readonly message: string }
}

/** Across companies: how many operations are unfinished, and what they hold, for metrics. */
export function measureUnfinished(db: Db) {
  return db.many<{ environment: Environment; status: OperationStatus; count: number; held_dollars: number }>(sql`
    select environment, status, count(*)::int as count, (sum(held) / 100.0)::float8 as held_dollars
    from (
      (select environment, status, held from issuer_request where status = 'queued' limit 100000)
      union all
      (select environment, status, held from issuer_request
       where status = 'processing' and kind in ('issue', 'topup', 'service') limit 100000)
      union all
      (select environment, status, held from issuer_request
       where status = 'manual_review' and kind in ('issue', 'topup', 'service') limit 100000)
    ) o group by environment, status`)
}

/** Across companies: returns the companies whose queued operations have been due for longest, the longest first. */
export function measureDueQueues(db: Db, environment: Environment, now: Date, limit: number) {
  return db.many<{ company_id: string; due_at: Date }>(sql`
    select company_id, due_at from list_due_queues(${environment}, ${now}, ${limit})`)
}
