// All SQL that reads cards. SQL functions write them: settling operations creates and loads cards, transactions move their
// balance, and card changes set their status.
import type { Db } from '../db/pool.ts'
import { fragment, planEachTime, sql } from '../db/sql.ts'
import { ZERO_ID } from '../lib/ids.ts'
import { LAST_CHARACTER, searchList } from '../lib/search.ts'
import type { Slice } from '../lib/slice.ts'
import type { Scope } from '../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../lib/windows.ts'
import type { CardStatus, WantedStatus } from './states.ts'

/** The columns of a CardRow. */
const CARD_COLUMNS = fragment`id, holder_id, product_id, name, last4, status, pending_status, balance, created_at`

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

export interface CardFilter {
  status: string | undefined
  holderId: string | undefined
  productId: string | undefined
  /** The beginning of the last four digits, the label, or the holder's name or e-mail address. */
  q?: string | undefined
}

export function findCard(db: Db, scope: Scope, id: string) {
  return db.find<CardRow>(sql`
    select ${CARD_COLUMNS} from card
    where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${id}`)
}

/** A holder, a product and every status but the usual one have an index, but two of them together have none. */
export function listCards(db: Db, scope: Scope, filter: CardFilter, slice: Slice): Promise<CardRow[]> {
  const { q } = filter
  if (q !== undefined) return searchCards(db, scope, { ...filter, q }, slice)
  const indexed = indexedPart(filter)
  const isIndexed = Object.entries(filter).every(([name, value]) => indexed[name as keyof CardFilter] === value)
  if (isIndexed) return readCards(db, scope, filter, { ...slice, oldest: ZERO_ID })
  return readInWindows({
    ...slice,
    findEnd: (after) => findCardAhead(db, scope, indexed, after),
    read: (after, end, limit) => readCards(db, scope, filter, { after, oldest: end ?? ZERO_ID, limit }),
  })
}

function searchCards(db: Db, scope: Scope, filter: CardFilter & { q: string }, slice: Slice) {
  return searchList({
    ...slice,
    findIds: (limit) => findCardIds(db, scope, filter.q, limit),
    readFound: (ids) => readCards(db, scope, filter, { ...slice, oldest: ZERO_ID, ids }),
    findEnd: (after) => findCardAhead(db, scope, NO_FILTER, after),
    readWindow: (after, end, limit) => readCards(db, scope, filter, { after, oldest: end ?? ZERO_ID, limit }),
  })
}

/** The holders are found first, and then the cards of each. */
function findCardIds(db: Db, scope: Scope, q: string, limit: number) {
  return db.many<{ id: string }>(
    planEachTime(sql`
      (select id from card
       where company_id = ${scope.companyId} and environment = ${scope.environment}
         and last4 collate "C" >= ${q} and last4 collate "C" < ${q} || ${LAST_CHARACTER}::text
       order by last4 collate "C", id limit ${limit})
      union all
      (select id from card
       where company_id = ${scope.companyId} and environment = ${scope.environment}
         and lower(name) collate "C" >= lower(${q}) and lower(name) collate "C" < lower(${q}) || ${LAST_CHARACTER}::text
       order by lower(name) collate "C", id limit ${limit})
      union all
      (select c.id from (
         (select id from holder
          where company_id = ${scope.companyId} and environment = ${scope.environment}
            and lower(name) collate "C" >= lower(${q}) and lower(name) collate "C" < lower(${q}) || ${LAST_CHARACTER}::text
          order by lower(name) collate "C", id limit ${limit})
         union all
         (select id from holder
          where company_id = ${scope.companyId} and environment = ${scope.environment}
            and lower(email) collate "C" >= lower(${q}) and lower(email) collate "C" < lower(${q}) || ${LAST_CHARACTER}::text
          order by lower(email) collate "C", id limit ${limit})
       ) h
       cross join lateral (
         select id from card
         where company_id = ${scope.companyId} and environment = ${scope.environment} and holder_id = h.id
         order by id desc limit ${limit}
       ) c
       limit ${limit})`),
  )
}

const NO_FILTER: CardFilter = { status: undefined, holderId: undefined, productId: undefined }

/** Returns the part of a filter that one index serves. */
function indexedPart({ status, holderId, productId }: CardFilter): CardFilter {
  if (holderId !== undefined) return { ...NO_FILTER, holderId }
  if (status !== undefined && status !== 'active') return { ...NO_FILTER, status }
  return { ...NO_FILTER, productId }
}

async function findCardAhead(db: Db, scope: Scope, filter: CardFilter, after: string) {
  const row = await db.find<{ id: string }>(
    planEachTime(sql`
      select id from card
      where company_id = ${scope.companyId} and environment = ${scope.environment} and id < ${after}
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.holderId}::uuid is null or holder_id = ${filter.holderId})
        and (${filter.productId}::text is null or product_id = ${filter.productId})
      order by id desc offset ${WINDOW_ROWS} limit 1`),
  )
  return row?.id
}

function readCards(
  db: Db,
  scope: Scope,
  filter: CardFilter,
  slice: Pick<Slice, 'after' | 'limit'> & { oldest: string; ids?: readonly string[] },
) {
  return db.many<CardRow>(
    planEachTime(sql`
      select ${CARD_COLUMNS} from card
      where company_id = ${scope.companyId} and environment = ${scope.environment} and id < ${slice.after} and id >= ${slice.oldest}
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.holderId}::uuid is null or holder_id = ${filter.holderId})
        and (${filter.productId}::text is null or product_id = ${filter.productId})
        and (${slice.ids}::uuid[] is null or id = any(${slice.ids}))
        and (${filter.q}::text is null or starts_with(last4, ${filter.q}) or starts_with(lower(name), lower(${filter.q})) or exists (
          select from holder h
          where h.company_id = ${scope.companyId} and h.environment = ${scope.environment} and h.id = card.holder_id
            and (starts_with(lower(h.name), lower(${filter.q})) or starts_with(lower(h.email), lower(${filter.q})))))
      order by id desc limit ${slice.limit}`),
  )
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
