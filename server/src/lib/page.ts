// The position in a list that a statement reads from. Knows nothing of HTTP; http/page.ts turns a request into one.
import type { Environment } from './scope.ts'

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
