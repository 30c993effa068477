// Signs people in with a passkey, and lets a passkey prove the second factor again. The device has verified the person, so a
// passkey is both factors at once. An unknown passkey is answered like a wrong signature.
import { type Session, VERIFIED_FOR_MS } from '../../access/session.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { verifySession } from '../sessions/queries.ts'
import { startSession, type Started, type Visit } from '../sessions/start.ts'
import { CHALLENGE_LIFETIME_MS, makeChallenge, type Purpose } from './challenges.ts'
import { passkeyRefused, type PasskeyVisit, userHandleOf } from './manage.ts'
import * as queries from './queries.ts'
import { requireRelyingParty } from './relying-party.ts'
import { type PasskeyAnswer, toDescriptor } from './schema.ts'
import { checkAnswer } from './verify.ts'

/** Names no passkeys, so that it tells nothing about who has one: the browser offers those that it knows. */
export function beginSignIn(deps: PeopleDeps, visit: PasskeyVisit) {
  return requestOptions(deps, visit, { for: 'sign in' }, [])
}

export async function beginProof(deps: PeopleDeps, visit: PasskeyVisit, session: Session) {
  const passkeys = await queries.listPasskeys(deps.db, session.personId)
  return requestOptions(deps, visit, { for: 'prove', sessionId: session.id }, passkeys)
}

function requestOptions(
  deps: PeopleDeps,
  { headers }: PasskeyVisit,
  purpose: Purpose,
  passkeys: readonly queries.PasskeyRow[],
) {
  const { id } = requireRelyingParty(headers, deps.publicUrl)
  return {
    challenge: makeChallenge(deps, purpose),
    rpId: id,
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
    allowCredentials: passkeys.filter(({ rp_id }) => rp_id === id).map(toDescriptor),
  }
}

/** Tries count per address, and per passkey and address, whether or not the passkey is known. */
export async function signInWithPasskey(
  deps: PeopleDeps,
  visit: Visit & PasskeyVisit,
  answer: PasskeyAnswer,
): Promise<Started> {
  const passkeyKey = deps.keyring.digest(`passkey ${answer.id}`).toString('hex')
  const counted = await deps.signInLimits.passkey(passkeyKey, visit.address)
  // Only a passkey that the device offers by itself says whose it is.
  if (answer.response.userHandle === undefined) throw passkeyRefused()
  const passkey = await requirePasskey(deps, visit, { for: 'sign in' }, answer)
  counted.succeeded()
  const person = { id: passkey.person_id, name: passkey.person_name, email: passkey.email }
  const { credentials_version: version } = passkey
  const started = await startSession(deps, visit, person, { version, verifiedAt: deps.clock.now() })
  if (started === undefined) throw passkeyRefused()
  return started
}

/** Proves the second factor again, for calls that need that. Refused answers count against the session. */
export async function proveWithPasskey(
  deps: PeopleDeps,
  visit: Visit & PasskeyVisit,
  session: Session,
  answer: PasskeyAnswer,
): Promise<Date> {
  const { db, clock, signInLimits } = deps
  const counted = await signInLimits.session(session.id)
  const purpose = { for: 'prove', sessionId: session.id } as const
  const { credentials_version: version } = await requirePasskey(deps, visit, purpose, answer, session.personId)
  counted.succeeded()
  const now = clock.now()
  const { is_verified } = must(await verifySession(db, { ...session, version }, now))
  if (!is_verified) throw passkeyRefused()
  return new Date(now.getTime() + VERIFIED_FOR_MS)
}

/** `personId` is whose passkey it must be; anybody's when it is left out. */
async function requirePasskey(
  deps: PeopleDeps,
  { headers, log }: PasskeyVisit,
  purpose: Purpose,
  answer: PasskeyAnswer,
  personId?: string,
): Promise<queries.KnownPasskeyRow> {
  const { db, clock, publicUrl } = deps
  const relyingParty = requireRelyingParty(headers, publicUrl)
  const row = await queries.findPasskeyByCredential(db, Buffer.from(answer.id, 'base64url'))
  if (row === undefined) throw passkeyRefused()
  if (personId !== undefined && row.person_id !== personId) throw passkeyRefused()
  const { userHandle } = answer.response
  if (userHandle !== undefined && userHandle !== userHandleOf(row.person_id)) throw passkeyRefused()
  const checked = await checkAnswer({ deps, relyingParty, purpose, log }, answer, row)
  if (checked === undefined) throw passkeyRefused()
  const { counter, isSynced, challenge } = checked
  const used = await queries.takePasskey(db, row.id, { counter, isSynced, at: clock.now() }, challenge)
  if (used === undefined) throw passkeyRefused()
  return row
}
