// SPEC: "Header Idempotency-Key: string, required, at most 128 characters." Its raw value is opaque.
import { ApiError } from '../errors.ts'

/** As the contract says: room for a UUID with a prefix several times over. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 128
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

export function requireIdempotencyKey(header: string | string[] | undefined): string {
  if (header === undefined || header === '') {
    throw new ApiError(
      'idempotency_key_missing',
      'Send an Idempotency-Key header: a new value for each new request, and the same value when you repeat a request.',
      { param: 'Idempotency-Key' },
    )
  }
  if (typeof header !== 'string' || header.length > IDEMPOTENCY_KEY_LENGTH_MAX || !VISIBLE_ASCII.test(header)) {
    throw new ApiError(
      'idempotency_key_invalid',
      'The Idempotency-Key must be 1 to 128 visible ASCII characters, sent once.',
      { param: 'Idempotency-Key' },
    )
  }
  return header
}
