// Limits failed sign-ins per account and per address. The account is limited whether or not it exists, so that the limit tells
// nothing about it.
import type { Config } from '../../config.ts'
import { ApiError } from '../../errors.ts'
import type { BucketStore } from '../../http/buckets.ts'
import { createRateLimiter } from '../../http/rate-limit.ts'

const WINDOW_SECONDS = 15 * 60

export interface SignInLimits {
  /** Counts a try before its outcome is known. Refuses when the account or the address has failed too often. */
  take(account: string, address: string): Promise<void>
  /** Gives the try back because it succeeded. */
  giveBack(account: string, address: string): void
}

export function createSignInLimits(config: Config['people'], store?: BucketStore): SignInLimits {
  const create = (name: string, burst: number) =>
    createRateLimiter({ name, perSecond: burst / WINDOW_SECONDS, burst }, () => performance.now(), store)
  const byAccount = create('account', config.failedSignInsPerAccount)
  const byAddress = create('address', config.failedSignInsPerAddress)
  return {
    async take(account, address) {
      for (const decision of await Promise.all([byAddress.take(address), byAccount.take(account)])) {
        if (decision.allowed) continue
        throw new ApiError('rate_limited', 'Too many sign-ins failed. Wait as long as Retry-After says.', {
          headers: { 'retry-after': decision.headers['retry-after'] ?? '1' },
        })
      }
    },
    giveBack(account, address) {
      byAddress.giveBack(address)
      byAccount.giveBack(account)
    },
  }
}
