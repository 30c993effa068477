// The part of a record that the database only stores: everything that lists cannot filter by, as one JSON text.
import type { Answered } from '../http/server.ts'
import { redactBody, redactQuery, redactRequestBody, writeIdempotencyKey } from './redact.ts'

export interface RequestLogDetail {
  readonly method: string
  readonly durationMs: number
  readonly requestId: string
  readonly address: string
  readonly errorCode: string | null
  /** Records of the previous release lack it, and the key. */
  readonly query?: string | null
  readonly idempotencyKey?: string | null
  readonly requestBody: Record<string, unknown> | null
  readonly responseBody: Record<string, unknown> | null
}

/** Returns the JSON text of a RequestLogDetail. */
export function toDetail(answered: Answered): string {
  const { method, requestId, address, errorCode, requestBody, hasRequestBody, responseBody } = answered
  return (
    `{"method":${JSON.stringify(method)},"query":${JSON.stringify(redactQuery(answered.url))},"durationMs":${Math.round(answered.durationMs)},` +
    `"requestId":${JSON.stringify(requestId)},"address":${JSON.stringify(address)},"errorCode":${JSON.stringify(errorCode)},` +
    `"idempotencyKey":${writeIdempotencyKey(answered.idempotencyKey)},` +
    `"requestBody":${redactRequestBody(requestBody, hasRequestBody)},"responseBody":${redactBody(responseBody)}}`
  )
}
