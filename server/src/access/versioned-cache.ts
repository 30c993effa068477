// A cache of look-ups that any process can invalidate by raising one version number in the database. A process that
// cannot read the version stops trusting its cache; it must never serve a value that a change has made wrong.
import { dropOldest } from '../lib/drop-oldest.ts'

/** Values live until the version changes, but only while the last good read of the version is younger than this. */
export const CACHE_TRUST_MS = 900
/** About 50 MB of callers. A full cache drops the oldest. */
const CACHE_MAX = 100_000

export interface VersionedCache {
  /** Returns the cached value without any work; undefined if there is none or the cache cannot be trusted. */
  find(key: string): unknown
  get<Value>(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  refresh(): Promise<void>
  clear(): void
}

/** `nowMs` is monotonic, because the age of a cache has nothing to do with the time of day. */
export function createVersionedCache(
  readVersion: () => Promise<bigint>,
  nowMs: () => number = () => performance.now(),
): VersionedCache {
  const values = new Map<string, unknown>()
  const loading = new Map<string, Promise<unknown>>()
  let version: bigint | undefined
  let generation = 0
  let trustedUntilMs = 0

  const clear = () => {
    generation += 1
    values.clear()
    loading.clear()
  }
  const load = async (key: string, fetch: () => Promise<unknown>) => {
    const started = generation
    const value = await fetch()
    // A value read before the cache was cleared may be older than the change that cleared it.
    if (value !== undefined && started === generation) {
      if (values.size >= CACHE_MAX) dropOldest(values)
      values.set(key, value)
    }
    if (started === generation) loading.delete(key)
    return value
  }
  const find = (key: string) => (nowMs() > trustedUntilMs ? undefined : values.get(key))
  return {
    clear,
    find,
    async refresh() {
      const startedMs = nowMs()
      const current = await readVersion()
      if (current !== version) clear()
      version = current
      trustedUntilMs = startedMs + CACHE_TRUST_MS
    },
    async get<Value>(key: string, fetch: () => Promise<Value | undefined>) {
      if (nowMs() > trustedUntilMs) return fetch()
      const hit = values.get(key)
      if (hit !== undefined) return hit as Value
      // Concurrent look-ups of one key share a query, so that a busy key does not flood the database after a change.
      let pending = loading.get(key)
      if (pending === undefined) {
        pending = load(key, fetch)
        loading.set(key, pending)
        const started = pending
        pending.catch(() => {
          if (loading.get(key) === started) loading.delete(key)
        })
      }
      return (await pending) as Value | undefined
    },
  }
}
