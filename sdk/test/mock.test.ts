// The mock for tests of programs that use the API: it accepts what the document allows, refuses the rest, and answers with its examples.
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { Cardstock } from '../src/cardstock.ts'
import { createMock, type Mock } from '../src/mock/create.ts'
import type { OpenApi } from '../src/mock/document.ts'
import { findProblem } from '../src/mock/validate.ts'
import { webhooks } from '../src/webhooks.ts'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenApi
const ORIGIN = 'http://mock.test'
let mock: Mock
let cardstock: Cardstock

beforeEach(() => {
  mock = createMock(document)
  cardstock = new Cardstock({ baseUrl: ORIGIN, apiKey: 'cstk_sandbox_x', maxRetries: 0, fetch: mock.fetch })
})

const issue = { type: 'issue', productId: 'prod_card_virtual', holderId: 'hld_1', amount: '25.00' } as const
const topup = { type: 'topup', cardId: 'card_1', amount: '50.00' } as const

describe('of every call in the document', () => {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, endpoint]) => endpoint.security?.length === 1)
      .map(([method, endpoint]) => [method.toUpperCase(), path, endpoint] as const),
  )

  test.each(calls)(
    '%s %s: each example of a request is accepted, and the answer has the schema',
    async (method, path, endpoint) => {
      const examples = endpoint.requestBody?.content['application/json']?.examples ?? { none: { value: undefined } }
      const required = (endpoint.parameters ?? []).filter((parameter) => parameter.required === true)
      const values = (place: string) =>
        required
          .filter((parameter) => parameter.in === place)
          .map((parameter) => [parameter.name, String((parameter as { example?: unknown }).example)] as const)
      const query = new URLSearchParams(Object.fromEntries(values('query')))
      const address = values('path').reduce((url, [name, value]) => url.replace(`{${name}}`, value), ORIGIN + path)
      for (const [name, { value }] of Object.entries(examples)) {
        const headers = { authorization: 'Bearer x', 'idempotency-key': name.replaceAll(' ', '-') }
        const body = value === undefined ? null : JSON.stringify(value)
        const response = await mock.fetch(`${address}?${query.toString()}`, { method, headers, body })
        const text = await response.text()
        expect(response.status, text).toBeLessThan(300)
        const type = response.headers.get('content-type') ?? ''
        const schema = endpoint.responses[String(response.status)]?.content?.[type]?.schema
        if (type === 'application/json' && response.status !== 204)
          expect(findProblem(JSON.parse(text), schema ?? {}, document.components.schemas)).toBeUndefined()
      }
    },
  )
})

