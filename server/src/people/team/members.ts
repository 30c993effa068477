// Changes who belongs to a company or to the programme, and makes links for people who cannot sign in any more.
import { type Actor, auditRecord } from '../../access/audit.ts'
import type { Role } from '../../access/permissions.ts'
import { type Right, rightLost } from '../../access/right.ts'
import { ApiError, notFound, requireFound } from '../../errors.ts'
import { formatId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import type { PeopleDeps } from '../deps.ts'
import { type MadeLink, makePersonLink } from '../links/make.ts'
import { findPerson } from '../queries.ts'
import { findSecondFactors } from '../second-factor/queries.ts'
import { changeMembership, findMember, type MembershipOutcome, type MemberRow } from './queries.ts'

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
  const { right = null } = actor
  const changed = await changeMembership(db, { ...member, role }, right, auditRecord(clock, actor, what))
  requireChanged(must(changed).outcome, right, 'role')
  return requireFound(await findMember(db, member.companyId, member.personId))
}

export async function removeMember({ db, clock }: PeopleDeps, actor: Actor, member: Member): Promise<void> {
  const what = { action: 'member.removed', object: formatId('per', member.personId) }
  const { right = null } = actor
  const removed = await changeMembership(db, { ...member, role: null }, right, auditRecord(clock, actor, what))
  requireChanged(must(removed).outcome, right)
}

/** `param` is the field that says what the person becomes. */
function requireChanged(outcome: MembershipOutcome | null, right: Right, param?: 'role'): void {
  if (outcome === null) throw rightLost(right)
  if (outcome === 'not_found') throw notFound()
  if (outcome === 'last_owner') {
    throw new ApiError('last_owner', 'This is the last owner of the company. Make somebody else an owner first.', {
      param,
    })
  }
}

/**
 * For the owners of a company, or for operators when `companyId` is null. Somebody who has neither a password nor a second factor gets a
 * link that signs them in, everybody else one for a new password.
 */
export async function resetPerson(
  deps: PeopleDeps,
  actor: Actor,
  { companyId, personId }: Member,
  { removeSecondFactor = false }: { removeSecondFactor?: boolean },
): Promise<MadeLink> {
  const person = requireFound(await findPerson(deps.db, personId))
  const { has_totp, passkeys } = must(await findSecondFactors(deps.db, personId))
  // A link that signs in stops working when there is a password or a second factor, so this may be out of date when it is stored.
  const kind = person.password === null && !has_totp && passkeys === 0 ? 'sign_in' : 'reset'
  return makePersonLink(deps, actor, { personId, kind, companyId, removesSecondFactor: removeSecondFactor })
}
