// Decides who is calling by the session of a person, and whether they may, in this order: session (401), rate (429), origin
// (403), then company, role and second factor (403), then the number of changes (429). The rights of a role are checked exactly like those of a key.
import { type Actor, personActor } from '../access/audit.ts'
import { type Right, rolesWithAny } from '../access/right.ts'
import { requireStepUp, type Session, type SessionLookUp, toMember } from '../access/session.ts'
import type { Clock } from '../lib/clock.ts'
import type { Credentials, Identity } from './credentials.ts'
import type { Identify } from './identify.ts'
import { type ChangeLimiters, takeChange, takeRate } from './limits/limiters.ts'
import type { RateLimiter } from './limits/rate-limit.ts'
import { requireAccess } from './require-access.ts'
import type { Access } from './route.ts'
import { requireOwnPage, requireSameOrigin } from './same-origin.ts'
import { findSessionToken, invalidSession, requireMembership, roleNotAllowed } from './session-access.ts'

type AccessBy<By> = Extract<Access, { by: By }>

export interface SessionDeps {
  sessions: SessionLookUp
  clock: Clock
  /** Where browsers reach the server, if that is known. */
  publicUrl: string | undefined
  /** Whether live operations can be carried out at all on this server. */
  hasLiveIssuer: boolean
}

interface Deps extends SessionDeps {
  changeLimiters: ChangeLimiters
  identify: Identify
}

export interface AuthenticateSession {
  member(
    access: AccessBy<'company'> | AccessBy<'member'>,
    credentials: Credentials,
    limiters: readonly RateLimiter[],
  ): Promise<Identity>
  operator(credentials: Credentials, limiters: readonly RateLimiter[]): Promise<Identity>
  person(access: AccessBy<'person'>, credentials: Credentials, limiters: readonly RateLimiter[]): Promise<Identity>
}

export function createAuthenticateSession(deps: Deps): AuthenticateSession {
  const { clock, sessions, hasLiveIssuer, changeLimiters } = deps
  return {
    async member(access, credentials, limiters) {
      const { token, session, actor } = await requireSession(deps, credentials, limiters)
      const isRead = isReading(credentials)
      const rules = access.by === 'company' ? access : { ...access, by: 'company' as const, openWhileSuspended: isRead }
      const admit = (found: Session) => {
        const { company, environment } = requireMembership(found, credentials.headers)
        const member = toMember(found, company, environment)
        requireAccess(member, rules, { address: credentials.address, hasLiveIssuer })
        return member
      }
      const caller = admit(session)
      const { companyId, environment } = caller.scope
      const isLive = environment === 'live'
      const changesPeople = access.by === 'member' && access.changesPeople === true
      // What a suspended company may still do protects its money, so nothing delays it.
      const isHarmless = isRead || rules.openWhileSuspended === true
      if (!isHarmless && (isLive || changesPeople)) {
        requireStepUp(session, clock.now(), { isLive: isLive || hasLiveIssuer })
      }
      // A quote is a POST that changes nothing and is asked for with every key that is pressed.
      if (!isRead && !(access.by === 'company' && access.changesNothing === true)) {
        await takeChange(changeLimiters.person, session.personId)
        // Whatever colleagues do, everybody can still stop cards.
        if (rules.openWhileSuspended !== true) await takeChange(changeLimiters.company, caller.scope.companyId)
      }
      const recheck = async () => {
        const found = await sessions.later(token)
        if (found === undefined) throw invalidSession()
        admit(found)
      }
      const right = { ...rightOf(session), companyId, roles: rolesWithAny(access.anyOf, environment) }
      return { caller, actor: { ...actor, right }, session, recheck }
    },
    async operator(credentials, limiters) {
      const { session, actor } = await requireSession(deps, credentials, limiters)
      const isRead = isReading(credentials)
      if (isRead) requireOwnPage(credentials)
      const mayCall = session.programmeRole === 'operator' || (session.programmeRole === 'support' && isRead)
      if (!mayCall) throw roleNotAllowed(session)
      if (!isRead) {
        requireStepUp(session, clock.now(), { isLive: hasLiveIssuer })
        await takeChange(changeLimiters.person, session.personId)
      }
      const right: Right = { ...rightOf(session), companyId: null, roles: ['operator'] }
      return { caller: undefined, actor: { ...actor, right }, session }
    },
    async person({ stepUp, isUncounted }, credentials, limiters) {
      const { session, actor } = await requireSession(deps, credentials, limiters)
      if (stepUp === true) requireStepUp(session, clock.now(), { isLive: false })
      if (!isReading(credentials) && isUncounted !== true) await takeChange(changeLimiters.account, session.personId)
      return { caller: undefined, actor: { ...actor, right: rightOf(session) }, session }
    },
  }
}

const rightOf = ({ id, personId }: Session) => ({ personId, sessionId: id })

/** Finds the session, counts the request against the person's rate, and refuses a write that another site may have caused. */
async function requireSession(
  { identify, sessions, publicUrl }: Deps,
  credentials: Credentials,
  limiters: readonly RateLimiter[],
): Promise<{ token: string; session: Session; actor: Actor }> {
  const token = findSessionToken(credentials.headers, credentials)
  if (token === undefined) throw await identify.refuse(credentials.address, invalidSession())
  const session = await identify.find(sessions, token, credentials.address, invalidSession)
  await takeRate(limiters, session.personId, credentials)
  requireSameOrigin(credentials, publicUrl)
  await sessions.touch(session)
  return { token, session, actor: personActor(session, credentials) }
}

function isReading({ method }: Credentials): boolean {
  return method === 'GET' || method === 'HEAD'
}
