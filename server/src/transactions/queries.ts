// All SQL on card payments. Only record_transaction writes them.
import type { Db } from '../db/pool.ts'
import { planEachTime, sql } from '../db/sql.ts'
import type { Page } from '../lib/page.ts'
import type { Scope } from '../lib/scope.ts'
import type { TransactionStatus, TransactionType } from './states.ts'

export interface TransactionRow {
  id: string
  card_id: string
  issuer_id: string
  type: TransactionType
  status: TransactionStatus
  amount: bigint
  currency: string
  merchant: string
  country: string
  description: string
  occurred_at: Date
}

export function findTransaction(db: Db, scope: Scope, id: string) {
  return db.find<TransactionRow>(sql`
    select id, card_id, issuer_id, type, status, amount, currency, merchant, country, description, occurred_at from transaction
    where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

export interface TransactionFilter {
  cardId: string | undefined
  type: string | undefined
  status: string | undefined
  from: Date | null
  until: Date | null
}

/** Bounds before and after every payment. Not null, because a nullable bound keeps the planner from using the index. */
const EARLIEST = new Date('0001-01-01T00:00:00Z')
const LATEST = new Date('9999-12-31T23:59:59.999Z')

export function listTransactions(db: Db, scope: Scope, filter: TransactionFilter, page: Page) {
  return db.many<TransactionRow>(
    planEachTime(sql`
      select id, card_id, issuer_id, type, status, amount, currency, merchant, country, description, occurred_at from transaction
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and (occurred_at, id) < (${page.afterTime}, ${page.after}::uuid)
        and occurred_at >= ${filter.from ?? EARLIEST} and occurred_at < ${filter.until ?? LATEST}
        and (${filter.cardId}::uuid is null or card_id = ${filter.cardId})
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.status}::text is null or status = ${filter.status})
      order by occurred_at desc, id desc limit ${page.limit}`),
  )
}

export interface TotalRow {
  type: TransactionType
  status: TransactionStatus
  currency: string
  count: number
  amount: bigint
}

/** One row per type, status and currency: a few dozen at most, because cards are used in few currencies. */
export function addTransactions(db: Db, scope: Scope, filter: TransactionFilter) {
  return db.many<TotalRow>(
    planEachTime(sql`
      select type, status, currency, count(*)::integer as count, sum(amount)::bigint as amount from transaction
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and occurred_at >= ${filter.from ?? EARLIEST} and occurred_at < ${filter.until ?? LATEST}
        and (${filter.cardId}::uuid is null or card_id = ${filter.cardId})
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.status}::text is null or status = ${filter.status})
      group by type, status, currency order by type, status, currency`),
  )
}

export interface NewTransaction {
  id: string
  issuerId: string
  cardId: string
  type: TransactionType
  status: TransactionStatus
  amount: bigint
  currency: string
  cardAmount: bigint
  merchant: string
  country: string
  description: string
  occurredAt: Date
  authorise: boolean
}

export function recordTransaction(db: Db, scope: Scope, now: Date, reported: NewTransaction) {
  return db.find<TransactionRow & { verdict: 'created' | 'updated' | 'unchanged' }>(sql`
    select r.verdict, (r.recorded).id, (r.recorded).card_id, (r.recorded).issuer_id, (r.recorded).type, (r.recorded).status,
           (r.recorded).amount, (r.recorded).currency, (r.recorded).merchant, (r.recorded).country, (r.recorded).description,
           (r.recorded).occurred_at
    from record_transaction(
      ${scope.companyId}, ${now}, ${scope.environment}, ${reported.id}, ${reported.issuerId}, ${reported.cardId}, ${reported.type},
      ${reported.status}, ${reported.amount}, ${reported.currency}, ${reported.cardAmount}, ${reported.merchant}, ${reported.country},
      ${reported.description}, ${reported.occurredAt}, ${reported.authorise}) r`)
}
