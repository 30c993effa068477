// Token buckets: a steady rate and a burst per key. In memory here; a store may keep them for several processes.

export interface RatePolicy {
  readonly name: string
  readonly perSecond: number
  readonly burst: number
}

/** What a bucket said to a request, and what is left in it. */
export interface Taken {
  readonly allowed: boolean
  readonly tokens: number
}

/** Buckets that several processes share. */
export interface BucketStore {
  /** Takes one token. Returns undefined if the store does not answer within a few milliseconds. */
  take(policy: RatePolicy, key: string): Promise<Taken | undefined>
  /** Returns a token. It is best effort, and nobody waits for it. */
  giveBack(policy: RatePolicy, key: string): void
}

export interface Buckets {
  take(key: string): Taken
  giveBack(key: string): void
}

interface Bucket {
  tokens: number
  atMs: number
}

/** About 20 MB. At this many, buckets are dropped; see `makeRoom`. */
const BUCKETS_MAX = 100_000
/** Room is made for this many at a time: a pass over all buckets takes milliseconds, and must not happen for every new key. */
const ROOM = BUCKETS_MAX / 10
/** How finely `makeRoom` tells how full a bucket is. */
const LEVELS = 16

export function createBuckets({ perSecond, burst }: RatePolicy, nowMs: () => number): Buckets {
  // In the order of their last use.
  const buckets = new Map<string, Bucket>()
  const refill = (bucket: Bucket, now: number) => {
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) * perSecond) / 1000)
    bucket.atMs = now
  }
  return {
    giveBack(key) {
      const bucket = buckets.get(key)
      if (bucket !== undefined) bucket.tokens = Math.min(burst, bucket.tokens + 1)
    },
    take(key) {
      const now = nowMs()
      let bucket = buckets.get(key)
      if (bucket === undefined) {
        if (buckets.size >= BUCKETS_MAX) makeRoom(buckets, burst, (each) => refill(each, now))
        bucket = { tokens: burst, atMs: now }
      } else {
        refill(bucket, now)
        buckets.delete(key)
      }
      buckets.set(key, bucket)
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      return { allowed, tokens: bucket.tokens }
    },
  }
}

/**
 * Drops all full buckets, because a new bucket is full too. If those are too few, this is an attack with very many keys: it
 * drops the fullest of the others, and among equally full ones those that were used longest ago. An empty bucket goes last, so
 * that nobody can make the server forget who is blocked by sending other keys.
 */
function makeRoom(buckets: Map<string, Bucket>, burst: number, refill: (bucket: Bucket) => void): void {
  const counts = Array.from({ length: LEVELS + 1 }, () => 0)
  // Level 0 is for buckets that refuse; a bucket that would admit a request is never in it.
  const levelOf = ({ tokens }: Bucket) => (tokens < 1 ? 0 : Math.max(1, Math.floor((tokens / burst) * LEVELS)))
  for (const [key, bucket] of buckets) {
    refill(bucket)
    if (bucket.tokens >= burst) buckets.delete(key)
    else counts[levelOf(bucket)]! += 1
  }
  let excess = buckets.size - (BUCKETS_MAX - ROOM)
  for (let level = LEVELS; level >= 0 && excess > 0; level -= 1) {
    if (counts[level] === 0) continue
    for (const [key, bucket] of buckets) {
      if (levelOf(bucket) !== level) continue
      buckets.delete(key)
      excess -= 1
      if (excess === 0) break
    }
  }
}
