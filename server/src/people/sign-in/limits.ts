// Limits failed sign-ins per account and per address. The account is limited whether or not it exists, so that the limit tells
// nothing about it. Each process counts alone, like the other limits.
import type { Config } from '../../config.ts'
import { ApiError } from '../../errors.ts'
import { createRateLimiter } from '../../http/rate-limit.ts'

const WINDOW_SECONDS = 15 * 60

export interface SignInLimits {
  /** Counts a try before its outcome is known. Refuses when the account or the address has failed too often. */
  take(account: string, address: string): void
  /** Gives the try back because it succeeded. */
  giveBack(account: string, address: string): void
}

export function createSignInLimits(config: Config['people']): SignInLimits {
  const create = (name: string, burst: number) =>
    createRateLimiter({ name, perSecond: burst / WINDOW_SECONDS, burst }, () => performance.now())
  const byAccount = create('account', config.failedSignInsPerAccount)
  const byAddress = create('address', config.failedSignInsPerAddress)
  return {
    take(account, address) {
      for (const decision of [byAddress.take(address), byAccount.take(account)]) {
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
