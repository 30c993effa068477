// Looks up what a request shows as proof of who sends it, and counts the failures of each address (IPv6: of each network).
import type { LookUp } from '../access/keyring.ts'
import { ApiError } from '../errors.ts'
import { networkOf } from '../lib/client-address.ts'
import type { RateDecision, RateLimiter } from './limits/rate-limit.ts'

export interface Identify {
  /** Counts a failure that cost no look-up, and returns the refusal to answer with. */
  refuse(address: string, refusal: ApiError): Promise<ApiError>
  /**
   * Looks up a token that the cache does not know. The failure is counted before the look-up, so that concurrent guesses
   * all count; a valid token gives the count back. An address that failed too often causes no query of its own: its
   * tokens are looked up together a few times a second, so that a valid one among them is delayed once, not blocked.
   */
  find<Value>(lookUp: LookUp<Value>, token: string, address: string, refusal: () => ApiError): Promise<Value>
}

export function createIdentify(failureLimiter: RateLimiter): Identify {
  return {
    async refuse(address, refusal) {
      const decision = await failureLimiter.take(networkOf(address))
      return decision.allowed ? refusal : tooManyFailures(decision)
    },
    async find(lookUp, token, address, refusal) {
      const decision = await failureLimiter.take(networkOf(address))
      let isFailure = false
      try {
        const found = await (decision.allowed ? lookUp.now(token) : lookUp.later(token))
        isFailure = found === undefined
        if (found !== undefined) return found
      } finally {
        if (!isFailure && decision.allowed) failureLimiter.giveBack(networkOf(address))
      }
      throw decision.allowed ? refusal() : tooManyFailures(decision)
    },
  }
}

function tooManyFailures({ headers }: RateDecision): ApiError {
  return new ApiError(
    'rate_limited',
    'Too many authentications from this address failed. Wait, then send a valid key.',
    { headers },
  )
}
