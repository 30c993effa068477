// Decides whether a request is within its rate, and says so in headers. The buckets are those of this process, or shared ones
// while their store answers.
import { type BucketStore, createBuckets, type RatePolicy, type Taken } from './buckets.ts'

export interface RateDecision {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
}

export interface RateLimiter {
  /** Takes one token; an empty bucket refuses. */
  take(key: string): RateDecision | Promise<RateDecision>
  /** Returns a token that was taken before it was known whether it should count. */
  giveBack(key: string): void
}

export function createRateLimiter(policy: RatePolicy, nowMs: () => number, store?: BucketStore): RateLimiter {
  const own = createBuckets(policy, nowMs)
  const decide = createDecide(policy)
  return {
    giveBack(key) {
      own.giveBack(key)
      store?.giveBack(policy, key)
    },
    take(key) {
      if (store === undefined) return decide(own.take(key))
      return store.take(policy, key).then((taken) => decide(taken ?? own.take(key)))
    },
  }
}

function createDecide({ name, perSecond, burst }: RatePolicy): (taken: Taken) => RateDecision {
  const windowSeconds = Math.max(1, Math.ceil(burst / perSecond))
  const policyHeader = `"${name}";q=${burst};w=${windowSeconds}`
  return ({ allowed, tokens }) => {
    const untilFull = Math.ceil((burst - tokens) / perSecond)
    const headers: Record<string, string> = {
      'ratelimit-policy': policyHeader,
      ratelimit: `"${name}";r=${Math.floor(tokens)};t=${untilFull}`,
    }
    if (!allowed) headers['retry-after'] = String(Math.max(1, Math.ceil((1 - tokens) / perSecond)))
    return { allowed, headers }
  }
}
