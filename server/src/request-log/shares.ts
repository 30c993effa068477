// Divides the records that may be written between the companies, so that one that floods the server cannot keep the requests
// of the others out of the log: a company never gets more than it leaves.

export interface Shares {
  /** Takes one for the company, and returns false if its share is used up. */
  take(companyId: string): boolean
  /** Adds what was allowed for the time that has passed. Every company begins with nothing taken. */
  refill(count: number): void
}

/** Begins with `max`, which is also the most that can be saved up. */
export function createShares(max: number): Shares {
  let left = max
  const taken = new Map<string, number>()
  return {
    take(companyId) {
      const mine = taken.get(companyId) ?? 0
      if (mine >= left) return false
      taken.set(companyId, mine + 1)
      left -= 1
      return true
    },
    refill(count) {
      left = Math.min(max, left + count)
      taken.clear()
    },
  }
}
