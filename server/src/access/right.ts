// The right by which somebody changes who may do what. A request is admitted by it, and the database checks it again together with the
// change, because a role, a session or a token may have ended in between. What a change leaves behind (a key, a link, a
// passkey) would otherwise outlive the right to make it.
import { ApiError } from '../errors.ts'
import type { Environment } from '../lib/scope.ts'
import { COMPANY_ROLES, type CompanyRole, type Permission, ROLE_PERMISSIONS, type Role } from './permissions.ts'

interface SessionRight {
  readonly personId: string
  readonly sessionId: string
  /** The company whose role counts; null for the programme. */
  readonly companyId?: string | null
  /** The person must still have one of these. Left out for what people do with their own account. */
  readonly roles?: readonly Role[]
  /** Since when somebody who has a second factor must have proved it, if that matters. */
  readonly verifiedSince?: Date
}

/** Of a signed-in person, of an operator token, or null when the program itself acts. */
export type Right = SessionRight | { readonly tokenId: string } | null

/** Returns the roles that include one of the permissions. */
export function rolesWithAny(permissions: readonly Permission[], environment: Environment): CompanyRole[] {
  return COMPANY_ROLES.filter((role) => permissions.some((each) => ROLE_PERMISSIONS[role][environment].includes(each)))
}

/** Keeps the roles that include all of the permissions. */
export function narrowRight(right: Right, permissions: readonly Permission[], environment: Environment): Right {
  if (right === null || !('roles' in right)) return right
  const includesAll = (role: Role) =>
    (COMPANY_ROLES as readonly Role[]).includes(role) &&
    permissions.every((each) => ROLE_PERMISSIONS[role as CompanyRole][environment].includes(each))
  return { ...right, roles: right.roles?.filter(includesAll) ?? [] }
}

/** For a change that was refused because the right had ended when it was about to be made. */
export function rightLost(right: Right): ApiError {
  if (right !== null && 'tokenId' in right) {
    return new ApiError('invalid_operator_token', 'This operator token was revoked. Use another one.', {
      headers: { 'www-authenticate': 'Bearer realm="cardstock"' },
    })
  }
  if (right?.companyId === undefined) {
    return new ApiError('invalid_session', 'Your session has ended. Sign in again.')
  }
  return right.companyId === null
    ? new ApiError('role_not_allowed', 'Your session or your role has just ended. Ask an operator.')
    : new ApiError('membership_required', 'Your session or your role has just ended. Ask an owner of the company.')
}
