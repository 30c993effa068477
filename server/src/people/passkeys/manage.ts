// Registers, renames and removes the passkeys of a person.
import { type Actor, auditRecord } from '../../access/audit.ts'
import { type Right, rightLost } from '../../access/right.ts'
import { type Session, VERIFIED_FOR_MS } from '../../access/session.ts'
import { ApiError, notFound, requireFound } from '../../errors.ts'
import type { BaseCall } from '../../http/route.ts'
import { formatId, newId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { CHALLENGE_LIFETIME_MS, makeChallenge } from './challenges.ts'
import * as queries from './queries.ts'
import { requireRelyingParty } from './relying-party.ts'
import { type PasskeyCreation, toDescriptor } from './schema.ts'
import { ALGORITHMS, checkCreation } from './verify.ts'

/** Phones, computers and a few security keys. Nobody could keep an eye on a longer list. */
const PASSKEYS_MAX = 20

/** Where an answer about a passkey comes from. */
export type PasskeyVisit = Pick<BaseCall<never>, 'headers' | 'log'>

interface Owner {
  readonly session: Session
  readonly actor: Actor
}

export function passkeyRefused(): ApiError {
  return new ApiError(
    'passkey_refused',
    'This passkey was not accepted. Try again, or use another way to prove yourself.',
  )
}

function limitReached(): ApiError {
  return new ApiError('passkey_limit', `You already have ${PASSKEYS_MAX} passkeys. Remove one first.`)
}

export async function beginPasskey(deps: PeopleDeps, { headers }: PasskeyVisit, session: Session) {
  const relyingParty = requireRelyingParty(headers, deps.publicUrl)
  const existing = await queries.listPasskeys(deps.db, session.personId)
  if (existing.length >= PASSKEYS_MAX) throw limitReached()
  return {
    challenge: makeChallenge(deps, { for: 'register', sessionId: session.id }),
    rp: { id: relyingParty.id, name: 'Cardstock' },
    user: { id: userHandleOf(session.personId), name: session.email, displayName: session.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LIFETIME_MS,
    excludeCredentials: existing.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/** The id of the person tells nobody who they are, as WebAuthn asks for. */
export function userHandleOf(personId: string): string {
  return Buffer.from(personId.replaceAll('-', ''), 'hex').toString('base64url')
}

/** The person has just been verified by their device, so this counts as a proof of the second factor. */
export async function addPasskey(
  deps: PeopleDeps,
  { headers, log }: PasskeyVisit,
  { session, actor }: Owner,
  { name, credential }: { name: string; credential: PasskeyCreation },
): Promise<queries.PasskeyRow> {
  const { db, clock, publicUrl } = deps
  const relyingParty = requireRelyingParty(headers, publicUrl)
  const purpose = { for: 'register', sessionId: session.id } as const
  const checked = await checkCreation({ deps, relyingParty, purpose, log }, credential)
  if (checked === undefined) throw passkeyRefused()
  const { challenge, ...made } = checked
  const createdAt = clock.now()
  const id = newId(createdAt)
  const transports = [...new Set(credential.response.transports)]
  const passkey = {
    ...made,
    id,
    personId: session.personId,
    sessionId: session.id,
    name,
    rpId: relyingParty.id,
    transports,
    createdAt,
  }
  const line = auditLine(deps, actor, session, 'passkey.added', { passkey: formatId('psk', id), name })
  const right = registrationRight(actor, createdAt)
  const { outcome } = must(await queries.addPasskey(db, passkey, challenge, PASSKEYS_MAX, right, line))
  // The session has ended, or the second factor has to be proved first. The browser begins again and is told which.
  if (outcome === null) throw passkeyRefused()
  if (outcome === 'limit') throw limitReached()
  if (outcome === 'refused') throw passkeyRefused()
  return must(await queries.findPasskey(db, session.personId, id))
}

/**
 * Somebody who had no second factor when the registration began, and has one now, must have proved it: the challenge was given
 * for the password alone.
 */
function registrationRight({ right = null }: Actor, now: Date): Right {
  if (right === null || !('sessionId' in right)) return right
  return { ...right, verifiedSince: new Date(now.getTime() - VERIFIED_FOR_MS - CHALLENGE_LIFETIME_MS) }
}

export async function renamePasskey(
  deps: PeopleDeps,
  { session, actor }: Owner,
  id: string,
  name: string,
): Promise<queries.PasskeyRow> {
  const line = auditLine(deps, actor, session, 'passkey.renamed', { passkey: formatId('psk', id), name })
  const { right = null } = actor
  requireFound(await queries.renamePasskey(deps.db, { personId: session.personId, id }, name, right, line))
  return requireFound(await queries.findPasskey(deps.db, session.personId, id))
}

export async function removePasskey(deps: PeopleDeps, { session, actor }: Owner, id: string): Promise<void> {
  const { name } = requireFound(await queries.findPasskey(deps.db, session.personId, id))
  const line = auditLine(deps, actor, session, 'passkey.removed', { passkey: formatId('psk', id), name })
  const { right = null } = actor
  const { outcome } = must(await queries.removePasskey(deps.db, session.personId, id, right, line))
  if (outcome === null) throw rightLost(right)
  if (outcome === 'not_found') throw notFound()
  if (outcome === 'last_way') {
    throw new ApiError(
      'last_sign_in_method',
      'Without this passkey you could no longer sign in. Set a password or add another passkey first.',
    )
  }
}

function auditLine({ clock }: PeopleDeps, actor: Actor, { personId }: Session, action: string, details: object) {
  return auditRecord(clock, actor, { action, object: formatId('per', personId), details: { ...details } })
}
