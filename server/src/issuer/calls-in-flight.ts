// Counts the calls of an issuer that were sent and have not ended, and the most of them at once.

export function countCallsInFlight() {
  let count = 0
  let most = 0
  return {
    now: () => count,
    /** A call began (1) or ended (-1). */
    onSent(change: 1 | -1) {
      count += change
      most = Math.max(most, count)
    },
    /** Returns the most at once since this was last asked. */
    takeMost() {
      const taken = most
      most = count
      return taken
    },
  }
}
