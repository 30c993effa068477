// Reads the Authorization header, and says what is wrong with it and what to send instead. It looks nothing up, and must not
// repeat what was sent: it may be a secret of another system.
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../access/caller.ts'
import { findTokenKind, type TokenKind } from '../access/tokens.ts'
import { ApiError, type ErrorCode } from '../errors.ts'

/** What a request shows as its credentials. Only a token whose checksum is right has a kind of its own. */
export type Shown =
  | { readonly kind: 'nothing' | 'basic' | 'other scheme' | 'malformed' }
  | { readonly kind: TokenKind; readonly token: string }

/** Clients send the header in any case, and `Bearer` alone when the variable with the key is empty. */
export function readBearer({ authorization = '' }: IncomingHttpHeaders): Shown {
  const [, scheme = '', rest = ''] = /^(\S*) *(.*)$/s.exec(authorization) ?? []
  if (scheme === '') return { kind: 'nothing' }
  if (/^basic$/i.test(scheme)) return { kind: 'basic' }
  if (!/^bearer$/i.test(scheme)) return { kind: 'other scheme' }
  if (rest === '') return { kind: 'nothing' }
  const kind = findTokenKind(rest)
  return kind === undefined ? { kind: 'malformed' } : { kind, token: rest }
}

const SEND_KEY = 'Send an API key of the company: Authorization: Bearer cstk_sandbox_… or cstk_live_…'
const SEND_TOKEN = 'Send the operator token: Authorization: Bearer cstk_operator_…'

/** Returns the refusal of what is not an API key. */
export function refuseKey(kind: Shown['kind']): ApiError {
  const [code, message] = describeKey(kind)
  return unauthorized(code, `${message} ${SEND_KEY}`)
}

function describeKey(kind: Shown['kind']): [ErrorCode, string] {
  switch (kind) {
    case 'nothing':
      return ['missing_api_key', 'The request has no API key.']
    case 'basic':
      return ['malformed_api_key', 'HTTP Basic authentication is not used here; the key is not a user name.']
    case 'other scheme':
      return ['malformed_api_key', 'The Authorization header does not begin with Bearer.']
    case 'malformed':
      return ['malformed_api_key', 'This is not a complete API key: it was mistyped or cut off. Copy it again.']
    case 'operator':
      return ['invalid_api_key', 'This is an operator token, which is for /admin/v1 only.']
    case 'session':
      return ['invalid_api_key', 'This is the session of a person, which browsers send as a cookie.']
    case 'invitation':
    case 'reset':
    case 'signin':
      return ['invalid_api_key', 'This is the token of a one-time link, which is for the sign-in page.']
    case 'sandbox':
    case 'live':
      return ['invalid_api_key', 'There is no such API key.']
  }
}

/** Returns the refusal of what is not an operator token. */
export function refuseOperatorToken(kind: Shown['kind']): ApiError {
  return unauthorized('invalid_operator_token', `${describeOperatorToken(kind)} ${SEND_TOKEN}`)
}

function describeOperatorToken(kind: Shown['kind']): string {
  switch (kind) {
    case 'nothing':
      return 'The request has no operator token.'
    case 'basic':
      return 'HTTP Basic authentication is not used here.'
    case 'other scheme':
      return 'The Authorization header does not begin with Bearer.'
    case 'malformed':
      return 'This is not a complete operator token: it was mistyped or cut off. Copy it again.'
    case 'sandbox':
    case 'live':
      return "This is a company's API key, which is for /api/v1 only."
    case 'session':
    case 'invitation':
    case 'reset':
    case 'signin':
      return 'This is the token of a person.'
    case 'operator':
      return 'There is no such operator token, or it was revoked.'
  }
}

/** Return the refusals of well-formed credentials that are nobody's. */
export const unknownKey = (): ApiError => refuseKey('live')
export const unknownOperatorToken = (): ApiError => refuseOperatorToken('operator')

/** Returns the refusal of a key that was valid once, or undefined if it still is. */
export function refuseEnded(caller: Caller, now: Date): ApiError | undefined {
  if (caller.revokedAt !== null) {
    return unauthorized('revoked_api_key', 'This API key was revoked. Use another key of the company.')
  }
  if (caller.expiresAt !== null && caller.expiresAt <= now) {
    return unauthorized('expired_api_key', 'This API key has expired. Use its successor or create a new key.')
  }
  return undefined
}

function unauthorized(code: ErrorCode, message: string): ApiError {
  const headers = { 'www-authenticate': 'Bearer realm="cardstock"' }
  return new ApiError(code, message, { param: 'Authorization', headers })
}
