// Finds the session behind a cookie. It asks the database each time, so that a session that was ended anywhere is refused by
// every process with its next request. People make few requests; keys, which make many, are cached.
import type { Keyring } from '../../access/keyring.ts'
import type { Session, SessionLookUp } from '../../access/session.ts'
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { createDeferredLookUps } from '../../lib/deferred-look-ups.ts'
import { type FoundSessionRow, findSessions, touchSession } from './queries.ts'

/** How exactly the time of last use is kept. Much shorter than a session may be idle, and few writes. */
const TOUCH_INTERVAL_MS = 30_000

interface Deps {
  db: Db
  clock: Clock
  keyring: Pick<Keyring, 'digest'>
  /** How long a session may be unused. */
  idleMs: number
}

export function createSessionLookUp({ db, clock, keyring, idleMs }: Deps): SessionLookUp {
  const fetch = async (digests: readonly Buffer[]) => {
    const now = clock.now()
    const found = new Map<string, Session>()
    for (const row of await findSessions(db, digests)) {
      if (isLive(row, now, idleMs)) found.set(row.digest.toString('hex'), toSession(row))
    }
    return found
  }
  const later = createDeferredLookUps((hexes) => fetch(hexes.map((hex) => Buffer.from(hex, 'hex'))))
  return {
    cached: () => undefined,
    async now(token) {
      const digest = keyring.digest(token)
      return (await fetch([digest])).get(digest.toString('hex'))
    },
    later: (token) => later(keyring.digest(token).toString('hex')),
    async touch({ id, lastSeenAt }) {
      const now = clock.now()
      if (now.getTime() - lastSeenAt.getTime() >= TOUCH_INTERVAL_MS) await touchSession(db, id, now)
    },
  }
}

function isLive({ expires_at, last_seen_at }: FoundSessionRow, now: Date, idleMs: number): boolean {
  return expires_at > now && now.getTime() - last_seen_at.getTime() < idleMs
}

function toSession(row: FoundSessionRow): Session {
  return {
    id: row.id,
    personId: row.person_id,
    name: row.name,
    email: row.email,
    timeZone: row.time_zone,
    hasPassword: row.has_password,
    hasSecondFactor: row.has_second_factor,
    programmeRole: row.programme_role,
    companies: row.companies,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    verifiedAt: row.verified_at,
  }
}
