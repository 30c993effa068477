// Decides what the request log may keep of a body: only the fields that are listed here. Everything else, such as names,
// addresses, card digits and secrets, is replaced, so that a new field is hidden until somebody decides otherwise.
import { toStorable } from '../lib/storable.ts'

const HIDDEN = '[redacted]'
/** Characters of JSON per body. */
export const BODY_LENGTH_MAX = 2_000
const TEXT_LENGTH_MAX = 200
const DEPTH_MAX = 4

const SHOWN = new Set([
  'id',
  'type',
  'status',
  'kind',
  'environment',
  'currency',
  'object',
  'code',
  'statusCode',
  'message',
  'requestId',
  'productId',
  'holderId',
  'cardId',
  'invoiceId',
  'operationId',
  'companyId',
  'originalId',
  'successorId',
  'amount',
  'fee',
  'total',
  'expectedTotal',
  'balance',
  'available',
  'held',
  'required',
  'depositAmount',
  'creditAmount',
  'receivedAmount',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'occurredAt',
  'from',
  'to',
  'at',
  'since',
  'outcome',
  'events',
  'reasons',
  'failure',
  'result',
  'details',
  'problems',
  'country',
  'overlapSeconds',
  'days',
  'count',
  'latestTo',
  'enabled',
])

/** Returns the body as JSON text without what must not be kept; null if it is not an object, or too long. */
export function redactBody(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const text = toStorable(JSON.stringify(redact(body, 0)))
  return text.length > BODY_LENGTH_MAX ? null : text
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > TEXT_LENGTH_MAX ? HIDDEN : hideSecrets(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  if (depth >= DEPTH_MAX) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  const kept: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    if (SHOWN.has(name)) kept[name] = redact(field, depth + 1)
    else if (/^[A-Za-z]\w{0,40}$/.test(name)) kept[name] = field === null ? null : HIDDEN
  }
  return kept
}

/** A secret or a card number in a field that may otherwise be shown, such as a key that was sent as an id. */
function hideSecrets(text: string): string {
  return /cstk_|whsec_|\d{12,}/.test(text.replaceAll(/[\s-]/g, '')) && !/^[a-z]+_[0-9a-f]{32}$/.test(text)
    ? HIDDEN
    : text
}
