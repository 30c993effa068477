// All SQL of a company's list of cards, by time or by name.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import { LAST_CHARACTER, searchList } from '../../lib/search.ts'
import { isAscending, isByName, lastId, type Slice } from '../../lib/slice.ts'
import type { Scope } from '../../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../../lib/windows.ts'
import { CARD_COLUMNS, type CardRow } from '../queries.ts'

export interface CardFilter {
  status: string | undefined
  holderId: string | undefined
  productId: string | undefined
  /** The beginning of the last four digits, the label, or the holder's name or e-mail address. */
  q?: string | undefined
}

/** `name_key` is the name in lower case, in a list by name. */
export type ListedCard = CardRow & { name_key?: string }

/** A holder, a product and every status but the usual one have an index, but two of them together have none. */
export function listCards(db: Db, scope: Scope, filter: CardFilter, slice: Slice): Promise<ListedCard[]> {
  const { q } = filter
  if (isByName(slice.sort)) return listCardsByName(db, scope, filter, slice)
  const { after, limit, sort } = slice
  const part = { isUpward: isAscending(sort), after, end: lastId(sort), limit }
  if (q !== undefined) return searchCards(db, scope, { ...filter, q }, part)
  const indexed = indexedPart(filter)
  const isIndexed = Object.entries(filter).every(([name, value]) => indexed[name as keyof CardFilter] === value)
  if (isIndexed) return readCards(db, scope, filter, part)
  return readInWindows({
    ...slice,
    findEnd: (from) => findCardAhead(db, scope, indexed, { ...part, after: from }),
    read: (from, end = part.end, most) => readCards(db, scope, filter, { ...part, after: from, end, limit: most }),
  })
}

const NO_FILTER: CardFilter = { status: undefined, holderId: undefined, productId: undefined }

/** Returns the part of a filter that one index serves. */
function indexedPart({ status, holderId, productId }: CardFilter): CardFilter {
  if (holderId !== undefined) return { ...NO_FILTER, holderId }
  if (status !== undefined && status !== 'active') return { ...NO_FILTER, status }
  return { ...NO_FILTER, productId }
}

function searchCards(db: Db, scope: Scope, filter: CardFilter & { q: string }, part: Part) {
  return searchList({
    ...part,
    findIds: (limit) => findCardIds(db, scope, filter.q, limit),
    readFound: (ids) => readCards(db, scope, filter, { ...part, ids }),
    findEnd: (after) => findCardAhead(db, scope, NO_FILTER, { ...part, after }),
    readWindow: (after, end = part.end, limit) => readCards(db, scope, filter, { ...part, after, end, limit }),
  })
}

