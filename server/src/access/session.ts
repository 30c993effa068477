// A signed-in person: who they are, where they belong, and how they become the caller of a company's routes. It must not
// read the database; people/sessions looks sessions up.
import type { Environment } from '../lib/scope.ts'
import { ApiError } from '../errors.ts'
import { type Caller, companyFacts } from './caller.ts'
import type { LookUp } from './keyring.ts'
import { type CompanyRole, type Permission, type ProgrammeRole, ROLE_PERMISSIONS } from './permissions.ts'
import type { CompanyStanding } from './queries.ts'

export interface MemberCompany extends CompanyStanding {
  readonly id: string
  readonly name: string
  readonly role: CompanyRole
}

export interface Session {
  readonly id: string
  readonly personId: string
  readonly name: string
  readonly email: string
  /** In which times are shown. Null for UTC. */
  readonly timeZone: string | null
  readonly hasPassword: boolean
  /** Whether the person has set up a second factor of any kind. */
  readonly hasSecondFactor: boolean
  readonly programmeRole: ProgrammeRole | null
  readonly companies: readonly MemberCompany[]
  readonly address: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  readonly verifiedAt: Date | null
}

export interface SessionLookUp extends LookUp<Session> {
  /** Records that the person used the session. A session that nobody uses ends. */
  touch(session: Session): Promise<void>
}

/** How long a second factor counts as proved: long enough for a task, short enough for a machine that was left open. */
export const VERIFIED_FOR_MS = 10 * 60_000

/** Returns until when the second factor counts as proved; null when it does not any more. */
export function verifiedUntil({ verifiedAt }: Pick<Session, 'verifiedAt'>, now: Date): Date | null {
  if (verifiedAt === null) return null
  const until = new Date(verifiedAt.getTime() + VERIFIED_FOR_MS)
  return until > now ? until : null
}

/**
 * Refuses what needs the second factor again. `isLive` says whether live money can be affected: somebody without a second
 * factor may then not go on at all.
 */
export function requireStepUp(session: Session, now: Date, { isLive }: { isLive: boolean }): void {
  if (!session.hasSecondFactor) {
    if (!isLive) return
    throw new ApiError(
      'second_factor_missing',
      'This needs a second factor. Set up an authenticator app or a passkey first.',
    )
  }
  if (verifiedUntil(session, now) !== null) return
  throw new ApiError(
    'step_up_required',
    'Prove your second factor again, with a code or a passkey, then repeat the request.',
  )
}

/** Returns the caller that a person is in one of their companies, with the rights of their role. */
export function toMember(session: Session, company: MemberCompany, environment: Environment): Caller {
  return {
    by: session,
    scope: { companyId: company.id, environment },
    permissions: permissionsOf(company.role, environment),
    ...companyFacts(company),
    expiresAt: null,
    revokedAt: null,
    allowedAddresses: null,
  }
}

const sets = new Map<string, ReadonlySet<Permission>>()

function permissionsOf(role: CompanyRole, environment: Environment): ReadonlySet<Permission> {
  const key = `${role} ${environment}`
  let set = sets.get(key)
  if (set === undefined) {
    set = new Set(ROLE_PERMISSIONS[role][environment])
    sets.set(key, set)
  }
  return set
}
