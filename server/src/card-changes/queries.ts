// All SQL on changes of a card's status. The functions in sql/functions/card-changes do the writing.
import type { CardStatus, WantedStatus } from '../cards/states.ts'
import type { Db } from '../db/pool.ts'
import { planEachTime, sql } from '../db/sql.ts'
import type { Claimed } from '../issuer/requests/queries.ts'
import type { ReviewSlice, Slice } from '../lib/slice.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { CardChangeStatus } from './states.ts'

export interface CardChangeRow {
  company_id: string
  environment: Environment
  id: string
  card_id: string
  wanted: WantedStatus
  status: CardChangeStatus
  returned: bigint | null
  failure_code: string | null
  failure_message: string | null
  created_at: Date
  status_at: Date
  look_up_count: number
  created_by: string | null
}

export interface NewCardChange {
  id: string
  cardId: string
  wanted: WantedStatus
  from: readonly CardStatus[]
  dueAt: Date
  /** Who asks for it, as access/creator.ts writes it. */
  createdBy?: string
}

/** Returns a verdict of begin_card_change, or null if there is no such card. */
export function beginCardChange(db: Db, scope: Scope, now: Date, change: NewCardChange) {
  return db.find<{ verdict: 'begun' | 'already' | 'same' | 'other' | 'refused' | 'topup_open' | null }>(sql`
    select begin_card_change(${scope.companyId}, ${now}, ${scope.environment}, ${change.id}, ${change.cardId}, ${change.wanted},
      ${change.from}, ${change.dueAt}, ${change.createdBy ?? null}) as verdict`)
}

export interface CardChangeSettlement {
  status: CardChangeStatus
  returned: bigint | null
  failure: { code: string; message: string } | null
  dueAt: Date | null
  /** How many look-ups were answered; null leaves the number as it is. */
  lookUps: number | null
}

export function settleCardChange(db: Db, scope: Scope, id: string, now: Date, settlement: CardChangeSettlement) {
  const { status, returned, failure, dueAt, lookUps } = settlement
  return db.find<{ moved: boolean }>(sql`
    select settle_card_change(${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${status}, ${returned},
      ${failure?.code ?? null}, ${failure?.message ?? null}, ${dueAt}, ${lookUps}) as moved`)
}

export function findCardChange(db: Db, scope: Scope, id: string) {
  return db.find<CardChangeRow>(sql`
    select company_id, environment, id, card_id, wanted, status, returned, failure_code, failure_message, created_at,
           status_at, look_up_count, created_by
    from card_change where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

/** Returns the changes of one card, newest first. */
export function listChangesOfCard(db: Db, scope: Scope, cardId: string, slice: Slice) {
  return db.many<CardChangeRow>(sql`
    select company_id, environment, id, card_id, wanted, status, returned, failure_code, failure_message, created_at,
           status_at, look_up_count, created_by
    from card_change
    where company_id = ${scope.companyId} and environment = ${scope.environment} and card_id = ${cardId} and id < ${slice.after}
    order by id desc limit ${slice.limit}`)
}

/** Across companies: an operator names a change by its id alone. */
export function findCardChangeAnywhere(db: Db, id: string) {
  return db.find<CardChangeRow>(sql`
    select c.company_id, c.environment, c.id, c.card_id, c.wanted, c.status, c.returned, c.failure_code, c.failure_message,
           c.created_at, c.status_at, c.look_up_count, c.created_by
    from account a join card_change c on c.company_id = a.company_id and c.environment = a.environment and c.id = ${id}`)
}

/** Across companies: the worker serves them all. Returns what is needed to look claimed changes up. */
export function listClaimedCardChanges(db: Db, environment: Environment, claimed: Claimed) {
  return db.many<
    Pick<CardChangeRow, 'company_id' | 'environment' | 'id' | 'card_id' | 'wanted' | 'look_up_count' | 'status_at'>
  >(
    planEachTime(sql`
      select company_id, environment, id, card_id, wanted, look_up_count, status_at
      from card_change
      where company_id = any (${claimed.companyIds}::uuid[]) and environment = ${environment} and id = any (${claimed.ids}::uuid[])`),
  )
}

/** Across companies: an operator sees all reviews. */
export function listCardChangesInReview(db: Db, slice: ReviewSlice) {
  return db.many<CardChangeRow>(sql`
    select company_id, environment, id, card_id, wanted, status, returned, failure_code, failure_message, created_at,
           status_at, look_up_count, created_by
    from card_change where status = 'manual_review' and id > ${slice.after}
      and (${slice.environment ?? null}::environment is null or environment = ${slice.environment ?? null})
    order by id limit ${slice.limit}`)
}

/** How a change ends that may have been sent. */
export type CardChangeEnd = Pick<CardChangeSettlement, 'returned' | 'failure'> & { status: 'completed' | 'failed' }

/** Returns `found: false` if there is no such card. */
export function reportCardStatus(
  db: Db,
  scope: Scope,
  report: { cardId: string; status: string; balance: bigint | null; now: Date },
) {
  return db.find<{ found: boolean }>(sql`
    select report_card_status(
      ${scope.companyId}, ${report.now}, ${scope.environment}, ${report.cardId}, ${report.status}, ${report.balance}) as found`)
}
