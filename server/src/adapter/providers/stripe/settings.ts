// What the Stripe provider needs to know.
import type { Transmit } from '../../../issuer/http/transmit.ts'
import type { Clock } from '../../../lib/clock.ts'

export interface StripeSettings {
  /** sk_test_… or rk_test_… for test cards, sk_live_… or rk_live_… for real ones. */
  readonly secretKey: string
  /** The address of Stripe's API. */
  readonly url: string
  /** Our products that are virtual cards. No other cards are made. */
  readonly virtualProducts: ReadonlySet<string>
  readonly clock: Clock
  readonly timeoutMs?: number
  readonly transmit?: Transmit
}

export const STRIPE_URL = 'https://api.stripe.com'

/** Returns which side of Stripe a key belongs to, or undefined if it is not a secret key of Stripe. */
export function findMode(secretKey: string): 'test' | 'live' | undefined {
  const mode = /^(?:sk|rk)_(test|live)_\w+$/.exec(secretKey)?.[1]
  return mode === 'test' || mode === 'live' ? mode : undefined
}