/** No index has a filter and the name, so that a filter is applied to the names in windows. */
function listCardsByName(db: Db, scope: Scope, filter: CardFilter, slice: Slice): Promise<ListedCard[]> {
  const { q } = filter
  const isUpward = isAscending(slice.sort)
  const after = { id: slice.after, name_key: slice.afterName }
  const windows = {
    after,
    limit: slice.limit,
    findEnd: (from: NamePosition) => findCardAheadByName(db, scope, { after: from, isUpward }),
    read: (from: NamePosition, end: NamePosition | undefined, limit: number) =>
      readCardsByName(db, scope, filter, { after: from, end, limit, isUpward }),
  }
  if (Object.values(filter).every((value) => value === undefined)) return windows.read(after, undefined, slice.limit)
  if (q === undefined) return readInWindows(windows)
  return searchList({
    ...windows,
    findIds: (limit) => findCardIds(db, scope, q, limit),
    readFound: (ids) =>
      readCardsByName(db, scope, filter, { after, end: undefined, limit: slice.limit, isUpward, ids }),
    readWindow: windows.read,
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

interface Part {
  isUpward: boolean
  after: string
  /** The last id that is read. */
  end: string
  limit: number
  ids?: readonly string[]
}

async function findCardAhead(db: Db, scope: Scope, filter: CardFilter, { isUpward, after }: Part) {
  const row = await db.find<{ id: string }>(
    planEachTime(sql`
      select id from card
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and case when ${isUpward} then id > ${after} else id < ${after} end
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.holderId}::uuid is null or holder_id = ${filter.holderId})
        and (${filter.productId}::text is null or product_id = ${filter.productId})
      order by case when ${isUpward} then id end, id desc offset ${WINDOW_ROWS} limit 1`),
  )
  return row?.id
}

/** The planner knows the order, so that one branch of each `case` is left, which the index serves. */
function readCards(db: Db, scope: Scope, filter: CardFilter, { isUpward, after, end, limit, ids }: Part) {
  return db.many<ListedCard>(
    planEachTime(sql`
      select ${CARD_COLUMNS} from card
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and case when ${isUpward} then id > ${after} and id <= ${end} else id < ${after} and id >= ${end} end
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.holderId}::uuid is null or holder_id = ${filter.holderId})
        and (${filter.productId}::text is null or product_id = ${filter.productId})
        and (${ids}::uuid[] is null or id = any(${ids}))
        and (${filter.q}::text is null or starts_with(last4, ${filter.q}) or starts_with(lower(name), lower(${filter.q})) or exists (
          select from holder h
          where h.company_id = ${scope.companyId} and h.environment = ${scope.environment} and h.id = card.holder_id
            and (starts_with(lower(h.name), lower(${filter.q})) or starts_with(lower(h.email), lower(${filter.q})))))
      order by case when ${isUpward} then id end, id desc limit ${limit}`),
  )
}

/** The name is undefined before the first row. */
interface NamePosition {
  id: string
  name_key: string | undefined
}

function findCardAheadByName(db: Db, scope: Scope, { after, isUpward }: { after: NamePosition; isUpward: boolean }) {
  return db.find<{ id: string; name_key: string }>(
    planEachTime(sql`
      select id, lower(name) as name_key from card
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and (${after.name_key}::text is null or case when ${isUpward}
          then (lower(name) collate "C", id) > (${after.name_key}, ${after.id}::uuid)
          else (lower(name) collate "C", id) < (${after.name_key}, ${after.id}::uuid) end)
      order by case when ${isUpward} then lower(name) collate "C" end, case when ${isUpward} then id end,
               lower(name) collate "C" desc, id desc
      offset ${WINDOW_ROWS} limit 1`),
  )
}

interface NamePart {
  isUpward: boolean
  after: NamePosition
  end: NamePosition | undefined
  limit: number
  ids?: readonly string[]
}

function readCardsByName(db: Db, scope: Scope, filter: CardFilter, { isUpward, after, end, limit, ids }: NamePart) {
  return db.many<ListedCard>(
    planEachTime(sql`
      select ${CARD_COLUMNS}, lower(name) as name_key from card
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and (${after.name_key}::text is null or case when ${isUpward}
          then (lower(name) collate "C", id) > (${after.name_key}, ${after.id}::uuid)
          else (lower(name) collate "C", id) < (${after.name_key}, ${after.id}::uuid) end)
        and (${end?.name_key}::text is null or case when ${isUpward}
          then (lower(name) collate "C", id) <= (${end?.name_key}, ${end?.id}::uuid)
          else (lower(name) collate "C", id) >= (${end?.name_key}, ${end?.id}::uuid) end)
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.holderId}::uuid is null or holder_id = ${filter.holderId})
        and (${filter.productId}::text is null or product_id = ${filter.productId})
        and (${ids}::uuid[] is null or id = any(${ids}))
        and (${filter.q}::text is null or starts_with(last4, ${filter.q}) or starts_with(lower(name), lower(${filter.q})) or exists (
          select from holder h
          where h.company_id = ${scope.companyId} and h.environment = ${scope.environment} and h.id = card.holder_id
            and (starts_with(lower(h.name), lower(${filter.q})) or starts_with(lower(h.email), lower(${filter.q})))))
      order by case when ${isUpward} then lower(name) collate "C" end, case when ${isUpward} then id end,
               lower(name) collate "C" desc, id desc
      limit ${limit}`),
  )
}
