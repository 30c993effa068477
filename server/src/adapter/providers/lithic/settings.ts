// What the Lithic provider needs to know.
import type { Transmit } from '../../../issuer/http/transmit.ts'
import type { Clock } from '../../../lib/clock.ts'

export type CardMode = 'balance' | 'limit'

export interface LithicSettings {
  readonly apiKey: string
  /** The address of Lithic's API. */
  readonly url: string
  /** What the money of a new card is: a balance of its own, or a limit on what may be spent. */
  readonly mode: CardMode
  /** The financial account that pays for cards with a balance. */
  readonly fundingAccount: string | undefined
  /** Lithic's code for our book transfers, which it agrees on with each programme. */
  readonly transferSubtype: string
  readonly cardProgram: string | undefined
  /** Our products that are virtual cards. */
  readonly virtualProducts: ReadonlySet<string>
  /** Our products that are physical cards, with the card design that Lithic calls product_id. */
  readonly physicalProducts: ReadonlyMap<string, string>
  readonly clock: Clock
  readonly timeoutMs?: number
  readonly transmit?: Transmit
}

export const PRODUCTION_URL = 'https://api.lithic.com'
export const SANDBOX_URL = 'https://sandbox.lithic.com'
