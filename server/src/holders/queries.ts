// All SQL on cardholders but that of their list.
import type { AuditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { fragment, planEachTime, sql } from '../db/sql.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { HOLDER_ERASURES, HOLDER_KINDS, HOLDER_STATUSES } from './schema.ts'

/** The columns of a HolderRow. */
export const HOLDER_COLUMNS = fragment`id, name, email, kind, status, external_id, erasure`

export interface HolderRow {
  id: string
  name: string
  email: string
  kind: (typeof HOLDER_KINDS)[number]
  status: (typeof HOLDER_STATUSES)[number]
  external_id: string | null
  erasure: (typeof HOLDER_ERASURES)[number] | null
}

export interface NewHolderRow extends Omit<HolderRow, 'erasure'> {
  idempotency_key: string | null
  request_digest: Buffer | null
  created_at: Date
}

/** Returns undefined if the idempotency key is taken: an earlier request made the holder. */
export function insertHolder(db: Db, scope: Scope, holder: NewHolderRow) {
  return db.find<HolderRow>(sql`
    insert into holder (company_id, environment, id, name, email, kind, status, external_id, idempotency_key, request_digest, created_at)
    values (${scope.companyId}, ${scope.environment}, ${holder.id}, ${holder.name}, ${holder.email}, ${holder.kind}, ${holder.status},
            ${holder.external_id}, ${holder.idempotency_key}, ${holder.request_digest}, ${holder.created_at})
    on conflict (company_id, environment, idempotency_key) where idempotency_key is not null do nothing
    returning ${HOLDER_COLUMNS}`)
}

export function findHolderByKey(db: Db, scope: Scope, idempotencyKey: string) {
  return db.find<HolderRow & { request_digest: Buffer | null }>(sql`
    select ${HOLDER_COLUMNS}, request_digest from holder
    where company_id = ${scope.companyId} and environment = ${scope.environment} and idempotency_key = ${idempotencyKey}`)
}

/** Adds a holder for an operator. Returns undefined if there is no such company. */
export function insertHolderByOperator(
  db: Db,
  scope: Scope,
  holder: Omit<NewHolderRow, 'idempotency_key' | 'request_digest'>,
  log: AuditRecord,
) {
  return db.find<HolderRow>(sql`
    with made as (
      insert into holder (company_id, environment, id, name, email, kind, status, external_id, created_at)
      select c.id, ${scope.environment}, ${holder.id}, ${holder.name}, ${holder.email}, ${holder.kind}, ${holder.status},
             ${holder.external_id}, ${holder.created_at}
      from company c where c.id = ${scope.companyId}
      returning company_id, ${HOLDER_COLUMNS}
    )
    select made.*, record_audit(made.company_id, ${log}) from made`)
}

/** Returns undefined if there is no such holder, or if it is erased. */
export function updateHolderStatus(db: Db, scope: Scope, id: string, status: HolderRow['status'], log: AuditRecord) {
  return db.find<HolderRow>(sql`
    select ${HOLDER_COLUMNS}
    from update_holder_status(${scope.companyId}, ${scope.environment}, ${id}, ${status}, ${log})`)
}

export interface HolderChange {
  name?: string | undefined
  email?: string | undefined
  /** Null removes it. */
  externalId?: string | null | undefined
}

/**
 * Returns undefined if there is no such holder, or if it is erased. Another name in live has to be approved again, so that nobody gets a card
 * by the approval of somebody else.
 */
export function updateHolder(db: Db, scope: Scope, id: string, change: HolderChange, log: AuditRecord) {
  const { name = null, email = null, externalId } = change
  return db.find<HolderRow>(sql`
    select ${HOLDER_COLUMNS}
    from update_holder(${scope.companyId}, ${scope.environment}, ${id}, ${name}, ${email}, ${externalId !== undefined}, ${externalId ?? null},
                       ${log})`)
}

export function findHolder(db: Db, scope: Scope, id: string) {
  return db.find<HolderRow>(sql`
    select ${HOLDER_COLUMNS} from holder
    where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

/** Returns what to call these holders. Each is looked up by its whole key. */
export function listHolderNames(db: Db, scope: Scope, ids: readonly string[]) {
  return db.many<Pick<HolderRow, 'id' | 'name'>>(sql`
    select h.id, h.name
    from unnest(${ids}::uuid[]) as w (id)
    cross join lateral (
      select id, name from holder
      where company_id = ${scope.companyId} and environment = ${scope.environment} and id = w.id offset 0
    ) h`)
}

/** Across companies: the worker serves them all. Returns the named holders: one company and one id each. */
export function listHoldersOf(
  db: Db,
  environment: Environment,
  { companyIds, ids }: { companyIds: readonly string[]; ids: readonly string[] },
) {
  return db.many<Pick<HolderRow, 'id' | 'name' | 'email' | 'kind'> & { company_id: string }>(
    planEachTime(sql`
      select company_id, id, name, email, kind
      from holder
      where company_id = any (${companyIds}::uuid[]) and environment = ${environment} and id = any (${ids}::uuid[])`),
  )
}

/** `blocking` is the id of the card or operation that is in the way. */
export type ErasureVerdict =
  | { verdict: 'begun' | 'already' | 'busy' }
  | { verdict: 'card_open' | 'change_open' | 'operation_open'; blocking: string }

/** Returns undefined if there is no such holder. */
export function beginErasure(
  db: Db,
  scope: Scope,
  now: Date,
  erasure: { holderId: string; openLimit: number; log: AuditRecord },
) {
  return db.find<ErasureVerdict>(sql`
    select verdict, blocking from erase_holder(
      ${scope.companyId}, ${now}, ${scope.environment}, ${erasure.holderId}, ${erasure.openLimit}, ${erasure.log})`)
}

/** Across companies: the job goes on with whichever erasure is due. */
export function continueErasure(db: Db, now: Date, settledAt: Date) {
  return db.find<{ more: boolean }>(sql`select continue_erasure(${now}, ${settledAt}) as more`)
}