describe('an answer', () => {
  test('is the example that fits the request best', async () => {
    expect(await cardstock.operations.create(issue)).toMatchObject({ type: 'issue', status: 'queued' })
    expect(await cardstock.operations.create(topup)).toMatchObject({ type: 'topup' })
    const { data: cards } = await cardstock.cards.list()
    expect(await cardstock.cards.get(cards[0]?.id ?? '')).toEqual(cards[0])
    expect((await cardstock.operations.list().toArray({ max: 10 })).length).toBeGreaterThan(0)
  })

  test('is the same in every run', async () => {
    const other = new Cardstock({ baseUrl: ORIGIN, apiKey: 'cstk_sandbox_x', fetch: createMock(document).fetch })
    expect(await cardstock.operations.create(issue)).toEqual(await other.operations.create(issue))
  })

  test('can be decided: by an example, an error code or in full, each for one request', async () => {
    mock.reply('GET /api/v1/operations/{id}', 'failed')
    mock.reply('GET /api/v1/operations/{id}', 'not_found')
    mock.reply('GET /api/v1/operations/{id}', { status: 503, body: {}, headers: { 'retry-after': '7' } })
    expect(await cardstock.operations.get('op_1')).toMatchObject({ status: 'failed' })
    await expect(cardstock.operations.get('op_1')).rejects.toMatchObject({ statusCode: 404, code: 'not_found' })
    await expect(cardstock.operations.get('op_1')).rejects.toMatchObject({ statusCode: 503, retryAfterMs: 7000 })
    expect(await cardstock.operations.get('op_1')).toMatchObject({ status: 'completed' })
    expect(() => mock.reply('GET /api/v1/operations/{id}', 'insufficient_funds')).toThrow(/neither an example nor/)
    expect(() => mock.reply('GET /api/v1/nothing', 'ok')).toThrow(/has no route/)
  })

  test('to a repeated idempotency key is the first one, and a conflict if the body differs', async () => {
    const options = { idempotencyKey: 'k-1' }
    const first = await cardstock.operations.create(topup, options)
    const { amount, cardId, type } = topup
    const again = await cardstock.operations.create({ amount, cardId, type }, options).withResponse()
    expect([again.data, again.isReplay]).toEqual([first, true])
    const other = cardstock.operations.create({ ...topup, amount: '51.00' }, options)
    await expect(other).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_conflict' })
  })

  test('can be a stream, and says so if the document has no example in the format', async () => {
    expect(await new Response(await cardstock.events.stream()).text()).toContain('retry: 3000')
    const days = { from: '2026-01-01', to: '2026-01-31' }
    expect((await cardstock.statements.get(days)).currency).toBe('USD')
    await expect(cardstock.statements.download(days, 'csv')).rejects.toMatchObject({ code: 'no_example' })
  })
})

describe('a request', () => {
  test('that the document does not allow is refused, with the field', async () => {
    const bad = (body: object) => cardstock.operations.create(body as never)
    await expect(bad({ ...topup, amount: 10 })).rejects.toMatchObject({ code: 'validation_failed', param: 'amount' })
    await expect(bad({ ...topup, amount: 'ten' })).rejects.toMatchObject({ param: 'amount' })
    await expect(bad({ ...topup, color: 'red' })).rejects.toMatchObject({ param: 'color' })
    await expect(bad({ type: 'topup', amount: '1.00' })).rejects.toMatchObject({ param: 'cardId' })
    await expect(bad({ type: 'gift' })).rejects.toMatchObject({ param: 'type' })
    await expect(cardstock.cards.list({ status: 'happy' as never })).rejects.toMatchObject({ param: 'status' })
    await expect(cardstock.cards.list({ limit: 0 })).rejects.toMatchObject({ param: 'limit' })
  })

  test('without a key, to an unknown path, or without an idempotency key is refused', async () => {
    const send = async (path: string, init: RequestInit) =>
      ((await (await mock.fetch(ORIGIN + path, init)).json()) as { code: string }).code
    const authorization = 'Bearer x'
    expect(await send('/api/v1/balance', {})).toBe('missing_api_key')
    expect(await send('/api/v1/nothing', { headers: { authorization } })).toBe('not_found')
    const order = { method: 'POST', body: JSON.stringify(topup) }
    expect(await send('/api/v1/operations', { ...order, headers: { authorization } })).toBe('idempotency_key_missing')
  })

  test('is kept for the test to see, without the key', async () => {
    await cardstock.operations.create(topup, { idempotencyKey: 'k-2' })
    await cardstock.cards.list({ status: 'active' })
    expect(mock.requests).toMatchObject([
      { method: 'POST', path: '/api/v1/operations', body: topup, headers: { 'idempotency-key': 'k-2' } },
      { method: 'GET', path: '/api/v1/cards', query: { status: 'active', limit: '100' }, body: undefined },
    ])
    expect(JSON.stringify(mock.requests)).not.toContain('cstk_sandbox_x')
  })
})

test('an event can be signed for the test of a receiver', async () => {
  const secret = 'whsec_c2VjcmV0IG9mIGEgdGVzdA=='
  const { body, headers } = await webhooks.signTestRequest(mock.event('operation.completed'), secret)
  const event = await webhooks.verify(body, headers, secret)
  expect(event).toMatchObject({ type: 'operation.completed', data: { status: 'completed' } })
})
