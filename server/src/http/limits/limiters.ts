// The rate limits of all authenticated calls, and of failed authentications.
import { ApiError } from '../../errors.ts'
import type { BucketStore } from './buckets.ts'
import { createRateLimiter, type RateDecision, type RateLimiter } from './rate-limit.ts'

export interface Limits {
  readonly keyPerSecond: number
  readonly keyBurst: number
  readonly statementPerSecond: number
  readonly operatorPerSecond: number
  readonly failedAuthenticationPerMinute: number
  readonly personChangesPerHour: number
}

/** People change their own account rarely; all people of a company together change more than one of them. */
const ACCOUNT_SHARE = 0.1
const COMPANY_SHARE = 10

/** Called as soon as the rate is known, so that later refusals have the headers too. */
export type AnnounceRate = (headers: RateDecision['headers']) => void

export function createLimiters(limits: Limits, store?: BucketStore) {
  const create = (name: string, perSecond: number, burst: number) =>
    createRateLimiter({ name, perSecond, burst }, () => performance.now(), store)
  const { keyPerSecond, keyBurst, statementPerSecond, operatorPerSecond, failedAuthenticationPerMinute } = limits
  const perHour = (name: string, changes: number) => create(name, changes / 3600, changes)
  const { personChangesPerHour: changes } = limits
  return {
    /** For what people change: each change is in the audit log, which is kept for ever. */
    changeLimiters: {
      account: perHour('account-changes', Math.ceil(changes * ACCOUNT_SHARE)),
      person: perHour('person-changes', changes),
      company: perHour('company-changes', changes * COMPANY_SHARE),
    },
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
  let announced: RateDecision['headers'] = {}
  let allowed = true
  for (const limiter of limiters) {
    if (!allowed) break
    const taken = limiter.take(key)
    const decision = taken instanceof Promise ? await taken : taken
    announced = limiter === limiters[0] ? decision.headers : join(announced, decision.headers)
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

function join(first: RateDecision['headers'], second: RateDecision['headers']): RateDecision['headers'] {
  const joined: Record<string, string> = { ...first }
  for (const [name, value] of Object.entries(second)) {
    joined[name] = joined[name] === undefined ? value : `${joined[name]}, ${value}`
  }
  return joined
}

export type ChangeLimiters = ReturnType<typeof createLimiters>['changeLimiters']

/** Counts a change of a person, and refuses it if there were too many, so that nobody can fill the disk with audit records. */
export async function takeChange(limiter: RateLimiter, key: string): Promise<void> {
  const { allowed, headers } = await limiter.take(key)
  if (allowed) return
  const wait = headers['retry-after'] ?? '1'
  throw new ApiError(
    'rate_limited',
    `You made too many changes within an hour. Try again in ${wait} s, or use an API key for many changes.`,
    { headers: { 'retry-after': wait } },
  )
}
