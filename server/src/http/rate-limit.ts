// Token buckets in memory: a steady rate and a burst per key. Each process counts alone, so several processes multiply
// the rate.

export interface RatePolicy {
  readonly name: string
  readonly perSecond: number
  readonly burst: number
}

export interface RateDecision {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
}

interface Bucket {
  tokens: number
  atMs: number
}

/** At this many buckets, those that are full again are dropped, because a new bucket is full too. */
const BUCKETS_MAX = 100_000

export interface RateLimiter {
  /** Takes one token; an empty bucket refuses. */
  take(key: string): RateDecision
  /** Returns a token that was taken before it was known whether it should count. */
  giveBack(key: string): void
}

export function createRateLimiter(policy: RatePolicy, nowMs: () => number): RateLimiter {
  const buckets = new Map<string, Bucket>()
  const windowSeconds = Math.max(1, Math.ceil(policy.burst / policy.perSecond))
  const policyHeader = `"${policy.name}";q=${policy.burst};w=${windowSeconds}`

  const refill = (bucket: Bucket, now: number) => {
    bucket.tokens = Math.min(policy.burst, bucket.tokens + ((now - bucket.atMs) * policy.perSecond) / 1000)
    bucket.atMs = now
  }
  const prune = (now: number) => {
    for (const [key, bucket] of buckets) {
      refill(bucket, now)
      if (bucket.tokens >= policy.burst) buckets.delete(key)
    }
    // None was full, so this is an attack with very many keys. Dropping them hurts honest clients less than refusing new ones.
    if (buckets.size >= BUCKETS_MAX) buckets.clear()
  }
  return {
    giveBack(key) {
      const bucket = buckets.get(key)
      if (bucket !== undefined) bucket.tokens = Math.min(policy.burst, bucket.tokens + 1)
    },
    take(key) {
      const now = nowMs()
      let bucket = buckets.get(key)
      if (bucket === undefined) {
        if (buckets.size >= BUCKETS_MAX) prune(now)
        bucket = { tokens: policy.burst, atMs: now }
        buckets.set(key, bucket)
      } else {
        refill(bucket, now)
      }
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      const untilFull = Math.ceil((policy.burst - bucket.tokens) / policy.perSecond)
      const headers: Record<string, string> = {
        'ratelimit-policy': policyHeader,
        ratelimit: `"${policy.name}";r=${Math.floor(bucket.tokens)};t=${untilFull}`,
      }
      if (!allowed) headers['retry-after'] = String(Math.max(1, Math.ceil((1 - bucket.tokens) / policy.perSecond)))
      return { allowed, headers }
    },
  }
}
