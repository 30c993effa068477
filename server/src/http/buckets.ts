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

/** At this many buckets, those that are full again are dropped, because a new bucket is full too. */
const BUCKETS_MAX = 100_000

export function createBuckets({ perSecond, burst }: RatePolicy, nowMs: () => number): Buckets {
  const buckets = new Map<string, Bucket>()
  const refill = (bucket: Bucket, now: number) => {
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) * perSecond) / 1000)
    bucket.atMs = now
  }
  const prune = (now: number) => {
    for (const [key, bucket] of buckets) {
      refill(bucket, now)
      if (bucket.tokens >= burst) buckets.delete(key)
    }
    // None was full, so this is an attack with very many keys. Dropping them hurts honest clients less than refusing new ones.
    if (buckets.size >= BUCKETS_MAX) buckets.clear()
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
        if (buckets.size >= BUCKETS_MAX) prune(now)
        bucket = { tokens: burst, atMs: now }
        buckets.set(key, bucket)
      } else {
        refill(bucket, now)
      }
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      return { allowed, tokens: bucket.tokens }
    },
  }
}
