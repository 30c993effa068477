// Limits the calls to the live issuer for which somebody waits, in all and for each company: a company whose calls hang leaves places for the others.
import { ApiError } from '../../errors.ts'
import { unavailable } from '../../http/respond-error.ts'
import { createCompanyPermits } from '../../lib/company-permits.ts'
import type { Scope } from '../../lib/scope.ts'

/** Calls of one kind at the same time. They are answered at once, so more are under way only if the issuer hangs. */
const CALLS_MAX = 10
/** Calls of one company at the same time: it must not take all of CALLS_MAX. */
const CALLS_PER_COMPANY = 2
/** Calls of one company that wait for another one. More are refused. */
const CALLS_WAITING_MAX = 20
/** Sent with a refused call: longer than most calls take. */
const RETRY_AFTER_S = 5

/** Asks the issuer, and refuses with `rate_limited` or `unavailable` if there is no place or no answer. */
export type CompanyCall = <Result>(scope: Scope, ask: () => Promise<Result | undefined>) => Promise<Result>

/** `about` says what the calls are about, in the message to a company that has too many. */
export function createCompanyCall(about: string): CompanyCall {
  let callsUnderWay = 0
  const permits = createCompanyPermits({ perCompany: CALLS_PER_COMPANY, waitingMax: CALLS_WAITING_MAX })
  return async ({ companyId }, ask) => {
    const place = permits.take(companyId)
    if (place === undefined) throw tooMany(about)
    const release = await place
    try {
      if (callsUnderWay >= CALLS_MAX) throw unavailable()
      callsUnderWay += 1
      const result = await ask().finally(() => (callsUnderWay -= 1))
      if (result === undefined) throw unavailable()
      return result
    } finally {
      release?.()
    }
  }
}

function tooMany(about: string): ApiError {
  const message = `This company already has ${CALLS_PER_COMPANY} calls about ${about} in progress at the issuer, and many wait. Try again in ${RETRY_AFTER_S} seconds.`
  return new ApiError('rate_limited', message, { headers: { 'retry-after': String(RETRY_AFTER_S) } })
}
