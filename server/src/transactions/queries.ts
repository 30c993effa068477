// All SQL on card payments. Only record_transaction writes them.
import type { Db } from '../db/pool.ts'
import { planEachTime, sql } from '../db/sql.ts'
import { ApiError } from '../errors.ts'
import { ZERO_ID } from '../lib/ids.ts'
import { LAST_CHARACTER, searchList } from '../lib/search.ts'
import { EARLIEST_TIME, isAscending, LATEST_TIME, NEWEST_ID, type Slice } from '../lib/slice.ts'
import type { Scope } from '../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../lib/windows.ts'
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
  merchant_category: string | null
  description: string
  occurred_at: Date
}

export function findTransaction(db: Db, scope: Scope, id: string) {
  return db.find<TransactionRow>(sql`
    select id, card_id, issuer_id, type, status, amount, currency, merchant, country, merchant_category, description, occurred_at from transaction
    where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

export interface TransactionFilter {
  cardId: string | undefined
  type: string | undefined
  status: string | undefined
  from: Date | null
  until: Date | null
  /** Codes of merchant categories, as rangesOf returns them. */
  codes?: string | undefined
  /** The beginning of the merchant's name, or of the last four digits of the card. */
  q?: string | undefined
}

/** Before and after every payment. Not null, because a nullable bound keeps the planner from using the index. */
const START = { id: ZERO_ID, occurred_at: EARLIEST_TIME }
const END = { id: NEWEST_ID, occurred_at: LATEST_TIME }

/** A card, every type but the usual one and every status but the usual one have an index, but two of them together have none. */
export function listTransactions(
  db: Db,
  scope: Scope,
  filter: TransactionFilter,
  slice: Slice,
): Promise<TransactionRow[]> {
  const { limit, sort } = slice
  const isUpward = isAscending(sort)
  const after = startWithin(filter, { id: slice.after, occurred_at: slice.afterTime }, isUpward)
  if (filter.q !== undefined)
    return searchTransactions(db, scope, { ...filter, q: filter.q }, { isUpward, after, end: undefined, limit })
  const indexed = indexedPart(filter)
  if (isSame(filter, indexed)) return readTransactions(db, scope, filter, { isUpward, after, end: undefined, limit })
  return readInWindows({
    after,
    limit,
    findEnd: (from) => findAhead(db, scope, indexed, { after: from, rows: WINDOW_ROWS, isUpward }),
    read: (from, end, most) => readTransactions(db, scope, filter, { isUpward, after: from, end, limit: most }),
  })
}

function searchTransactions(db: Db, scope: Scope, filter: TransactionFilter & { q: string }, window: Window) {
  const indexed = indexedPart(filter)
  return searchList({
    ...window,
    findIds: (most) => findTransactionIds(db, scope, filter.q, most),
    readFound: (ids) => readTransactions(db, scope, filter, { ...window, ids }),
    findEnd: (after) => findAhead(db, scope, indexed, { after, rows: WINDOW_ROWS, isUpward: window.isUpward }),
    readWindow: (after, end, limit) => readTransactions(db, scope, filter, { ...window, after, end, limit }),
  })
}

/** The cards are found first, and then the payments with each. */
function findTransactionIds(db: Db, scope: Scope, q: string, limit: number) {
  return db.many<{ id: string }>(
    planEachTime(sql`
      (select id from transaction
       where company_id = ${scope.companyId} and environment = ${scope.environment}
         and lower(merchant) collate "C" >= lower(${q}) and lower(merchant) collate "C" < lower(${q}) || ${LAST_CHARACTER}::text
       order by lower(merchant) collate "C", id limit ${limit})
      union all
      (select t.id from (
         select id from card
         where company_id = ${scope.companyId} and environment = ${scope.environment}
           and last4 collate "C" >= ${q} and last4 collate "C" < ${q} || ${LAST_CHARACTER}::text
         order by last4 collate "C", id limit ${limit}
       ) c
       cross join lateral (
         select id from transaction
         where company_id = ${scope.companyId} and environment = ${scope.environment} and card_id = c.id
         order by occurred_at desc, id desc limit ${limit}
       ) t
       limit ${limit})`),
  )
}

/** Moves a position to the edge of the days that are asked for, so that the index is read from there. */
function startWithin({ from, until }: TransactionFilter, after: Position, isUpward: boolean): Position {
  const edge = isUpward ? from : until
  if (edge === null || (isUpward ? after.occurred_at >= edge : after.occurred_at < edge)) return after
  return { id: ZERO_ID, occurred_at: edge }
}

type Position = Pick<TransactionRow, 'id' | 'occurred_at'>

/** Returns the part of a filter that one index serves. */
function indexedPart({ cardId, type, status, from, until }: TransactionFilter): TransactionFilter {
  const none = { cardId: undefined, type: undefined, status: undefined, from, until }
  if (cardId !== undefined) return { ...none, cardId }
  if (status !== undefined && status !== 'settled') return { ...none, status }
  if (type !== undefined && type !== 'purchase') return { ...none, type }
  return none
}

const isSame = (a: TransactionFilter, b: TransactionFilter) =>
  a.cardId === b.cardId && a.type === b.type && a.status === b.status && a.codes === b.codes

function findAhead(
  db: Db,
  scope: Scope,
  filter: TransactionFilter,
  { after, rows, isUpward }: { after: Position; rows: number; isUpward: boolean },
) {
  return db.find<Position>(
    planEachTime(sql`
      select id, occurred_at from transaction
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and case when ${isUpward} then (occurred_at, id) > (${after.occurred_at}, ${after.id}::uuid)
                 else (occurred_at, id) < (${after.occurred_at}, ${after.id}::uuid) end
        and occurred_at >= ${filter.from ?? EARLIEST_TIME} and occurred_at < ${filter.until ?? LATEST_TIME}
        and (${filter.cardId}::uuid is null or card_id = ${filter.cardId})
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.status}::text is null or status = ${filter.status})
      order by case when ${isUpward} then occurred_at end, case when ${isUpward} then id end, occurred_at desc, id desc
      offset ${rows} limit 1`),
  )
}

interface Window {
  isUpward: boolean
  after: Position
  end: Position | undefined
  limit: number
  ids?: readonly string[]
}

/** The planner knows the order, so that one branch of each `case` is left, which the index serves. */
function readTransactions(
  db: Db,
  scope: Scope,
  filter: TransactionFilter,
  { isUpward, after, end, limit, ids }: Window,
) {
  const last = end ?? (isUpward ? END : START)
  return db.many<TransactionRow>(
    planEachTime(sql`
      select id, card_id, issuer_id, type, status, amount, currency, merchant, country, merchant_category, description, occurred_at from transaction
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and case when ${isUpward}
              then (occurred_at, id) > (${after.occurred_at}, ${after.id}::uuid) and (occurred_at, id) <= (${last.occurred_at}, ${last.id}::uuid)
              else (occurred_at, id) < (${after.occurred_at}, ${after.id}::uuid) and (occurred_at, id) >= (${last.occurred_at}, ${last.id}::uuid)
            end
        and occurred_at >= ${filter.from ?? EARLIEST_TIME} and occurred_at < ${filter.until ?? LATEST_TIME}
        and (${filter.cardId}::uuid is null or card_id = ${filter.cardId})
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.status}::text is null or status = ${filter.status})
        and (${ids}::uuid[] is null or id = any(${ids}))
        and (${filter.codes}::int4multirange is null or coalesce(merchant_category::integer, -1) <@ ${filter.codes}::int4multirange)
        and (${filter.q}::text is null or starts_with(lower(merchant), lower(${filter.q})) or exists (
          select from card c
          where c.company_id = ${scope.companyId} and c.environment = ${scope.environment} and c.id = transaction.card_id
            and starts_with(c.last4, ${filter.q})))
      order by case when ${isUpward} then occurred_at end, case when ${isUpward} then id end, occurred_at desc, id desc
      limit ${limit}`),
  )
}

export interface TotalRow {
  type: TransactionType
  status: TransactionStatus
  currency: string
  count: number
  amount: bigint
}

/** Payments that one statement adds up, within about ten milliseconds. */
const SUM_ROWS = 20_000

/** All types and statuses in a hundred currencies: an answer of a few hundred kilobytes. A company has a few dozen. */
const TOTALS_GROUPS_MAX = 3_000

/** Returns one row for each type, status and currency. */
export async function addTransactions(db: Db, scope: Scope, filter: TransactionFilter): Promise<TotalRow[]> {
  const indexed = indexedPart(filter)
  const totals = new Map<string, TotalRow>()
  await readInWindows<never, Position>({
    after: END,
    limit: Infinity,
    findEnd: (after) => findAhead(db, scope, indexed, { after, rows: SUM_ROWS, isUpward: false }),
    async read(after, end) {
      for (const part of await addWindow(db, scope, filter, { after, end })) {
        const key = `${part.type} ${part.status} ${part.currency}`
        const { count, amount } = totals.get(key) ?? { count: 0, amount: 0n }
        totals.set(key, { ...part, count: count + part.count, amount: amount + part.amount })
      }
      requireFew(totals.size)
      return []
    },
  })
  return [...totals.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

function requireFew(groups: number): void {
  if (groups <= TOTALS_GROUPS_MAX) return
  const message = `These transactions have more than ${TOTALS_GROUPS_MAX} combinations of type, status and currency. Use more filters, such as from and to.`
  throw new ApiError('validation_failed', message, { param: 'from' })
}

function addWindow(db: Db, scope: Scope, filter: TransactionFilter, { after, end }: Pick<Window, 'after' | 'end'>) {
  return db.many<TotalRow>(
    planEachTime(sql`
      select type, status, currency, count(*)::integer as count, sum(amount)::bigint as amount from transaction
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and (occurred_at, id) < (${after.occurred_at}, ${after.id}::uuid)
        and (occurred_at, id) >= (${end?.occurred_at ?? EARLIEST_TIME}, ${end?.id ?? ZERO_ID}::uuid)
        and occurred_at >= ${filter.from ?? EARLIEST_TIME} and occurred_at < ${filter.until ?? LATEST_TIME}
        and (${filter.cardId}::uuid is null or card_id = ${filter.cardId})
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.codes}::int4multirange is null or coalesce(merchant_category::integer, -1) <@ ${filter.codes}::int4multirange)
        and (${filter.q}::text is null or starts_with(lower(merchant), lower(${filter.q})) or exists (
          select from card c
          where c.company_id = ${scope.companyId} and c.environment = ${scope.environment} and c.id = transaction.card_id
            and starts_with(c.last4, ${filter.q})))
      group by type, status, currency`),
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
  merchantCategory: string | null
  description: string
  occurredAt: Date
  authorise: boolean
}

export function recordTransaction(db: Db, scope: Scope, now: Date, reported: NewTransaction) {
  return db.find<TransactionRow & { verdict: 'created' | 'updated' | 'unchanged' }>(sql`
    select r.verdict, (r.recorded).id, (r.recorded).card_id, (r.recorded).issuer_id, (r.recorded).type, (r.recorded).status,
           (r.recorded).amount, (r.recorded).currency, (r.recorded).merchant, (r.recorded).country,
           (r.recorded).merchant_category, (r.recorded).description, (r.recorded).occurred_at
    from record_transaction(
      ${scope.companyId}, ${now}, ${scope.environment}, ${reported.id}, ${reported.issuerId}, ${reported.cardId}, ${reported.type},
      ${reported.status}, ${reported.amount}, ${reported.currency}, ${reported.cardAmount}, ${reported.merchant}, ${reported.country},
      ${reported.description}, ${reported.occurredAt}, ${reported.authorise}, ${reported.merchantCategory}) r`)
}
