// The slice of a list that one statement reads. Knows nothing of HTTP; http/page.ts turns the request for a page into one.
import { ZERO_ID } from './ids.ts'
import type { Environment } from './scope.ts'

/** Above every id; the first slice starts here. Not null, because a nullable bound keeps the planner from using the index. */
export const NEWEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
export const LATEST_TIME = new Date('9999-12-31T23:59:59.999Z')
export const EARLIEST_TIME = new Date('0001-01-01T00:00:00Z')

/** The orders of a list by time. The first is the default. */
export const SORTS = ['newest', 'oldest'] as const
/** Those of a list of things with names, which are compared by their bytes in lower case. */
export const NAME_SORTS = [...SORTS, 'name_asc', 'name_desc'] as const
export type Sort = (typeof NAME_SORTS)[number]

export const isAscending = (sort: Sort | undefined): boolean => sort === 'oldest' || sort === 'name_asc'
export const isByName = (sort: Sort | undefined): boolean => sort === 'name_asc' || sort === 'name_desc'
/** Returns the id at the end of a list that is ordered by ids. */
export const lastId = (sort: Sort | undefined): string => (isAscending(sort) ? NEWEST_ID : ZERO_ID)

/** The rows after this id in the list's order, at most `limit`. */
export interface Slice {
  after: string
  /** The time of the row with the id `after`, in a list that is ordered by time first. */
  afterTime: Date
  /** Its name in lower case, in a list that is ordered by names. Undefined before the first row. */
  afterName?: string | undefined
  limit: number
  sort?: Sort | undefined
}

/** A slice of the reviews of all companies, of one environment if it is given. */
export interface ReviewSlice extends Slice {
  environment: Environment | undefined
}
