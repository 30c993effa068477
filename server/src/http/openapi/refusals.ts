// Which error codes each route can answer with. Codes that follow from how a route is declared (its access, parameters and
// body) are derived here; a route lists the codes of its own rules as `refusals`. Tests fail when the server answers with a
// code that is not listed.
import { ERRORS, type ErrorCode } from '../../errors.ts'
import type { Access, Route } from '../route.ts'

/** Every request can be refused with these, before a route is chosen or when the server is in trouble. */
const ALWAYS: readonly ErrorCode[] = [
  'validation_failed',
  'method_not_allowed',
  'request_timeout',
  'request_header_too_large',
  'internal',
  'unavailable',
]

export function refusalsOf(route: Route): ErrorCode[] {
  const hasParameters = route.path.includes(':')
  const codes = new Set<ErrorCode>([
    ...ALWAYS,
    ...accessRefusals(route),
    ...(hasParameters ? (['not_found'] as const) : []),
    ...(route.method === 'GET' ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    ...(route.idempotent === true
      ? (['idempotency_key_missing', 'idempotency_key_invalid', 'idempotency_conflict'] as const)
      : []),
    ...(route.refusals ?? []),
  ])
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code))
}

/** What only a request with a session can be refused with. */
const OF_SESSIONS: ReadonlySet<ErrorCode> = new Set([
  'csrf_refused',
  'invalid_session',
  'membership_required',
  'step_up_required',
  'second_factor_missing',
])

/** The codes that the documents list. Those of companies are for programs, which send a key. */
export function documentedRefusals(route: Route): ErrorCode[] {
  const codes = refusalsOf(route)
  return route.access.by === 'company' ? codes.filter((code) => !OF_SESSIONS.has(code)) : codes
}

function accessRefusals({ access, method }: Route): ErrorCode[] {
  const isWrite = method !== 'GET'
  const csrf = isWrite ? (['csrf_refused'] as const) : []
  const stepUp = isWrite ? (['step_up_required', 'second_factor_missing'] as const) : []
  switch (access.by) {
    case 'anyone':
      return access.console === true ? ['csrf_refused'] : []
    case 'operator':
      return [
        'csrf_refused',
        ...stepUp,
        'invalid_operator_token',
        'rate_limited',
        'invalid_session',
        'role_not_allowed',
      ]
    case 'person':
      return [
        ...csrf,
        'invalid_session',
        'rate_limited',
        ...(access.stepUp === true ? (['step_up_required'] as const) : []),
      ]
    case 'member':
      return [
        ...csrf,
        ...stepUp,
        'invalid_session',
        'rate_limited',
        'verification_required',
        'membership_required',
        'scope_missing',
        ...(isWrite ? (['company_suspended'] as const) : []),
      ]
    case 'company':
      return [...csrf, ...(access.openWhileSuspended === true ? [] : stepUp), ...companyRefusals(access)]
  }
}

function companyRefusals(access: Extract<Access, { by: 'company' }>): ErrorCode[] {
  return [
    'missing_api_key',
    'malformed_api_key',
    'invalid_api_key',
    'revoked_api_key',
    'expired_api_key',
    'invalid_session',
    'membership_required',
    'rate_limited',
    'verification_required',
    'address_not_allowed',
    ...(access.openWhileSuspended === true ? [] : (['company_suspended'] as const)),
    ...(access.anyOf.length === 0 ? [] : (['scope_missing'] as const)),
    ...(access.sandboxOnly === true ? (['sandbox_only'] as const) : []),
    ...(access.liveNeeds === undefined ? [] : (['capability_not_activated'] as const)),
  ]
}
