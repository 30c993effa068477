// All SQL that reads cards, but that of their list. SQL functions write them: settling operations creates and loads cards, transactions move their
// balance, and card changes set their status.
import type { Db } from '../db/pool.ts'
import { fragment, sql } from '../db/sql.ts'
import type { Scope } from '../lib/scope.ts'
import type { CardStatus, WantedStatus } from './states.ts'

/** The columns of a CardRow. */
export const CARD_COLUMNS = fragment`id, holder_id, product_id, name, last4, status, pending_status, balance, created_at`

export interface CardRow {
  id: string
  holder_id: string
  product_id: string
  name: string
  last4: string
  status: CardStatus
  pending_status: WantedStatus | null
  balance: bigint
  created_at: Date
}

export function findCard(db: Db, scope: Scope, id: string) {
  return db.find<CardRow>(sql`
    select ${CARD_COLUMNS} from card
    where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

export interface CardNameRow {
  id: string
  name: string
  last4: string
  holder_id: string
  holder_name: string
}

/** Returns what to call these cards and their holders. Each is looked up by its whole key; see operations/lists/queries.ts. */
export function listCardNames(db: Db, scope: Scope, ids: readonly string[]) {
  return db.many<CardNameRow>(sql`
    select c.id, c.name, c.last4, c.holder_id, h.name as holder_name
    from unnest(${ids}::uuid[]) as w (id)
    cross join lateral (
      select id, name, last4, holder_id from card
      where company_id = ${scope.companyId} and environment = ${scope.environment} and id = w.id offset 0
    ) c
    cross join lateral (
      select name from holder
      where company_id = ${scope.companyId} and environment = ${scope.environment} and id = c.holder_id offset 0
    ) h`)
}

/** Naming the companies besides the join tells a distributed database which nodes to ask. */
export function findCardProducts(db: Db, wanted: readonly { scope: Scope; cardId: string }[]) {
  return db.many<{ company_id: string; environment: string; id: string; product_id: string }>(sql`
    select c.company_id, c.environment, c.id, c.product_id
    from unnest(${wanted.map(({ scope }) => scope.companyId)}::uuid[], ${wanted.map(({ scope }) => scope.environment)}::environment[],
                ${wanted.map(({ cardId }) => cardId)}::uuid[]) as w (company_id, environment, id)
    join card c on c.company_id = w.company_id and c.environment = w.environment and c.id = w.id
    where c.company_id = any(${[...new Set(wanted.map(({ scope }) => scope.companyId))]}::uuid[])`)
}

/** A company's cards are few beside its payments: a hundred thousand take about thirty milliseconds. */
export function addCards(db: Db, scope: Scope) {
  return db.many<{ status: CardStatus; count: number; balance: bigint }>(sql`
    select status, count(*)::integer as count, sum(balance)::bigint as balance from card
    where company_id = ${scope.companyId} and environment = ${scope.environment}
    group by status`)
}
