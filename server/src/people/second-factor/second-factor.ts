// Sets up, proves and removes the second factor of a person.
import { type Actor, auditRecord, personActor } from '../../access/audit.ts'
import { rightLost } from '../../access/right.ts'
import { type Session, VERIFIED_FOR_MS } from '../../access/session.ts'
import { ApiError } from '../../errors.ts'
import { formatId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { findPerson } from '../queries.ts'
import { verifySession } from '../sessions/queries.ts'
import type { Visit } from '../sessions/start.ts'
import * as codes from './codes.ts'
import * as queries from './queries.ts'
import { decryptTotp, encryptTotp } from './totp-secrets.ts'

type Owner = Pick<Session, 'personId' | 'name' | 'email'>

export function invalidSecondFactor(): ApiError {
  return new ApiError('invalid_second_factor', 'Wrong or already used code. Enter the next one from your app.', {
    param: 'code',
  })
}

const recoveryDigest = ({ keyring }: PeopleDeps, code: string) =>
  keyring.digest(`recovery code ${codes.normaliseRecoveryCode(code)}`)

/** Refuses unless the code is of the app, or one of the recovery codes, and was not used before. */
export async function requireCode(deps: PeopleDeps, visit: Visit, person: Owner, text: string): Promise<void> {
  const { db, clock, totpBox } = deps
  const code = codes.asTotpCode(text)
  if (code !== undefined) {
    const row = await queries.findTotp(db, person.personId)
    const secret = row && decryptTotp(totpBox, person.personId, row)
    const step = secret && codes.findTotpStep(secret, code, clock.now())
    if (row === undefined || typeof step !== 'number') throw invalidSecondFactor()
    if ((await queries.takeTotpStep(db, person.personId, row.secret, step)) === undefined) throw invalidSecondFactor()
    return
  }
  const line = auditRecord(clock, personActor(person, visit), {
    action: 'recovery_code.used',
    object: formatId('per', person.personId),
  })
  const digest = recoveryDigest(deps, text)
  const used = await queries.takeRecoveryCode(db, person.personId, digest, clock.now(), line)
  if (used === undefined) throw invalidSecondFactor()
}

/** Proves the second factor again, for calls that need that. Wrong codes count against the session. */
export async function stepUp(deps: PeopleDeps, visit: Visit, session: Session, code: string): Promise<Date> {
  const { db, clock, signInLimits } = deps
  const counted = await signInLimits.session(session.id)
  const { credentials_version: version } = must(await findPerson(db, session.personId))
  await requireCode(deps, visit, session, code)
  counted.succeeded()
  const now = clock.now()
  const { is_verified } = must(await verifySession(db, { ...session, version }, now))
  if (!is_verified) throw invalidSecondFactor()
  return new Date(now.getTime() + VERIFIED_FOR_MS)
}

/** An app that is set up already counts until the new one is confirmed. */
export async function beginTotp(
  deps: PeopleDeps,
  { session, actor: { right = null } }: { session: Session; actor: Actor },
): Promise<{ secret: string; uri: string }> {
  const { db, clock, totpBox } = deps
  const secret = codes.makeTotpSecret()
  const encrypted = encryptTotp(totpBox, session.personId, secret)
  if ((await queries.insertTotp(db, session.personId, encrypted, right, clock.now())) === 0) throw rightLost(right)
  return { secret, uri: codes.totpUri(secret, session.email) }
}

/** Returns the recovery codes, which are shown only now. */
export async function confirmTotp(
  deps: PeopleDeps,
  { session, actor }: { session: Session; actor: Actor },
  text: string,
): Promise<string[]> {
  const { db, clock, totpBox, signInLimits } = deps
  const { personId } = session
  const counted = await signInLimits.session(session.id)
  const row = await queries.findNewTotp(db, personId)
  const code = codes.asTotpCode(text)
  const secret = row && decryptTotp(totpBox, personId, row)
  const now = clock.now()
  const step = secret && code && codes.findTotpStep(secret, code, now)
  if (row === undefined || typeof step !== 'number') throw invalidSecondFactor()
  counted.succeeded()
  const recoveryCodes = codes.makeRecoveryCodes()
  const digests = recoveryCodes.map((each) => recoveryDigest(deps, each))
  const line = auditRecord(clock, actor, { action: 'second_factor.added', object: formatId('per', personId) })
  const confirmation = { secret: row.secret, step, at: now, codes: digests }
  const { right = null } = actor
  const { is_confirmed } = must(await queries.confirmTotp(db, session, confirmation, right, line))
  if (is_confirmed === null) throw rightLost(right)
  if (!is_confirmed) throw invalidSecondFactor()
  return recoveryCodes
}

export async function removeTotp(
  { db, clock }: PeopleDeps,
  { session, actor }: { session: Session; actor: Actor },
): Promise<void> {
  const line = auditRecord(clock, actor, { action: 'second_factor.removed', object: formatId('per', session.personId) })
  const { right = null } = actor
  if (must(await queries.removeTotp(db, session.personId, right, line)).is_removed === null) throw rightLost(right)
}

/** Replaces the recovery codes. Only somebody with a second factor has any. */
export async function renewRecoveryCodes(
  deps: PeopleDeps,
  { session, actor }: { session: Session; actor: Actor },
): Promise<string[]> {
  const { db, clock } = deps
  const recoveryCodes = codes.makeRecoveryCodes()
  const digests = recoveryCodes.map((each) => recoveryDigest(deps, each))
  const line = auditRecord(clock, actor, {
    action: 'recovery_codes.renewed',
    object: formatId('per', session.personId),
  })
  const { right = null } = actor
  const { is_renewed } = must(await queries.renewRecoveryCodes(db, session.personId, digests, right, line))
  if (is_renewed === null) throw rightLost(right)
  if (!is_renewed) {
    throw new ApiError('second_factor_missing', 'Recovery codes need a second factor. Set one up first.')
  }
  return recoveryCodes
}
