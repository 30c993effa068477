// Signs people in with their e-mail address, password and second factor. An unknown account costs the same work and gets the same answer as a
// wrong password.
import { ApiError } from '../../errors.ts'
import { networkOf } from '../../lib/client-address.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { findPersonByEmail } from '../queries.ts'
import { normaliseEmail } from '../rules.ts'
import { findSecondFactors } from '../second-factor/queries.ts'
import { requireCode } from '../second-factor/second-factor.ts'
import { listSignInAddresses } from '../sessions/queries.ts'
import { startSession, type Started, type Visit } from '../sessions/start.ts'
import { findKnownBrowser } from './known-browser.ts'
import { clientOf } from './limits.ts'

type Method = 'totp' | 'passkey' | 'recovery_code'

const WITH_CODE =
  'Send a code of your authenticator app as well, or a recovery code. A passkey signs in without the password.'
const ONLY_PASSKEY = 'This account has a passkey. Sign in with the passkey instead of the password.'

export function invalidCredentials(): ApiError {
  return new ApiError('invalid_credentials', 'The e-mail address or the password is wrong. Check both and try again.')
}

/** For a sign-in that was right when it began, and is not any more. */
export function credentialsChanged(): ApiError {
  return new ApiError(
    'invalid_credentials',
    'The password or the second factor of this account has just been changed. Sign in again.',
  )
}

export async function signIn(
  deps: PeopleDeps,
  visit: Visit,
  { email, password, code }: { email: string; password: string; code?: string },
): Promise<Started> {
  const { db, clock, passwords, signInLimits } = deps
  const account = normaliseEmail(email)
  const client = clientOf(visit.address, findKnownBrowser(deps, visit, account))
  const counted = await signInLimits.password(account, client, () => hasSignedInFrom(deps, visit, account))
  const person = await findPersonByEmail(db, account)
  const place = { client: client.key, account, isKnown: client.isKnown }
  const isRight = await passwords.verify(password, person?.password ?? null, place)
  if (person === undefined || !isRight) throw invalidCredentials()
  const methods = await listMethods(deps, person.id)
  const isVerified = methods.length > 0
  if (isVerified && code === undefined) {
    counted.succeeded()
    throw new ApiError('second_factor_required', isOnlyPasskey(methods) ? ONLY_PASSKEY : WITH_CODE, {
      details: { methods },
    })
  }
  if (isVerified) {
    // A wrong code counts as a failed sign-in, and once more against the account.
    const countedCode = await signInLimits.code(account, client)
    await requireCode(deps, visit, { ...person, personId: person.id }, code ?? '')
    countedCode.succeeded()
  }
  counted.succeeded()
  const { credentials_version: version } = person
  const started = await startSession(deps, visit, person, { version, verifiedAt: isVerified ? clock.now() : null })
  if (started === undefined) throw credentialsChanged()
  return started
}

/** Reports whether the account has signed in from this address (IPv6: its network) as long as sessions are remembered. */
async function hasSignedInFrom({ db }: PeopleDeps, { address }: Visit, account: string): Promise<boolean> {
  const rows = await listSignInAddresses(db, account)
  return rows.some((row) => networkOf(row.address) === networkOf(address))
}

function isOnlyPasskey(methods: readonly Method[]): boolean {
  return methods.every((method) => method === 'passkey')
}

/** Returns the second factors that the person can prove; none when they have not set up any. */
async function listMethods({ db }: PeopleDeps, personId: string): Promise<Method[]> {
  const { has_totp, passkeys, recovery_codes_left } = must(await findSecondFactors(db, personId))
  const factors: Method[] = [...(has_totp ? (['totp'] as const) : []), ...(passkeys > 0 ? (['passkey'] as const) : [])]
  return factors.length === 0 || recovery_codes_left === 0 ? factors : [...factors, 'recovery_code']
}
