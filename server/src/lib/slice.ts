// The slice of a list that one statement reads. Knows nothing of HTTP; http/page.ts turns the request for a page into one.
import type { Environment } from './scope.ts'

/** Above every id; the first slice starts here. Not null, because a nullable bound keeps the planner from using the index. */
export const NEWEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
export const LATEST_TIME = new Date('9999-12-31T23:59:59.999Z')

/** The rows after this id in the list's order, at most `limit`. */
export interface Slice {
  after: string
  /** The time of the row with the id `after`, in a list that is ordered by time first. */
  afterTime: Date
  limit: number
}

/** A slice of the reviews of all companies, of one environment if it is given. */
export interface ReviewSlice extends Slice {
  environment: Environment | undefined
}
