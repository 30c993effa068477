// Signs people in with their e-mail address, password and second factor. An unknown account costs the same work and gets the same answer as a
// wrong password.
import { ApiError } from '../../errors.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { findPersonByEmail } from '../queries.ts'
import { normaliseEmail } from '../rules.ts'
import { findSecondFactors } from '../second-factor/queries.ts'
import { requireCode } from '../second-factor/second-factor.ts'
import { startSession, type Started, type Visit } from '../sessions/start.ts'

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
  await signInLimits.take(account, visit.address)
  const person = await findPersonByEmail(db, account)
  const isRight = await passwords.verify(password, person?.password ?? null)
  if (person === undefined || !isRight) throw invalidCredentials()
  const methods = await listMethods(deps, person.id)
  const isVerified = methods.length > 0
  if (isVerified && code === undefined) {
    signInLimits.giveBack(account, visit.address)
    throw new ApiError('second_factor_required', isOnlyPasskey(methods) ? ONLY_PASSKEY : WITH_CODE, {
      details: { methods },
    })
  }
  // A wrong code counts as a failed sign-in.
  if (isVerified) await requireCode(deps, visit, { ...person, personId: person.id }, code ?? '')
  signInLimits.giveBack(account, visit.address)
  const { credentials_version: version } = person
  const started = await startSession(deps, visit, person, { version, verifiedAt: isVerified ? clock.now() : null })
  if (started === undefined) throw credentialsChanged()
  return started
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
