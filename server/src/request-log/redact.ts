// Decides what the request log may keep of a body: only the fields that are listed here. Everything else, such as names,
// addresses, card digits and secrets, is replaced, so that a new field is hidden until somebody decides otherwise.
// Every request passes through here, so the JSON text is written in one pass, without a copy of the body in between.
import { hasSecret, replaceEmails } from '../lib/sensitive.ts'
import { isStorable } from '../lib/storable.ts'

export const REDACTED = '[redacted]'
const HIDDEN = JSON.stringify(REDACTED)
/** What is kept of a body that was not read, is no object, or is too long: the request cannot be repeated without it. */
const HIDDEN_BODY = `{${HIDDEN}:${HIDDEN}}`
/** Characters of JSON per body. */
export const BODY_LENGTH_MAX = 2_000
/** Characters of a text, and levels of a body. What is longer or deeper is hidden, so that a record stays small. */
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
  'threshold',
  'endpointId',
  'category',
  'merchantCategory',
])

/** Returns the body as JSON text without what must not be kept; null if it is not an object, or too long. */
export function redactBody(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const text = writeObject(body, 0)
  return text.length > BODY_LENGTH_MAX ? null : text
}

/** The same for the body of a request, of which null says that there was none. */
export function redactRequestBody(body: unknown, wasSent: boolean): string | null {
  return redactBody(body) ?? (wasSent ? HIDDEN_BODY : null)
}

function writeObject(value: object, depth: number): string {
  let text = ''
  // Object.entries would make an array per field.
  for (const name of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[name]
    const { key, isShown } = names.get(name) ?? learn(name)
    if (field === undefined) continue
    const written = isShown ? write(field, depth + 1) : field === null ? 'null' : HIDDEN
    text += text === '' ? key + written : `,${key}${written}`
  }
  return `{${text}}`
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return writeText(value)
  if (value === null) return 'null'
  if (typeof value === 'bigint') return `"${value}"`
  // JSON has no form for undefined and for functions; in an array they are null.
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (value instanceof Date) return `"${value.toISOString()}"`
  if (depth >= DEPTH_MAX) return HIDDEN
  return Array.isArray(value) ? `[${value.map((item) => write(item, depth + 1)).join()}]` : writeObject(value, depth)
}

interface Name {
  /** The name as JSON with its colon; hidden, too, if it is no name of a field of ours. */
  readonly key: string
  readonly isShown: boolean
}

/** The names of our own API are fewer. Clients may send any others, which must not fill the memory. */
const NAMES_MAX = 1_000
const names = new Map<string, Name>()

function learn(name: string): Name {
  const isName = /^[A-Za-z]\w{0,40}$/.test(name)
  const learned = { key: isName ? `"${name}":` : `${HIDDEN}:`, isShown: SHOWN.has(name) }
  if (names.size < NAMES_MAX) names.set(name, learned)
  return learned
}

/** An id of ours. Most texts are one, so it is looked for first. */
const OUR_ID = /^[a-z]+_[0-9a-f]{32}$/
/** Too short for a secret, and the same in JSON: amounts, currencies, states. */
const SHORT = /^[A-Za-z\d.]{0,11}$/

/**
 * Hides a secret, such as a key that was sent as an id, and e-mail addresses in a field that may otherwise be shown; and what the database cannot
 * store, because another text in its place would be another request.
 */
function writeText(text: string): string {
  if (SHORT.test(text) || OUR_ID.test(text)) return `"${text}"`
  if (text.length > TEXT_LENGTH_MAX || hasSecret(text)) return HIDDEN
  const written = JSON.stringify(replaceEmails(text, REDACTED))
  return written.includes('\\') && !isStorable(written) ? HIDDEN : written
}

/** The keys that programs make up: UUIDs, and random or readable words without an `@`, which an e-mail address has. */
const RANDOM_KEY = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i
const READABLE_KEY = /^[\w.:/+=-]+$/

/** Returns the key as JSON text, with which the request can be repeated; null if there is none, or it may hold what must not be kept. */
export function writeIdempotencyKey(key: string): string {
  const isKept = RANDOM_KEY.test(key) || (READABLE_KEY.test(key) && !hasSecret(key))
  return isKept ? `"${key}"` : 'null'
}

/** Hides a secret or an e-mail address in a path, such as a card number that was sent as an id. */
export function redactPath(path: string): string {
  if (!isSensitive(decode(path))) return path
  return path
    .split('/')
    .map((segment) => (isSensitive(decode(segment)) ? REDACTED : segment))
    .join('/')
}

/** Parameters of our own lists whose values name no person. The value of every other one, such as the search for a name, is hidden. */
const SHOWN_PARAMETERS = new Set([
  ...SHOWN,
  'limit',
  'cursor',
  'types',
  'after',
  'by',
  'keyId',
  'idempotencyKey',
  'moves',
  'reference',
  'path',
  'format',
  'sort',
])
/** Characters of a query. A longer one is hidden: a part of it would be another request. */
const QUERY_LENGTH_MAX = 1_000
/** Characters of a cursor in a list by time. A longer one has the name of a person in it. */
const CURSOR_LENGTH_SHOWN_MAX = 54

/** Returns the query as it was sent, with its question mark, without what must not be kept; null if there is none. */
export function redactQuery(url: string): string | null {
  const start = url.indexOf('?')
  const query = start === -1 ? '' : url.slice(start + 1)
  if (query === '') return null
  if (query.length > QUERY_LENGTH_MAX) return `?${REDACTED}`
  const parts = query.split('&').map((part) => {
    const end = part.indexOf('=')
    const name = end === -1 ? part : part.slice(0, end)
    if (!SHOWN_PARAMETERS.has(name)) return /^[A-Za-z]\w{0,40}$/.test(name) ? `${name}=${REDACTED}` : REDACTED
    const value = part.slice(name.length + 1)
    if (name === 'cursor' && value.length > CURSOR_LENGTH_SHOWN_MAX) return `${name}=${REDACTED}`
    return isSensitive(decode(value)) ? `${name}=${REDACTED}` : part
  })
  return `?${parts.join('&')}`
}

const isSensitive = (text: string) => hasSecret(text) || replaceEmails(text, '') !== text

/** What cannot be decoded is looked at as it is. */
function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
