// Reads and uses one-time links. A link that was used, revoked or has expired is answered like one that never existed.
import { auditRecord, linkActor, personActor } from '../../access/audit.ts'
import type { Session } from '../../access/session.ts'
import { findTokenKind } from '../../access/tokens.ts'
import { ApiError } from '../../errors.ts'
import { formatId, newId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import { requireNewPassword } from '../account.ts'
import type { PeopleDeps } from '../deps.ts'
import { findPerson } from '../queries.ts'
import { findSecondFactors } from '../second-factor/queries.ts'
import { startSession, type Started, type Visit } from '../sessions/start.ts'
import * as queries from './queries.ts'

export function linkNotValid(): ApiError {
  return new ApiError('link_not_valid', 'This link has been used or has expired. Ask for a new one.')
}

/** Counts against the address before the look-up, because anyone may call. */
export async function readLink(deps: PeopleDeps, visit: Visit, token: string): Promise<queries.LinkRow> {
  const { db, clock, keyring, signInLimits } = deps
  const kind = findTokenKind(token)
  if (kind !== 'invitation' && kind !== 'reset' && kind !== 'signin') throw linkNotValid()
  const digest = keyring.digest(token)
  await signInLimits.take(digest.toString('hex'), visit.address)
  const row = await queries.findLink(db, digest, clock.now())
  if (row === undefined) throw linkNotValid()
  signInLimits.giveBack(digest.toString('hex'), visit.address)
  return row
}

export interface LinkUse {
  readonly token: string
  readonly name?: string
  readonly password?: string
}

/** Returns the new session; undefined when the person has to sign in with their second factor. */
export async function useLink(deps: PeopleDeps, visit: Visit, use: LinkUse): Promise<Started | undefined> {
  const row = await readLink(deps, visit, use.token)
  switch (row.kind) {
    case 'invitation':
      return useInvitation(deps, visit, use, row)
    case 'reset':
      return useReset(deps, visit, use, row)
    case 'sign_in':
      return useSignIn(deps, visit, use, row)
  }
}

async function useInvitation(
  deps: PeopleDeps,
  visit: Visit,
  { token, name, password }: LinkUse,
  { email }: queries.LinkRow,
): Promise<Started> {
  const { db, clock, keyring } = deps
  if (name === undefined) throw new ApiError('validation_failed', 'body.name is required for an invitation.')
  const hash = await requireNewPassword(deps, password, { email })
  const createdAt = clock.now()
  const id = newId(createdAt)
  const line = auditRecord(clock, personActor({ personId: id, name, email }, visit), {
    action: 'invitation.accepted',
    object: formatId('per', id),
  })
  const person = { id, name, password: hash, createdAt }
  const { outcome } = must(await queries.acceptInvitation(db, keyring.digest(token), person, line))
  if (outcome === 'account_exists') throw accountExists()
  if (outcome === 'not_valid') throw linkNotValid()
  return startSession(deps, visit, { id, name, email }, { isVerified: false })
}

function accountExists(): ApiError {
  return new ApiError(
    'account_exists',
    'There is an account with this e-mail address already. Sign in with it, then accept the invitation.',
  )
}

async function useReset(
  deps: PeopleDeps,
  visit: Visit,
  { token, password }: LinkUse,
  { email, person_id }: queries.LinkRow,
): Promise<Started | undefined> {
  const { db, clock, keyring } = deps
  const hash = await requireNewPassword(deps, password, { email })
  const personId = must(person_id ?? undefined)
  const line = auditRecord(clock, linkActor({ personId, name: `reset link <${email}>` }, visit), {
    action: 'password.reset',
    object: formatId('per', personId),
  })
  const change = { password: hash, at: clock.now() }
  const used = await queries.usePasswordReset(db, keyring.digest(token), change, line)
  if (used === undefined) throw linkNotValid()
  // Whoever made the link has seen it, so it must not stand in for the second factor.
  const { has_totp, passkeys } = must(await findSecondFactors(db, used.person_id))
  if (has_totp || passkeys > 0) return undefined
  return startSession(deps, visit, must(await findPerson(db, used.person_id)), { isVerified: false })
}

async function useSignIn(
  deps: PeopleDeps,
  visit: Visit,
  { token }: LinkUse,
  { person_id }: queries.LinkRow,
): Promise<Started> {
  const { db, clock, keyring } = deps
  const personId = must(person_id ?? undefined)
  const line = auditRecord(clock, linkActor({ personId, name: 'sign-in link' }, visit), {
    action: 'sign_in_link.used',
    object: formatId('per', personId),
  })
  const used = await queries.useSignInLink(db, keyring.digest(token), clock.now(), line)
  if (used === undefined) throw linkNotValid()
  return startSession(deps, visit, must(await findPerson(db, used.person_id)), { isVerified: false })
}

/** Lets a signed-in person join where they were invited. The invitation must be for their own address. */
export async function joinByInvitation(deps: PeopleDeps, visit: Visit, session: Session, token: string): Promise<void> {
  const { db, clock, keyring } = deps
  const line = auditRecord(clock, personActor(session, visit), {
    action: 'invitation.accepted',
    object: formatId('per', session.personId),
  })
  const person = { id: session.personId, email: session.email, at: clock.now() }
  if ((await queries.joinByInvitation(db, keyring.digest(token), person, line)) === undefined) throw linkNotValid()
}
