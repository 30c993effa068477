// All error codes with their status, and the error that carries one. A code never changes its meaning; docs/errors.md has a
// heading for each.
import { findId, type Prefix } from './lib/ids.ts'

export const ERRORS = {
  validation_failed: 400,
  amount_not_whole: 400,
  amount_below_minimum: 400,
  amount_above_maximum: 400,
  amount_not_price: 400,
  insufficient_funds: 400,
  balance_limit_exceeded: 400,
  issuance_quota_exceeded: 400,
  invoice_unresolved: 400,
  invoice_not_payable: 400,
  holder_not_active: 400,
  card_not_active: 400,
  product_mismatch: 400,
  product_retired: 400,
  service_not_available: 400,
  not_offered: 400,
  catalog_limit: 400,
  operator_token_limit: 400,
  api_key_limit: 400,
  card_status_not_allowed: 400,
  card_topup_open: 400,
  card_change_declined: 400,
  number_page_not_offered: 400,
  statement_range_too_large: 400,
  statement_too_many_entries: 400,
  entries_archived: 400,
  webhook_endpoint_limit: 400,
  webhook_endpoint_disabled: 400,
  webhook_url_refused: 400,
  password_refused: 400,
  invitation_limit: 400,
  passkey_limit: 400,
  passkeys_unavailable: 400,
  idempotency_key_missing: 400,
  idempotency_key_invalid: 400,
  missing_api_key: 401,
  malformed_api_key: 401,
  invalid_api_key: 401,
  revoked_api_key: 401,
  expired_api_key: 401,
  invalid_operator_token: 401,
  invalid_session: 401,
  invalid_credentials: 401,
  second_factor_required: 401,
  invalid_second_factor: 401,
  passkey_refused: 401,
  invalid_metrics_token: 401,
  invalid_issuer_signature: 401,
  scope_missing: 403,
  verification_required: 403,
  company_suspended: 403,
  capability_not_activated: 403,
  sandbox_only: 403,
  address_not_allowed: 403,
  csrf_refused: 403,
  membership_required: 403,
  role_not_allowed: 403,
  step_up_required: 403,
  password_required: 403,
  second_factor_missing: 403,
  reset_not_allowed: 403,
  not_found: 404,
  link_not_valid: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  quote_changed: 409,
  already_resolved: 409,
  event_conflict: 409,
  key_already_rotated: 409,
  last_operator_token: 409,
  transaction_status_not_allowed: 409,
  card_change_open: 409,
  holder_in_use: 409,
  holder_erased: 409,
  issuer_not_configured: 409,
  product_exists: 409,
  account_exists: 409,
  last_sign_in_method: 409,
  already_member: 409,
  last_owner: 409,
  email_taken: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  event_stream_limit: 429,
  request_header_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERRORS
export type ErrorDetails = Readonly<Record<string, unknown>>

export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  /** A field and not a getter, because the HTTP framework sets it again on errors from validation. */
  readonly statusCode: number
  readonly details: ErrorDetails | undefined
  /** The field, parameter or header that is wrong, or that names an object which does not exist. */
  readonly param: string | undefined
  readonly headers: Readonly<Record<string, string>>

  /** The message is for people and says what to do next. */
  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetails; param?: string | undefined; headers?: Record<string, string> } = {},
  ) {
    // A refusal is an ordinary answer. Nobody reads its stack trace, which would cost a fifth of the request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.statusCode = ERRORS[code]
    this.details = options.details
    this.param = options.param
    this.headers = options.headers ?? {}
  }
}

/**
 * Returns the one answer for an object that is missing, or another company's, or another environment's: a caller must not be
 * able to tell them apart. `param` is the field that names the object; left out, the route's last parameter does.
 */
export function notFound(param?: string): ApiError {
  const advice = param === undefined || param === 'id' ? 'Check the id.' : `Check ${param}.`
  const message = `There is no such object, or it belongs to another company or environment. ${advice}`
  return new ApiError('not_found', message, { param })
}

/** Returns the database's form of an id from the wire, or refuses: text that cannot be an id of ours is simply not found. */
export function requireId(prefix: Prefix, text: string, param?: string): string {
  const id = findId(prefix, text)
  if (id === undefined) throw notFound(param)
  return id
}

/** Returns the row that was looked up, or refuses with the one and only not-found answer. */
export function requireFound<Row>(row: Row | undefined, param?: string): Row {
  if (row === undefined) throw notFound(param)
  return row
}
