// Shares computed values among concurrent callers, so that many callers do not cause as many computations.

/** Values computed per second before callers begin to share them: plenty for probes, and cheap for the database. */
const FRESH_PER_SECOND = 10
/** Probes ask every few seconds, so a value that is a second old is fresh enough. */
const AGE_MAX_MS = 1000

type NowMs = () => number

/** Returns a function that says whether another piece of work fits into the current second. */
export function createBudget(perSecond: number, nowMs: NowMs = () => performance.now()): () => boolean {
  let windowStartMs = Number.NEGATIVE_INFINITY
  let used = 0
  return () => {
    const now = nowMs()
    if (now - windowStartMs >= 1000) {
      windowStartMs = now
      used = 0
    }
    if (used >= perSecond) return false
    used += 1
    return true
  }
}

/**
 * Limits how often a value is computed for unauthenticated callers, such as readers of /readyz. Under light use every caller gets a
 * fresh value; under load callers share one that is at most a second old.
 */
export function createSharedValue<Value>(
  compute: () => Promise<Value>,
  nowMs: NowMs = () => performance.now(),
): () => Promise<Value> {
  const takeBudget = createBudget(FRESH_PER_SECOND, nowMs)
  let last: { value: Value; startedMs: number } | undefined
  let pending: Promise<Value> | undefined

  const start = () => {
    const startedMs = nowMs()
    const running = compute().then((value) => {
      last = { value, startedMs }
      return value
    })
    pending = running
    const forget = () => {
      if (pending === running) pending = undefined
    }
    running.then(forget, forget)
    return running
  }
  return async () => {
    if (takeBudget()) return start()
    if (last !== undefined && nowMs() - last.startedMs <= AGE_MAX_MS) return last.value
    return pending ?? start()
  }
}

/** Shares one call among all callers that arrive while it is in flight. */
export function shareWhileUnderWay<Value>(call: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | undefined
  return () =>
    (underWay ??= call().finally(() => {
      underWay = undefined
    }))
}
