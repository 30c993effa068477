// Starts and ends sessions. Whoever signs in gets a new token, so that a token planted in a browser is worth nothing.
import { type Actor, auditRecord, personActor } from '../../access/audit.ts'
import { rightLost } from '../../access/right.ts'
import type { Session } from '../../access/session.ts'
import { makeToken } from '../../access/tokens.ts'
import { requireFound } from '../../errors.ts'
import type { BaseCall } from '../../http/route.ts'
import { findSessionToken, sessionCookie } from '../../http/session-access.ts'
import { formatId, newId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { normaliseEmail } from '../rules.ts'
import { knownBrowserCookie } from '../sign-in/known-browser.ts'
import * as queries from './queries.ts'

/** Browsers describe themselves in about 120 characters. */
const USER_AGENT_LENGTH_MAX = 300

/** Where a request comes from, for the list of sessions and the audit log. */
export type Visit = Pick<BaseCall<never>, 'address' | 'requestId' | 'headers' | 'isSecure'>

export interface Started {
  readonly session: Session
  readonly headers: { readonly 'set-cookie': string[] }
}

/**
 * Signs the person in, and ends the session that the same browser had before. `version` is that of the person's credentials from before
 * they were checked. Returns undefined when they have changed since: the sign-in has to begin again.
 */
export async function startSession(
  deps: PeopleDeps,
  visit: Visit,
  person: { id: string; name: string; email: string },
  { version, verifiedAt }: { version: number; verifiedAt: Date | null },
): Promise<Started | undefined> {
  const { db, clock, keyring, sessions, peopleConfig } = deps
  const createdAt = clock.now()
  const actor = personActor({ ...person, personId: person.id }, visit)
  await endPrevious(deps, visit)
  const token = makeToken('session')
  const id = newId(createdAt)
  const session = {
    id,
    personId: person.id,
    version,
    digest: keyring.digest(token),
    address: visit.address,
    userAgent: (visit.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + peopleConfig.sessionLifetimeMs),
    verifiedAt,
  }
  const line = auditRecord(clock, actor, { action: 'session.started', object: formatId('ses', id) })
  const { is_started } = must(await queries.startSession(db, session, line))
  // It may also have been ended between the two statements.
  const found = is_started ? await sessions.now(token) : undefined
  if (found === undefined) return undefined
  const maxAgeSeconds = Math.floor(peopleConfig.sessionLifetimeMs / 1000)
  return {
    session: found,
    headers: {
      'set-cookie': [
        sessionCookie(token, { isSecure: visit.isSecure, maxAgeSeconds })['set-cookie'],
        knownBrowserCookie(deps, visit, normaliseEmail(person.email)),
      ],
    },
  }
}

async function endPrevious({ db, clock, sessions }: PeopleDeps, visit: Visit): Promise<void> {
  const token = findSessionToken(visit.headers, visit)
  const session = token === undefined ? undefined : await sessions.now(token)
  if (session === undefined) return
  const line = endedLine(clock, personActor(session, visit), session.id)
  await queries.endSession(db, session.personId, session.id, clock.now(), line)
}

function endedLine(clock: PeopleDeps['clock'], actor: Actor, id: string) {
  return auditRecord(clock, actor, { action: 'session.ended', object: formatId('ses', id) })
}

/** Ends one session of a person. Ending it again changes nothing; another person's session is not found. */
export async function endOwnSession(
  { db, clock }: Pick<PeopleDeps, 'db' | 'clock'>,
  actor: Actor,
  session: Pick<Session, 'personId'>,
  id: string,
): Promise<void> {
  requireFound(await queries.endSession(db, session.personId, id, clock.now(), endedLine(clock, actor, id)))
}

/** Ends the session of a request. If another request has ended it at the same moment, that is what was wanted. */
export async function signOut(
  { db, clock }: Pick<PeopleDeps, 'db' | 'clock'>,
  actor: Actor,
  { personId, id }: Pick<Session, 'personId' | 'id'>,
): Promise<void> {
  await queries.endSession(db, personId, id, clock.now(), endedLine(clock, actor, id))
}

export async function endOthers(
  { db, clock }: Pick<PeopleDeps, 'db' | 'clock'>,
  actor: Actor,
  session: Pick<Session, 'personId' | 'id'>,
): Promise<void> {
  const line = auditRecord(clock, actor, { action: 'session.others_ended', object: formatId('per', session.personId) })
  const { right = null } = actor
  const about = { personId: session.personId, keptId: session.id }
  // Somebody whose own session has just ended must not end those that were opened since.
  if (!must(await queries.endOtherSessions(db, about, clock.now(), right, line)).is_held) throw rightLost(right)
}

/** Takes the cookie away. */
export function forgetCookie({ isSecure }: Pick<Visit, 'isSecure'>): { 'set-cookie': string } {
  return sessionCookie('', { isSecure, maxAgeSeconds: 0 })
}
