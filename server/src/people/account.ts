// What people change about their own account: name, e-mail address and password.
import { type Actor, auditRecord } from '../access/audit.ts'
import { rightLost } from '../access/right.ts'
import type { Session } from '../access/session.ts'
import { isUniqueViolation } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { PeopleDeps } from './deps.ts'
import { checkOwnPassword, placeOf, requireOwnPassword } from './own-password.ts'
import type { Place } from './password-queue.ts'
import { findPasswordProblem } from './password-strength.ts'
import * as queries from './queries.ts'
import { normaliseEmail } from './rules.ts'
import { startSession, type Started, type Visit } from './sessions/start.ts'
import { credentialsChanged, invalidCredentials } from './sign-in/sign-in.ts'

/** Returns the hash of a password that is good enough, or refuses. */
export async function requireNewPassword(
  { passwords }: Pick<PeopleDeps, 'passwords'>,
  password: string | undefined,
  person: { email: string; name?: string },
  place: Place,
  param = 'password',
): Promise<string> {
  if (password === undefined)
    throw new ApiError('validation_failed', 'body.password is required for this link.', { param })
  const problem = await findPasswordProblem(password, person)
  if (problem !== undefined)
    throw new ApiError('password_refused', `The password ${problem}. Choose another one.`, { param })
  return passwords.hash(password, place)
}

/** Ends every session and link of the person, and starts a new one for the browser that asked. */
export async function changePassword(
  deps: PeopleDeps,
  visit: Visit,
  { session, actor }: { session: Session; actor: Actor },
  { currentPassword, newPassword }: { currentPassword?: string; newPassword: string },
): Promise<Started> {
  const { db, clock } = deps
  const from = await checkOwnPassword(deps, session, currentPassword ?? '', 'currentPassword')
  const to = await requireNewPassword(deps, newPassword, session, placeOf(session), 'newPassword')
  const line = auditRecord(clock, actor, { action: 'password.changed', object: formatId('per', session.personId) })
  const change = { from, to, at: clock.now() }
  const { version } = must(await queries.changePassword(db, session.personId, change, actor.right ?? null, line))
  // Another request changed it meanwhile, so what was checked is no longer the password, or this session has ended.
  if (version === null) throw invalidCredentials()
  const person = { id: session.personId, name: session.name, email: session.email }
  const started = await startSession(deps, visit, person, { version, verifiedAt: session.verifiedAt })
  if (started === undefined) throw credentialsChanged()
  return started
}

/**
 * Changes nothing, and writes no line, where nothing is different. Whoever has another e-mail address signs in with it, so that needs
 * a proof that a borrowed session does not have: the second factor, which the route asks for, or the password.
 */
export async function changeProfile(
  deps: PeopleDeps,
  { session, actor }: { session: Session; actor: Actor },
  { name, email, password }: { name?: string; email?: string; password?: string },
): Promise<void> {
  const { db, clock } = deps
  const change = {
    name: name === session.name ? null : (name ?? null),
    email: email === undefined || normaliseEmail(email) === session.email ? null : normaliseEmail(email),
  }
  if (change.name === null && change.email === null) return
  if (change.email !== null) await requireOwnPassword(deps, session, password)
  const line = auditRecord(clock, actor, {
    action: 'person.changed',
    object: formatId('per', session.personId),
    details: { name: change.name ?? undefined, email: change.email ?? undefined },
  })
  try {
    const { right = null } = actor
    // A password that was changed meanwhile ended this session, so that what was proved with the old one does not count any more.
    if ((await queries.updatePerson(db, session.personId, change, right, line)) === undefined) throw rightLost(right)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ApiError('email_taken', 'Another account has this e-mail address. Choose another one.', {
      param: 'email',
    })
  }
}
