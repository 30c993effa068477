// Random requests to every route with a valid key: no answer is a 5xx, and every refusal has the error body.
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectError, type ErrorBody } from '../expect-error.ts'

const RUNS = 500

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
const company = await server.createCompany()
afterAll(() => server.stop())

const routes = server.app.routes
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: 32, maxLength: 32 })
const id = fc.oneof(
  fc.constant(company.wireId),
  fc
    .tuple(fc.constantFrom('co', 'key', 'hld', 'card', 'op', 'fund'), hex)
    .map(([prefix, digits]) => `${prefix}_${digits}`),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }),
)
/** Values that are nearly right find more than noise does. */
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '10.00',
    '0',
    '-1',
    '1e9',
    'issue',
    'service',
    'sandbox',
    'live',
    'active',
    'individual',
    'approve',
    '\u0000',
    '\ud800',
    'prod_card_virtual',
    'a@b',
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00Z',
    '2026-02-30',
  ),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom('cards:read', '10.0.0.0/8', '::/0', 'x/y', ''), { maxLength: 3 }),
  fc.jsonValue(),
)
const field = fc.constantFrom(
  'type',
  'amount',
  'productId',
  'holderId',
  'cardId',
  'recipient',
  'name',
  'email',
  'kind',
  'externalId',
  'environment',
  'scopes',
  'expiresAt',
  'allowedCidrs',
  'decision',
  'reason',
  'status',
  'overlapSeconds',
  'liveServices',
  'expectedTotal',
  'zzz',
)
const body = fc.oneof(
  fc.dictionary(field, value, { maxKeys: 8 }).map((fields) => JSON.stringify(fields)),
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc.string({ unit: 'binary' }),
)
const query = fc.dictionary(
  fc.constantFrom(
    'limit',
    'cursor',
    'status',
    'kind',
    'holderId',
    'productId',
    'email',
    'externalId',
    'companyId',
    'from',
    'to',
    'type',
    'zzz',
  ),
  fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('1', '100', 'active', '2026-01-01')),
  { maxKeys: 3 },
)
const headerText = fc
  .string({ unit: fc.constantFrom(...' !"#$%&()*+,-./:;<=>?@[]^_`{|}~aZ09\xe9'.split('')), maxLength: 200 })
  .map((text) => text.trim())

/** A lone surrogate cannot be percent-encoded; a client would send the replacement character. */
const encodePart = (text: string) => encodeURIComponent(Buffer.from(text).toString())

const request = fc.record({
  route: fc.constantFrom(...routes),
  ids: fc.array(id, { minLength: 2, maxLength: 2 }),
  query,
  body,
  headers: fc.dictionary(
    fc.constantFrom('x-request-id', 'idempotency-key', 'accept', 'content-type', 'x-forwarded-for', 'if-none-match'),
    headerText,
    { maxKeys: 3 },
  ),
})

it(`${RUNS} random requests over all routes answer below 500`, async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ route, ids, query: parameters, body: text, headers }) => {
      let next = 0
      const path = route.path.replaceAll(/:\w+/g, () => encodePart(ids[next++] ?? ''))
      const search = new URLSearchParams(parameters).toString()
      const sendsBody = route.method === 'POST' || route.method === 'PATCH'
      const answer = await server.request(route.method, `${path}${search === '' ? '' : `?${search}`}`, {
        token: route.access.by === 'operator' ? server.operatorToken : company.key,
        headers: { 'idempotency-key': 'fuzz', ...headers },
        ...(sendsBody ? { body: text } : {}),
      })
      expect(answer.status, answer.text).toBeLessThan(500)
      if (answer.status >= 400 && answer.text !== '') expectError(answer, (answer.body as unknown as ErrorBody).code)
    }),
    { numRuns: RUNS },
  )
})
