// Asks people for their password again before what a borrowed session must not do.
import type { Session } from '../access/session.ts'
import { ApiError } from '../errors.ts'
import { must } from '../lib/invariant.ts'
import type { PeopleDeps } from './deps.ts'
import { findPerson } from './queries.ts'
import type { Visit } from './sessions/start.ts'
import { invalidCredentials } from './sign-in/sign-in.ts'

/**
 * Refuses a first second factor, or another e-mail address, without the password. Whoever has a second factor proves that instead, which the route asks
 * for. Somebody without a password has come by a one-time link and has nothing else to prove.
 */
export async function requireOwnPassword(
  deps: PeopleDeps,
  visit: Visit,
  session: Session,
  password: string | undefined,
): Promise<void> {
  if (session.hasSecondFactor || !session.hasPassword) return
  if (password === undefined) {
    throw new ApiError('password_required', 'Send your password again, so that nobody else can take over your account.')
  }
  await checkOwnPassword(deps, visit, session, password)
}

/** Returns the hash of the password, or refuses. Wrong passwords count like failed sign-ins. Null: there is none to check. */
export async function checkOwnPassword(
  { db, passwords, signInLimits }: PeopleDeps,
  visit: Visit,
  session: Session,
  password: string,
): Promise<string | null> {
  const { password: stored } = must(await findPerson(db, session.personId))
  if (stored === null) return null
  await signInLimits.take(session.email, visit.address)
  if (!(await passwords.verify(password, stored))) throw invalidCredentials()
  signInLimits.giveBack(session.email, visit.address)
  return stored
}
