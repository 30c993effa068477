// Asks people for their password again before what a borrowed session must not do.
import type { Session } from '../access/session.ts'
import { ApiError } from '../errors.ts'
import { must } from '../lib/invariant.ts'
import type { PeopleDeps } from './deps.ts'
import type { Place } from './password-queue.ts'
import { findPerson } from './queries.ts'

/**
 * Refuses a first second factor, or another e-mail address, without the password. Whoever has a second factor proves that instead, which the route asks
 * for. Somebody without a password has come by a one-time link and has nothing else to prove.
 */
export async function requireOwnPassword(
  deps: PeopleDeps,
  session: Session,
  password: string | undefined,
): Promise<void> {
  if (session.hasSecondFactor || !session.hasPassword) return
  if (password === undefined) {
    throw new ApiError(
      'password_required',
      'Enter your password again, so that nobody else can take over your account.',
      { param: 'password' },
    )
  }
  await checkOwnPassword(deps, session, password, 'password')
}

/**
 * Returns the hash of the password, or refuses. Wrong passwords count against the session. Null: there is none to check. `param` is the field that has
 * the password.
 */
export async function checkOwnPassword(
  { db, passwords, signInLimits }: PeopleDeps,
  session: Session,
  password: string,
  param: 'password' | 'currentPassword',
): Promise<string | null> {
  const { password: stored } = must(await findPerson(db, session.personId))
  if (stored === null) return null
  const counted = await signInLimits.session(session.id)
  if (!(await passwords.verify(password, stored, placeOf(session))))
    throw new ApiError('invalid_credentials', 'The password is wrong. Check it and try again.', { param })
  counted.succeeded()
  return stored
}

/** All sessions of a person have one place in turn, so that several of them gain nothing. */
export function placeOf({ personId }: Pick<Session, 'personId'>): Place {
  return { client: `person ${personId}`, account: personId, isKnown: true }
}
