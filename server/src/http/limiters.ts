// The rate limits of all authenticated calls, and of failed authentications.
import { ApiError } from '../errors.ts'
import type { BucketStore } from './buckets.ts'
import { createRateLimiter, type RateDecision, type RateLimiter } from './rate-limit.ts'

export interface Limits {
  readonly keyPerSecond: number
  readonly keyBurst: number
  readonly statementPerSecond: number
  readonly operatorPerSecond: number
  readonly failedAuthenticationPerMinute: number
}

/** Called as soon as the rate is known, so that later refusals have the headers too. */
export type AnnounceRate = (headers: RateDecision['headers']) => void

export function createLimiters(limits: Limits, store?: BucketStore) {
  const create = (name: string, perSecond: number, burst: number) =>
    createRateLimiter({ name, perSecond, burst }, () => performance.now(), store)
  const { keyPerSecond, keyBurst, statementPerSecond, operatorPerSecond, failedAuthenticationPerMinute } = limits
  return {
    keyLimiter: create('key', keyPerSecond, keyBurst),
    /** For calls that have a separate limit, by the name that their route gives it. */
    ownLimiters: { statements: create('statements', statementPerSecond, statementPerSecond) },
    operatorLimiter: create('operator', operatorPerSecond, operatorPerSecond * 2),
    failureLimiter: create('failed-authentication', failedAuthenticationPerMinute / 60, failedAuthenticationPerMinute),
  }
}

/** States every policy that applies, and refuses the request if one is used up. */
export async function takeRate(
  limiters: readonly RateLimiter[],
  key: string,
  { announceRate }: { announceRate: AnnounceRate },
): Promise<void> {
  const announced: Record<string, string> = {}
  let allowed = true
  for (const limiter of limiters) {
    if (!allowed) break
    const decision = await limiter.take(key)
    for (const [name, value] of Object.entries(decision.headers)) {
      announced[name] = announced[name] === undefined ? value : `${announced[name]}, ${value}`
    }
    allowed = decision.allowed
  }
  announceRate(announced)
  if (!allowed) {
    throw new ApiError(
      'rate_limited',
      'Too many requests. Wait as long as Retry-After says, then send them more slowly.',
    )
  }
}
