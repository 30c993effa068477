// Changes who belongs to a company or to the programme, and makes links for people who cannot sign in any more.
import { type Actor, auditRecord } from '../../access/audit.ts'
import type { Role } from '../../access/permissions.ts'
import { ApiError, notFound, requireFound } from '../../errors.ts'
import { formatId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { type MadeLink, makePersonLink } from '../links/make.ts'
import { findPerson } from '../queries.ts'
import { findSecondFactors } from '../second-factor/queries.ts'
import { changeMembership, findMember, type MemberRow } from './queries.ts'

/** A person in a place: a company, or the programme when it is null. */
interface Member {
  readonly companyId: string | null
  readonly personId: string
}

export async function changeRole(
  { db, clock }: PeopleDeps,
  actor: Actor,
  member: Member,
  role: Role,
): Promise<MemberRow> {
  const what = { action: 'member.role_changed', object: formatId('per', member.personId), details: { role } }
  const changed = await changeMembership(db, { ...member, role }, auditRecord(clock, actor, what))
  requireChanged(must(changed).outcome)
  return requireFound(await findMember(db, member.companyId, member.personId))
}

export async function removeMember({ db, clock }: PeopleDeps, actor: Actor, member: Member): Promise<void> {
  const what = { action: 'member.removed', object: formatId('per', member.personId) }
  const removed = await changeMembership(db, { ...member, role: null }, auditRecord(clock, actor, what))
  requireChanged(must(removed).outcome)
}

function requireChanged(outcome: 'changed' | 'not_found' | 'last_owner'): void {
  if (outcome === 'not_found') throw notFound()
  if (outcome === 'last_owner') {
    throw new ApiError('last_owner', 'This is the last owner of the company. Make somebody else an owner first.')
  }
}

/**
 * For the owners of a company. A person who also belongs elsewhere is out of their reach: whoever has the link could act there
 * too.
 */
export async function resetMember(
  deps: PeopleDeps,
  actor: Actor,
  member: Member,
  options: { removeSecondFactor?: boolean },
): Promise<MadeLink> {
  const row = requireFound(await findMember(deps.db, member.companyId, member.personId))
  if (row.places > 1) {
    throw new ApiError(
      'reset_not_allowed',
      'This person also belongs to another company or to the programme. Ask the operator for a link.',
    )
  }
  return resetPerson(deps, actor, member.personId, options)
}

/**
 * For operators. Somebody who has neither a password nor a second factor gets a link that signs them in, everybody else one for
 * a new password.
 */
export async function resetPerson(
  deps: PeopleDeps,
  actor: Actor,
  personId: string,
  { removeSecondFactor = false }: { removeSecondFactor?: boolean },
): Promise<MadeLink> {
  const { password } = requireFound(await findPerson(deps.db, personId))
  const { has_totp, passkeys } = must(await findSecondFactors(deps.db, personId))
  const kind = password === null && !has_totp && passkeys === 0 ? 'sign_in' : 'reset'
  return makePersonLink(deps, actor, { personId, kind, removesSecondFactor: removeSecondFactor })
}
