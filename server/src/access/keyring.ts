// From a bearer token to its caller. Look-ups are cached; a change anywhere empties the cache of every process
// within a second, and a process that cannot read the version trusts its cache no longer.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { fingerprint, keyedDigest } from '../lib/digest.ts'
import type { Log } from '../lib/log.ts'
import { type Caller, toCaller } from './caller.ts'
import { findCaller, findOperatorToken, markKeysUsed, readAccessVersion } from './queries.ts'

/** Three reads fit into the second within which a revocation must be felt everywhere. */
const VERSION_INTERVAL_MS = 300
/** Past this age of the last good version read, every look-up goes to the database. */
const CACHE_TRUST_MS = 900
/** About 50 MB of callers; when full the cache starts anew. */
const CACHE_MAX = 100_000
/** "Last used" is for people; ten seconds late is soon enough. */
const USED_INTERVAL_MS = 10_000

export interface Keyring {
  findCaller(token: string): Promise<Caller | undefined>
  findOperator(token: string): Promise<string | undefined>
  digest(token: string): Buffer
  /** The change was made through this process: it holds here at once. */
  forget(): void
  close(): Promise<void>
}

interface Deps {
  db: Db
  clock: Clock
  key: Buffer
  log: Log
}

export async function createKeyring({ db, clock, key, log }: Deps): Promise<Keyring> {
  const cache = createVersionedCache(async () => (await readAccessVersion(db))?.version ?? 0n)
  const used = new Map<string, { companyId: string; at: Date }>()
  const digest = (token: string) => keyedDigest(key, token)

  const flushUsed = async () => {
    if (used.size === 0) return
    const entries = [...used]
    used.clear()
    await markKeysUsed(
      db,
      entries.map(([, use]) => use.companyId),
      entries.map(([id]) => id),
      entries.map(([, use]) => use.at),
    )
  }
  const warn = (error: unknown) => log.warn({ error }, 'access look-ups cannot be refreshed')
  await cache.refresh()
  const versionTimer = setInterval(() => void cache.refresh().catch(warn), VERSION_INTERVAL_MS)
  const usedTimer = setInterval(() => void flushUsed().catch(warn), USED_INTERVAL_MS)

  return {
    digest,
    forget: () => cache.clear(),
    async findCaller(token) {
      const caller = await cache.get(`k${fingerprint(token)}`, async () => {
        const row = await findCaller(db, digest(token))
        return row && toCaller(row)
      })
      if (caller !== undefined) used.set(caller.keyId, { companyId: caller.scope.companyId, at: clock.now() })
      return caller
    },
    async findOperator(token) {
      return cache.get(`o${fingerprint(token)}`, async () => (await findOperatorToken(db, digest(token)))?.id)
    },
    async close() {
      clearInterval(versionTimer)
      clearInterval(usedTimer)
      await flushUsed().catch(warn)
    },
  }
}

interface VersionedCache {
  get<Value>(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  refresh(): Promise<void>
  clear(): void
}

/** Monotonic milliseconds: the age of a cache is no business time, and a fixed clock must not freeze it. */
const elapsedMs = () => performance.now()

function createVersionedCache(readVersion: () => Promise<bigint>): VersionedCache {
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
    // A value read before the cache was emptied may be older than the change that emptied it.
    if (value !== undefined && started === generation) {
      if (values.size >= CACHE_MAX) values.clear()
      values.set(key, value)
    }
    if (started === generation) loading.delete(key)
    return value
  }
  return {
    clear,
    async refresh() {
      const startedMs = elapsedMs()
      const current = await readVersion()
      if (current !== version) clear()
      version = current
      trustedUntilMs = startedMs + CACHE_TRUST_MS
    },
    async get<Value>(key: string, fetch: () => Promise<Value | undefined>) {
      if (elapsedMs() > trustedUntilMs) return fetch()
      const hit = values.get(key)
      if (hit !== undefined) return hit as Value
      // One look-up for all that ask at once: after a change a busy key must not become a stampede.
      let pending = loading.get(key)
      if (pending === undefined) {
        pending = load(key, fetch)
        loading.set(key, pending)
        pending.catch(() => loading.delete(key))
      }
      return (await pending) as Value | undefined
    },
  }
}
