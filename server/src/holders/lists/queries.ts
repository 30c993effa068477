// All SQL of a company's list of cardholders, by time or by name.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import { LAST_CHARACTER, searchList } from '../../lib/search.ts'
import { isAscending, isByName, lastId, type Slice } from '../../lib/slice.ts'
import type { Scope } from '../../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../../lib/windows.ts'
import { HOLDER_COLUMNS, type HolderRow } from '../queries.ts'

export interface HolderFilter {
  status?: string
  kind?: string
  externalId?: string
  email?: string
  /** The beginning of a name or an e-mail address. */
  q?: string
}

/** `name_key` is the name in lower case, in a list by name. */
export type ListedHolder = HolderRow & { name_key?: string }

/** The one that leaves fewest first. */
const HOLDER_FILTERS = ['externalId', 'email', 'status', 'kind'] as const

/** Each filter has an index, but two of them together have none. */
export function listHolders(db: Db, scope: Scope, filter: HolderFilter, slice: Slice): Promise<ListedHolder[]> {
  const { q } = filter
  if (isByName(slice.sort)) return listHoldersByName(db, scope, filter, slice)
  const { after, limit, sort } = slice
  const part = { isUpward: isAscending(sort), after, end: lastId(sort), limit }
  if (q !== undefined) return searchHolders(db, scope, { ...filter, q }, part)
  const [indexed, ...others] = HOLDER_FILTERS.filter((name) => filter[name] !== undefined)
  if (indexed === undefined || others.length === 0) return readHolders(db, scope, filter, part)
  return readInWindows({
    ...slice,
    findEnd: (from) => findHolderAhead(db, scope, { [indexed]: filter[indexed] }, { ...part, after: from }),
    read: (from, end = part.end, most) => readHolders(db, scope, filter, { ...part, after: from, end, limit: most }),
  })
}

function searchHolders(db: Db, scope: Scope, filter: HolderFilter & { q: string }, part: Part) {
  return searchList({
    ...part,
    findIds: (limit) => findHolderIds(db, scope, filter.q, limit),
    readFound: (ids) => readHolders(db, scope, filter, { ...part, ids }),
    findEnd: (after) => findHolderAhead(db, scope, {}, { ...part, after }),
    readWindow: (after, end = part.end, limit) => readHolders(db, scope, filter, { ...part, after, end, limit }),
  })
}

/** No index has a filter and the name, so that a filter is applied to the names in windows. */
function listHoldersByName(db: Db, scope: Scope, filter: HolderFilter, slice: Slice): Promise<ListedHolder[]> {
  const { q } = filter
  const isUpward = isAscending(slice.sort)
  const after = { id: slice.after, name_key: slice.afterName }
  const windows = {
    after,
    limit: slice.limit,
    findEnd: (from: NamePosition) => findHolderAheadByName(db, scope, { after: from, isUpward }),
    read: (from: NamePosition, end: NamePosition | undefined, limit: number) =>
      readHoldersByName(db, scope, filter, { after: from, end, limit, isUpward }),
  }
  if (q === undefined && HOLDER_FILTERS.every((name) => filter[name] === undefined))
    return windows.read(after, undefined, slice.limit)
  if (q === undefined) return readInWindows(windows)
  return searchList({
    ...windows,
    findIds: (limit) => findHolderIds(db, scope, q, limit),
    readFound: (ids) =>
      readHoldersByName(db, scope, filter, { after, end: undefined, limit: slice.limit, isUpward, ids }),
    readWindow: windows.read,
  })
}

function findHolderIds(db: Db, scope: Scope, q: string, limit: number) {
  return db.many<{ id: string }>(
    planEachTime(sql`
      (select id from holder
       where company_id = ${scope.companyId} and environment = ${scope.environment}
         and lower(name) collate "C" >= lower(${q}) and lower(name) collate "C" < lower(${q}) || ${LAST_CHARACTER}::text
       order by lower(name) collate "C", id limit ${limit})
      union all
      (select id from holder
       where company_id = ${scope.companyId} and environment = ${scope.environment}
         and lower(email) collate "C" >= lower(${q}) and lower(email) collate "C" < lower(${q}) || ${LAST_CHARACTER}::text
       order by lower(email) collate "C", id limit ${limit})`),
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

async function findHolderAhead(db: Db, scope: Scope, filter: HolderFilter, { isUpward, after }: Part) {
  const row = await db.find<{ id: string }>(
    planEachTime(sql`
      select id from holder
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and case when ${isUpward} then id > ${after} else id < ${after} end
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.kind}::text is null or kind = ${filter.kind})
        and (${filter.externalId}::text is null or external_id = ${filter.externalId})
        and (${filter.email}::text is null or email = ${filter.email})
      order by case when ${isUpward} then id end, id desc offset ${WINDOW_ROWS} limit 1`),
  )
  return row?.id
}

/** The planner knows the order, so that one branch of each `case` is left, which the index serves. */
function readHolders(db: Db, scope: Scope, filter: HolderFilter, { isUpward, after, end, limit, ids }: Part) {
  return db.many<ListedHolder>(
    planEachTime(sql`
      select ${HOLDER_COLUMNS} from holder
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and case when ${isUpward} then id > ${after} and id <= ${end} else id < ${after} and id >= ${end} end
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.kind}::text is null or kind = ${filter.kind})
        and (${filter.externalId}::text is null or external_id = ${filter.externalId})
        and (${filter.email}::text is null or email = ${filter.email})
        and (${ids}::uuid[] is null or id = any(${ids}))
        and (${filter.q}::text is null or starts_with(lower(name), lower(${filter.q})) or starts_with(lower(email), lower(${filter.q})))
      order by case when ${isUpward} then id end, id desc limit ${limit}`),
  )
}

/** The name is undefined before the first row. */
interface NamePosition {
  id: string
  name_key: string | undefined
}

function findHolderAheadByName(db: Db, scope: Scope, { after, isUpward }: { after: NamePosition; isUpward: boolean }) {
  return db.find<{ id: string; name_key: string }>(
    planEachTime(sql`
      select id, lower(name) as name_key from holder
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

function readHoldersByName(db: Db, scope: Scope, filter: HolderFilter, { isUpward, after, end, limit, ids }: NamePart) {
  return db.many<ListedHolder>(
    planEachTime(sql`
      select ${HOLDER_COLUMNS}, lower(name) as name_key from holder
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and (${after.name_key}::text is null or case when ${isUpward}
          then (lower(name) collate "C", id) > (${after.name_key}, ${after.id}::uuid)
          else (lower(name) collate "C", id) < (${after.name_key}, ${after.id}::uuid) end)
        and (${end?.name_key}::text is null or case when ${isUpward}
          then (lower(name) collate "C", id) <= (${end?.name_key}, ${end?.id}::uuid)
          else (lower(name) collate "C", id) >= (${end?.name_key}, ${end?.id}::uuid) end)
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.kind}::text is null or kind = ${filter.kind})
        and (${filter.externalId}::text is null or external_id = ${filter.externalId})
        and (${filter.email}::text is null or email = ${filter.email})
        and (${ids}::uuid[] is null or id = any(${ids}))
        and (${filter.q}::text is null or starts_with(lower(name), lower(${filter.q})) or starts_with(lower(email), lower(${filter.q})))
      order by case when ${isUpward} then lower(name) collate "C" end, case when ${isUpward} then id end,
               lower(name) collate "C" desc, id desc
      limit ${limit}`),
  )
}
