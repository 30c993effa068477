// Asks people for their password again before what a borrowed session must not do.
import type { Session } from '../access/session.ts'
import { ApiError } from '../errors.ts'
import { must } from '../lib/invariant.ts'
import type { PeopleDeps } from './deps.ts'
import type { Place } from './password-queue.ts'
import { findPerson } from './queries.ts'
import { invalidCredentials } from './sign-in/sign-in.ts'

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
    throw new ApiError('password_required', 'Send your password again, so that nobody else can take over your account.')
  }
  await checkOwnPassword(deps, session, password)
}

/** Returns the hash of the password, or refuses. Wrong passwords count against the session. Null: there is none to check. */
export async function checkOwnPassword(
  { db, passwords, signInLimits }: PeopleDeps,
  session: Session,
  password: string,
): Promise<string | null> {
  const { password: stored } = must(await findPerson(db, session.personId))
  if (stored === null) return null
  const counted = await signInLimits.session(session.id)
  if (!(await passwords.verify(password, stored, placeOf(session)))) throw invalidCredentials()
  counted.succeeded()
  return stored
}

/** All sessions of a person have one place in turn, so that several of them gain nothing. */
export function placeOf({ personId }: Pick<Session, 'personId'>): Place {
  return { client: `person ${personId}`, account: personId, isKnown: true }
}
