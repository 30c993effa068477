// Limits sign-ins, and other proofs of who somebody is, so that nobody can guess passwords and nobody can keep others out. Strangers
// are counted by address, and by account and address. A cap per account bounds guessing from very many addresses; no single
// address can reach it, and it does not hold for browsers and addresses from which the person has signed in before. Signed-in
// people are counted by their session. An account is counted whether or not it exists, so that the limits tell nothing about it.
import type { Config } from '../../config/config.ts'
import { ApiError } from '../../errors.ts'
import type { BucketStore } from '../../http/limits/buckets.ts'
import { createRateLimiter, type RateDecision, type RateLimiter } from '../../http/limits/rate-limit.ts'
import { networkOf } from '../../lib/client-address.ts'

/** Long enough that guessing leads nowhere, short enough for somebody who mistyped to wait. */
const WINDOW_SECONDS = 15 * 60
/**
 * Failed tries of an account from all addresses together: a hundred times what one address may, and never fewer than a thousand. That
 * is 35 million tries in a year, far fewer than the guesses that the worst accepted password needs.
 */
const ACCOUNT_CAP_FACTOR = 100
const ACCOUNT_CAP_MIN = 1000

/** Who tries: a browser in which the account has signed in before, or anybody at an address. */
export interface Client {
  /** A browser's id, or an address (IPv6: its network). */
  readonly key: string
  readonly isKnown: boolean
}

/** A try that was counted before its outcome is known, so that concurrent guesses all count. */
export interface Try {
  /** The failure that was counted is taken back. That there was a try still counts. */
  succeeded(): void
}

export interface SignInLimits {
  /** `isKnownAddress` is asked only when the account has failed too often. */
  password(account: string, client: Client, isKnownAddress: () => Promise<boolean>): Promise<Try>
  /** For a code that comes with the right password. */
  code(account: string, client: Client): Promise<Try>
  passkey(passkey: string, address: string): Promise<Try>
  link(address: string): Promise<Try>
  /** For whatever somebody who is signed in proves again. */
  session(sessionId: string): Promise<Try>
}

export function clientOf(address: string, knownBrowser: string | undefined): Client {
  if (knownBrowser !== undefined) return { key: `browser ${knownBrowser}`, isKnown: true }
  return { key: networkOf(address), isKnown: false }
}

export function createSignInLimits(config: Config['people'], store?: BucketStore): SignInLimits {
  const create = (name: string, burst: number) =>
    createRateLimiter({ name, perSecond: burst / WINDOW_SECONDS, burst }, () => performance.now(), store)
  const { failedSignInsPerAccount, failedSignInsPerAddress, signInsPerAccount, signInsPerAddress } = config
  const cap = Math.max(ACCOUNT_CAP_MIN, ACCOUNT_CAP_FACTOR * failedSignInsPerAccount)
  const byAddress = [
    { limiter: create('sign-ins-address', signInsPerAddress) },
    { limiter: create('failed-sign-ins-address', failedSignInsPerAddress), onlyFailures: true },
  ]
  const byAccountAndClient = [
    { limiter: create('sign-ins', signInsPerAccount) },
    { limiter: create('failed-sign-ins', failedSignInsPerAccount), onlyFailures: true },
  ]
  const byAccount = { limiter: create('failed-sign-ins-account', cap), onlyFailures: true }
  // Six digits are guessed sooner than a password. Only those who know the password can use these up.
  const codesByAccount = { limiter: create('failed-codes-account', failedSignInsPerAccount), onlyFailures: true }
  const on = (key: string, counts: readonly Count[]): Claim[] => counts.map((count) => ({ ...count, key }))
  return {
    // An address that is refused takes nothing from the account. Otherwise it could keep the account's owner out.
    password: (account, { key, isKnown }, isKnownAddress) =>
      takeAll([
        ...(isKnown ? [] : on(key, byAddress)),
        ...on(`${key} ${account}`, byAccountAndClient),
        ...(isKnown ? [] : on(account, [{ ...byAccount, unless: isKnownAddress }])),
      ]),
    code: (account, { isKnown }) => takeAll(isKnown ? [] : on(account, [codesByAccount])),
    // Passkeys and links have addresses of their own, so that wrong passwords from a shared address do not use them up.
    passkey: (passkey, address) =>
      takeAll([
        ...on(`passkey ${networkOf(address)}`, byAddress),
        ...on(`passkey ${networkOf(address)} ${passkey}`, byAccountAndClient),
      ]),
    link: (address) => takeAll(on(`link ${networkOf(address)}`, byAddress)),
    session: (sessionId) => takeAll(on(`session ${sessionId}`, byAccountAndClient)),
  }
}

interface Count {
  readonly limiter: RateLimiter
  readonly onlyFailures?: boolean
  /** Admits a try although the bucket is empty. */
  readonly unless?: () => Promise<boolean>
}

interface Claim extends Count {
  readonly key: string
}

/** Takes a token for each claim in this order, and none after one that refuses. */
async function takeAll(claims: readonly Claim[]): Promise<Try> {
  const failures: Claim[] = []
  for (const claim of claims) {
    const decision = await claim.limiter.take(claim.key)
    if (!decision.allowed && (await claim.unless?.()) !== true) throw tooMany(decision)
    if (decision.allowed && claim.onlyFailures === true) failures.push(claim)
  }
  return {
    succeeded() {
      for (const { limiter, key } of failures) limiter.giveBack(key)
    },
  }
}

function tooMany({ headers }: RateDecision): ApiError {
  const wait = headers['retry-after'] ?? '1'
  return new ApiError('rate_limited', `Too many attempts. Try again in ${wait} s.`, {
    headers: { 'retry-after': wait },
  })
}
