// Collects look-ups and makes them together, a few times a second. It is for work that unauthenticated callers can cause: the
// database gets a limited number of queries, and every caller still gets an answer.
import { QueueFullError } from './batcher.ts'

/** Pace of the queries: at most ten a second, each a tenth of a second after the one before. */
const INTERVAL_MS = 100
/** Keys per query. An index finds a thousand of them in a few milliseconds. */
const BATCH_MAX = 1000
/** Each waiting look-up also holds a connection; above this the server is overloaded and says so. */
const WAITING_MAX = 10_000

interface Waiting<Value> {
  readonly found: Promise<Value | undefined>
  resolve(value: Value | undefined): void
  reject(error: unknown): void
}

/** `fetch` returns what it found by key. Concurrent look-ups of one key share an answer. */
export function createDeferredLookUps<Value>(
  fetch: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  const waiting = new Map<string, Waiting<Value>>()
  let scheduled = false

  const flush = async () => {
    const batch = [...waiting].slice(0, BATCH_MAX)
    for (const [key] of batch) waiting.delete(key)
    try {
      const found = await fetch(batch.map(([key]) => key))
      for (const [key, look] of batch) look.resolve(found.get(key))
    } catch (error) {
      for (const [, look] of batch) look.reject(error)
    }
    scheduled = false
    if (waiting.size > 0) schedule()
  }
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setTimeout(() => void flush(), INTERVAL_MS)
  }
  return async (key) => {
    const known = waiting.get(key)
    if (known !== undefined) return known.found
    if (waiting.size >= WAITING_MAX) throw new QueueFullError('too many look-ups are waiting')
    const look = createWaiting<Value>()
    waiting.set(key, look)
    schedule()
    return look.found
  }
}

function createWaiting<Value>(): Waiting<Value> {
  let resolve: Waiting<Value>['resolve'] = () => {}
  let reject: Waiting<Value>['reject'] = () => {}
  const found = new Promise<Value | undefined>((onFound, onError) => {
    resolve = onFound
    reject = onError
  })
  return { found, resolve, reject }
}
