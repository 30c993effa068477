// The response headers, each defined once.
import type { Route } from '../route.ts'
import type { Json } from './json.ts'

export const HEADERS: Json = {
  'X-Request-Id': {
    description:
      'The id of this request. Send your own in `X-Request-Id` (1 to 128 letters, digits and `_.:/+=-`) or let the server make one. It also makes one instead of an id that looks like a key or a card number. Quote it when you ask for help.',
    schema: { type: 'string' },
    example: '019a8b6e-2c10-7d3e-9f5a-6d1f0c8e4b21',
  },
  Location: {
    description: 'The path of the new object.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v1/operations/op_6L3wGuXmqTQ1pMZzN8aVbC',
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored answer of an earlier request with the same key. Absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Retry-After': {
    description: 'How many seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  RateLimit: {
    description: 'What is left of each limit: `r` requests, and `t` seconds until the limit is full again.',
    schema: { type: 'string' },
    example: '"key";r=199;t=1',
  },
  'RateLimit-Policy': {
    description: 'The limits that apply to this key: `q` requests in `w` seconds.',
    schema: { type: 'string' },
    example: '"key";q=100;w=1',
  },
}

const reference = (name: string) => ({ $ref: `#/components/headers/${name}` })

function pick(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, reference(name)]))
}

const RATE_HEADERS = ['RateLimit', 'RateLimit-Policy']

export function successHeaders(route: Route, status: number): Json {
  return pick([
    'X-Request-Id',
    ...(route.access.by === 'anyone' ? [] : RATE_HEADERS),
    ...(status === 201 ? ['Location'] : []),
    ...(route.idempotent === true ? ['Idempotent-Replayed'] : []),
  ])
}

/** An invalid key has no limit of its own, so 401 has no rate headers. `isLimited`: the calls of the document have limits. */
export function refusalHeaders(status: number, { isLimited }: { isLimited: boolean }): Json {
  const isIdentified = status === 400 || status === 403 || status === 404 || status === 409 || status === 429
  return pick([
    'X-Request-Id',
    ...(isIdentified && isLimited ? RATE_HEADERS : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ])
}
