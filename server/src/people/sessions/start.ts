// Starts and ends sessions. Whoever signs in gets a new token, so that a token planted in a browser is worth nothing.
import { type Actor, auditRecord, personActor } from '../../access/audit.ts'
import type { Session } from '../../access/session.ts'
import { makeToken } from '../../access/tokens.ts'
import { requireFound } from '../../errors.ts'
import type { BaseCall } from '../../http/route.ts'
import { findSessionToken, sessionCookie } from '../../http/session-access.ts'
import { formatId, newId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { endOtherSessions, endSession, insertSession } from './queries.ts'

/** Browsers describe themselves in about 120 characters. */
const USER_AGENT_LENGTH_MAX = 300

/** Where a request comes from, for the list of sessions and the audit log. */
export type Visit = Pick<BaseCall<never>, 'address' | 'requestId' | 'headers' | 'isSecure'>

export interface Started {
  readonly session: Session
  readonly headers: { readonly 'set-cookie': string }
}

/** Signs the person in, and ends the session that the same browser had before. */
export async function startSession(
  deps: PeopleDeps,
  visit: Visit,
  person: { id: string; name: string; email: string },
  { isVerified }: { isVerified: boolean },
): Promise<Started> {
  const { db, clock, keyring, sessions, peopleConfig } = deps
  const now = clock.now()
  const actor = personActor({ ...person, personId: person.id }, visit)
  await endPrevious(deps, visit)
  const token = makeToken('session')
  const id = newId(now)
  const row = {
    id,
    person_id: person.id,
    digest: keyring.digest(token),
    address: visit.address,
    user_agent: (visit.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX),
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + peopleConfig.sessionLifetimeMs),
    verified_at: isVerified ? now : null,
  }
  await insertSession(db, row, auditRecord(clock, actor, { action: 'session.started', object: formatId('ses', id) }))
  const maxAgeSeconds = Math.floor(peopleConfig.sessionLifetimeMs / 1000)
  return {
    session: must(await sessions.now(token)),
    headers: sessionCookie(token, { isSecure: visit.isSecure, maxAgeSeconds }),
  }
}

async function endPrevious({ db, clock, sessions }: PeopleDeps, visit: Visit): Promise<void> {
  const token = findSessionToken(visit.headers, visit)
  const session = token === undefined ? undefined : await sessions.now(token)
  if (session === undefined) return
  const line = endedLine(clock, personActor(session, visit), session.id)
  await endSession(db, session.personId, session.id, clock.now(), line)
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
  requireFound(await endSession(db, session.personId, id, clock.now(), endedLine(clock, actor, id)))
}

export async function endOthers(
  { db, clock }: Pick<PeopleDeps, 'db' | 'clock'>,
  actor: Actor,
  session: Pick<Session, 'personId' | 'id'>,
): Promise<void> {
  const line = auditRecord(clock, actor, { action: 'session.others_ended', object: formatId('per', session.personId) })
  await endOtherSessions(db, session.personId, session.id, clock.now(), line)
}

/** Takes the cookie away. */
export function forgetCookie({ isSecure }: Pick<Visit, 'isSecure'>): { 'set-cookie': string } {
  return sessionCookie('', { isSecure, maxAgeSeconds: 0 })
}
