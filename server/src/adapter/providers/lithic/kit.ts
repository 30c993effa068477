// What the steps of the Lithic provider share.
import { createHash } from 'node:crypto'
import type { ProviderObject, Refused } from '../../provider.ts'
import { refuse } from '../../provider-kit/outcomes.ts'
import type { Api } from './api.ts'
import type { CardMode, LithicSettings } from './settings.ts'

export interface Kit {
  readonly api: Api
  readonly settings: LithicSettings
}

/** A card keeps the mode in which it was made. One that an operator linked has the mode of the settings. */
export function modeOf({ settings }: Kit, { facts }: ProviderObject): CardMode {
  const { mode } = facts
  return mode === 'balance' || mode === 'limit' ? mode : settings.mode
}

export function needsFundingAccount(): Refused {
  return refuse(
    'funding_account_missing',
    'LITHIC_FUNDING_ACCOUNT is not set, so no money can be moved to or from cards.',
  )
}

/** Returns the UUID of a step's transfer, which is always the same for the same request and step. RFC 9562 leaves version 8 to us. */
export function tokenOf(requestToken: string, stepName: string): string {
  const hex = createHash('sha256').update(`cardstock lithic ${requestToken} ${stepName}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns a whole number as JSON has it. An amount of our protocol is far below the limit. */
export function toInteger(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < 0n) throw new RangeError('not a number that JSON can carry')
  return Number(value)
}
