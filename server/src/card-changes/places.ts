// Limits the card changes that one company has under way in this process. All companies share the calls to an issuer, and one that
// changes all its cards at once must not keep the others from stopping a stolen one.
import { ApiError } from '../errors.ts'
import type { Gate, Gates } from '../issuer/gate.ts'
import { type CompanyPermits, createCompanyPermits } from '../lib/company-permits.ts'
import type { Scope } from '../lib/scope.ts'
import type { CardAction } from './states.ts'

/** Of the calls that the issuer takes at a time: ten of fifty. */
const COMPANY_SHARE = 0.2
/** As many as a key may send at once. What waits takes memory only. */
const WAITING_MAX = 200
/** As long as a call waits for a place at the issuer. A change must not be sent long after its client has given up. */
const WAIT_MAX_MS = 2_000
/** Sent with a refused change: longer than most calls take. */
const RETRY_AFTER_S = 5

/** Resolves with the function that gives the place back. Refuses with 429 if the company has too many changes under way. */
export type TakePlace = (scope: Scope, action: CardAction) => Promise<() => void>

export function createChangePlaces(gates: Gates): TakePlace {
  const places = new Map<string, CompanyPermits>()
  return async ({ companyId, environment }, action) => {
    // Stopping a card does not wait for those that are made usable again.
    const line = `${environment} ${action === 'unfreeze' ? 'unfreezing' : 'stopping'}`
    const permits = places.get(line) ?? createPermits(gates[environment])
    places.set(line, permits)
    const release = await permits.take(companyId, AbortSignal.timeout(WAIT_MAX_MS))
    if (release === undefined) throw tooMany()
    return release
  }
}

function createPermits(gate: Gate | undefined): CompanyPermits {
  const perCompany = Math.max(1, Math.floor((gate?.issuer.callsMax ?? 0) * COMPANY_SHARE))
  return createCompanyPermits({ perCompany, waitingMax: WAITING_MAX })
}

function tooMany(): ApiError {
  return new ApiError(
    'rate_limited',
    `This company has too many card changes under way. The card is unchanged. Try again in ${RETRY_AFTER_S} seconds.`,
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  )
}
