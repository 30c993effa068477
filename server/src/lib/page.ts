// The position in a list that a statement reads from. Knows nothing of HTTP; http/page.ts turns a request into one.
import type { Environment } from './scope.ts'

/** Above every id; the first page starts here. Not null, because a nullable bound keeps the planner from using the index. */
export const NEWEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
export const LATEST_TIME = new Date('9999-12-31T23:59:59.999Z')

/** What a list statement needs: the rows after this id in the list's order, at most `limit`. */
export interface Page {
  after: string
  /** The time of the row with the id `after`, in a list that is ordered by time first. */
  afterTime: Date
  limit: number
}

/** A page of the reviews of all companies, of one environment if it is given. */
export interface ReviewPage extends Page {
  environment: Environment | undefined
}
