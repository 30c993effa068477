// Decides whether a known caller may make a call: verification, suspension, address, scope, environment and capability, in
// this order. Keys and people pass the same checks.
import { type Caller, isAllowedFrom } from '../access/caller.ts'
import { ApiError } from '../errors.ts'
import type { Access } from './route.ts'

export function requireAccess(
  caller: Caller,
  access: Extract<Access, { by: 'company' }>,
  context: { address: string; hasLiveIssuer: boolean },
): void {
  if (!caller.verified) {
    throw new ApiError(
      'verification_required',
      'The company is not verified. It has access once an operator has approved it.',
    )
  }
  if (caller.suspended && access.openWhileSuspended !== true) {
    throw new ApiError(
      'company_suspended',
      'The company is suspended: it can only read, and freeze or close cards. Ask the operator.',
    )
  }
  if (!isAllowedFrom(caller, context.address)) {
    throw new ApiError(
      'address_not_allowed',
      'This key may not be used from this address. Check the CIDR blocks that it allows.',
    )
  }
  if (access.anyOf.length > 0 && !access.anyOf.some((permission) => caller.permissions.has(permission))) {
    throw scopeMissing(caller, access.anyOf)
  }
  if (caller.scope.environment === 'sandbox') return
  if (access.sandboxOnly === true) {
    throw new ApiError('sandbox_only', 'This call only exists in the sandbox. Use a cstk_sandbox_… key.')
  }
  if (access.liveNeeds !== undefined && !(context.hasLiveIssuer && caller.capabilities.has(access.liveNeeds))) {
    throw new ApiError(
      'capability_not_activated',
      'The company is not activated for this in live. Ask the operator to activate it.',
    )
  }
}

export function scopeMissing(caller: Caller | undefined, anyOf: readonly string[]): ApiError {
  const wanted = anyOf.join(' or ')
  return new ApiError(
    'scope_missing',
    caller !== undefined && 'personId' in caller.by
      ? `Your role does not include ${wanted} in ${caller.scope.environment}. Ask an owner of the company.`
      : `This key does not have the scope ${wanted}. Use or create a key that has it.`,
  )
}
