// Finds the owner of a request's token. Look-ups are cached, and a change in any process clears the cache of every process
// within a second. It must not decide what the caller may do.
import { createFailureLog } from '../db/failure-log.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { createDeferredLookUps } from '../lib/deferred-look-ups.ts'
import { fingerprint, keyedDigest } from '../lib/digest.ts'
import type { Log } from '../lib/log.ts'
import { type Caller, toCaller } from './caller.ts'
import { findCallers, findOperatorTokens, markKeysUsed, markOperatorTokensUsed, readAccessVersion } from './queries.ts'
import { createVersionedCache, type VersionedCache } from './versioned-cache.ts'

/** Three reads fit into the second within which every process must notice a revocation. */
const VERSION_INTERVAL_MS = 300
/** People read the time of last use, so a delay of ten seconds does not matter. */
const USED_INTERVAL_MS = 10_000

export interface LookUp<Value> {
  /** Returns what the cache knows, without a query. */
  cached(token: string): Value | undefined
  /** Looks the token up immediately. */
  now(token: string): Promise<Value | undefined>
  /** Looks tokens up in batches, a few times a second, so that unauthenticated callers cannot cause a query each. */
  later(token: string): Promise<Value | undefined>
}

export interface OperatorToken {
  readonly id: string
  readonly name: string
}

export interface Keyring {
  readonly callers: LookUp<Caller>
  readonly operators: LookUp<OperatorToken>
  digest(token: string): Buffer
  /** Applies a change that this process made to its own cache immediately. */
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
  const uses = createUses(db, clock)
  const digest = (token: string) => keyedDigest(key, token)
  const refreshing = createFailureLog(
    log,
    'The key cache could not be refreshed. Every request looks its key up until it can be.',
  )
  const flushing = createFailureLog(log, 'The times at which keys were last used could not be stored.')
  await cache.refresh()
  const versionTimer = setInterval(() => void refreshing.run(() => cache.refresh()), VERSION_INTERVAL_MS)
  const usedTimer = setInterval(() => void flushing.run(() => uses.flush()), USED_INTERVAL_MS)

  return {
    digest,
    forget: () => cache.clear(),
    callers: createLookUp({
      cache,
      digest,
      prefix: 'k',
      onFound: uses.markKey,
      fetch: async (digests) => {
        const rows = await findCallers(db, digests)
        return new Map(rows.map((row) => [row.digest.toString('hex'), toCaller(row)]))
      },
    }),
    operators: createLookUp({
      cache,
      digest,
      prefix: 'o',
      onFound: uses.markOperatorToken,
      fetch: async (digests) => {
        const rows = await findOperatorTokens(db, digests)
        return new Map(rows.map((row) => [row.digest.toString('hex'), { id: row.id, name: row.name }]))
      },
    }),
    async close() {
      clearInterval(versionTimer)
      clearInterval(usedTimer)
      await flushing.run(() => uses.flush())
    },
  }
}

interface LookUpOptions<Value> {
  cache: VersionedCache
  digest(token: string): Buffer
  /** Keeps apart the kinds of tokens that share the cache. */
  prefix: string
  onFound(value: Value): void
  /** Returns what was found, by the hexadecimal digest. */
  fetch(digests: Buffer[]): Promise<ReadonlyMap<string, Value>>
}

function createLookUp<Value>({ cache, digest, prefix, onFound, fetch }: LookUpOptions<Value>): LookUp<Value> {
  const nameOf = (token: string) => prefix + fingerprint(token)
  const fetchOne = async (token: string) => {
    const wanted = digest(token)
    return (await fetch([wanted])).get(wanted.toString('hex'))
  }
  const fetchLater = createDeferredLookUps((hexes) => fetch(hexes.map((hex) => Buffer.from(hex, 'hex'))))
  const noted = (value: Value | undefined) => {
    if (value !== undefined) onFound(value)
    return value
  }
  return {
    cached: (token) => noted(cache.find(nameOf(token)) as Value | undefined),
    now: async (token) => noted(await cache.get(nameOf(token), () => fetchOne(token))),
    later: async (token) => noted(await cache.get(nameOf(token), () => fetchLater(digest(token).toString('hex')))),
  }
}

/** Remembers when each key and operator token was last used, and writes all of these times with one statement for each kind. */
function createUses(db: Db, clock: Clock) {
  const keys = new Map<string, { companyId: string; at: Date }>()
  const operatorTokens = new Map<string, Date>()
  return {
    markKey({ by, scope }: Caller) {
      if ('keyId' in by) keys.set(by.keyId, { companyId: scope.companyId, at: clock.now() })
    },
    markOperatorToken({ id }: OperatorToken) {
      operatorTokens.set(id, clock.now())
    },
    async flush() {
      const [usedKeys, usedTokens] = [[...keys], [...operatorTokens]]
      keys.clear()
      operatorTokens.clear()
      if (usedKeys.length > 0) {
        await markKeysUsed(
          db,
          usedKeys.map(([, use]) => use.companyId),
          usedKeys.map(([id]) => id),
          usedKeys.map(([, use]) => use.at),
        )
      }
      if (usedTokens.length > 0) {
        await markOperatorTokensUsed(
          db,
          usedTokens.map(([id]) => id),
          usedTokens.map(([, at]) => at),
        )
      }
    },
  }
}
