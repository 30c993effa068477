// Reads and uses one-time links. A link that was used, revoked or has expired is answered like one that never existed.
import { type Actor, auditRecord, linkActor, personActor } from '../../access/audit.ts'
import { rightLost } from '../../access/right.ts'
import type { Session } from '../../access/session.ts'
import { findTokenKind } from '../../access/tokens.ts'
import { ApiError } from '../../errors.ts'
import { formatId, newId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import { requireNewPassword } from '../account.ts'
import type { PeopleDeps } from '../deps.ts'
import type { Place } from '../password-queue.ts'
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
  const counted = await signInLimits.link(visit.address)
  const row = await queries.findLink(db, digest, clock.now())
  if (row === undefined) throw linkNotValid()
  counted.succeeded()
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
  if (name === undefined)
    throw new ApiError('validation_failed', 'body.name is required for an invitation.', { param: 'name' })
  const hash = await requireNewPassword(deps, password, { email, name }, linkPlace(deps, token))
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
  return start(deps, visit, { id, name, email }, FIRST_VERSION)
}

/** Of the credentials of a new account. */
const FIRST_VERSION = 0

/** The link is used up, so that somebody whose credentials changed right after it has to sign in. */
async function start(
  deps: PeopleDeps,
  visit: Visit,
  person: { id: string; name: string; email: string },
  version: number,
): Promise<Started> {
  const started = await startSession(deps, visit, person, { version, verifiedAt: null })
  if (started === undefined) throw linkNotValid()
  return started
}

/** Whoever has a link is no stranger, and one link is one client. */
function linkPlace({ keyring }: PeopleDeps, token: string): Place {
  const link = `link ${keyring.digest(token).toString('hex')}`
  return { client: link, account: link, isKnown: true }
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
  const hash = await requireNewPassword(deps, password, { email }, linkPlace(deps, token))
  const personId = must(person_id ?? undefined)
  const line = auditRecord(clock, linkActor({ personId, name: `reset link <${email}>` }, visit), {
    action: 'password.reset',
    object: formatId('per', personId),
  })
  const change = { password: hash, at: clock.now() }
  const opened = must(await queries.resetPassword(db, keyring.digest(token), change, line))
  if (opened.person_id === null) throw linkNotValid()
  // Whoever made the link has seen it, so it must not stand in for the second factor.
  if (opened.has_second_factor) return undefined
  return start(deps, visit, { ...opened, id: opened.person_id }, opened.credentials_version)
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
  const opened = must(await queries.useSignInLink(db, keyring.digest(token), clock.now(), line))
  if (opened.person_id === null) throw linkNotValid()
  return start(deps, visit, { ...opened, id: opened.person_id }, opened.credentials_version)
}

/** Lets a signed-in person join where they were invited. The invitation must be for their own address. */
export async function joinByInvitation(
  deps: PeopleDeps,
  { session, actor }: { session: Session; actor: Actor },
  token: string,
): Promise<void> {
  const { db, clock, keyring } = deps
  const line = auditRecord(clock, actor, {
    action: 'invitation.accepted',
    object: formatId('per', session.personId),
  })
  const person = { id: session.personId, at: clock.now() }
  const { right = null } = actor
  const { is_joined } = must(await queries.joinByInvitation(db, keyring.digest(token), person, right, line))
  if (is_joined === null) throw rightLost(right)
  if (!is_joined) throw linkNotValid()
}
