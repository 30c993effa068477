// The trace of one card: an API server and a worker on one database send to one collector, which answers nothing until
// the card is issued and its webhook delivered.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { openTracing, type Tracing } from '../../src/telemetry/tracing.ts'
import { CARD, createCustomer, type Customer } from '../support/operations.ts'
import { createDatabase, TestServer } from '../support/harness.ts'
import { must } from '../../src/lib/invariant.ts'
import { type Endpoint, register } from '../support/webhooks.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { CLIENT, type Collector, type ReceivedSpan, SERVER, startCollector } from './collector.ts'

const REQUEST = 'POST /api/v1/operations'
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const KEY = 'the-key-of-this-test'
const BODY = { type: 'issue', productId: CARD, name: 'Grace Hopper', amount: '25.00' }

let collector: Collector
let receiver: Receiver
let customer: Customer
let endpoint: Endpoint
let operationId: string
let cardId: string | undefined
let heldExports = 0

/** Names the spans of the chain, in its order. */
interface Chain {
  request: ReceivedSpan
  replay: ReceivedSpan
  batch: ReceivedSpan
  root: ReceivedSpan
  call: ReceivedSpan
  delivery: ReceivedSpan
}
let chain: Chain

beforeAll(async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '1')
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test')
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20collector')
  collector = await startCollector('hold')
  receiver = await startReceiver()
  const database = await createDatabase()
  const open = (role: string): Promise<Tracing | undefined> =>
    openTracing({ url: collector.url }, { log: createLog({ level: 'silent' }), version: '1.2.3', role })
  const [apiTracing, workerTracing] = await Promise.all([open('api'), open('worker')])
  const api = await TestServer.start({}, { database, role: 'api', tracing: apiTracing })
  const borrowed = { ...database, drop: async () => {} }
  const worker = await TestServer.start({}, { database: borrowed, role: 'worker', tracing: workerTracing })

  customer = await createCustomer(api)
  endpoint = await register(api, customer, receiver.url, ['operation.completed'])
  const issue = (requestId: string) =>
    api.request<{ id: string }>('POST', '/api/v1/operations', {
      token: customer.key,
      body: { ...BODY, holderId: customer.holderId },
      idempotencyKey: KEY,
      headers: { 'x-request-id': requestId, traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
    })
  operationId = (await issue('first')).body.id
  const [arrival] = await receiver.wait(1)
  cardId = (must(arrival).event.data['result'] as { cardId?: string }).cardId
  await issue('second')
  await api.request('GET', '/healthz')
  await api.request('GET', `/api/v1/operations?idempotencyKey=${KEY}`, { token: customer.key })
  await api.request('GET', '/api/v1/no-such-path', { token: customer.key })
  heldExports = collector.bodies.length
  collector.release()
  await worker.stop()
  await api.stop()
  await Promise.all([apiTracing?.close(), workerTracing?.close()])
  chain = findChain()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await collector.close()
  await receiver.close()
})

function find(name: string, isIt: (span: ReceivedSpan) => boolean = () => true): ReceivedSpan {
  return must(collector.spans.find((span) => span.name === name && isIt(span)))
}

function findChain(): Chain {
  const asks = (id: string) => find(REQUEST, ({ attributes }) => attributes['cardstock.request.id'] === id)
  const request = asks('first')
  return {
    request,
    replay: asks('second'),
    batch: find('accept batch', ({ links }) => links.some(({ spanId }) => spanId === request.spanId)),
    root: find('accept operation'),
    call: find('issuer issue'),
    delivery: find('webhook deliver'),
  }
}

const linkTo = ({ traceId, spanId }: ReceivedSpan) => ({ traceId, spanId })

describe('the trace of one card', () => {
  test('everything was answered while the collector had answered nothing', () => {
    expect(heldExports).toBeGreaterThan(0)
    expect(cardId).toMatch(/^card_/)
  })

  test('a request begins a trace of its own, links the span of its caller and the trace of its operation', () => {
    const { request, root } = chain
    expect(request).toMatchObject({ kind: SERVER, links: [CALLER, linkTo(root)], status: {} })
    expect(request.parentSpanId).toBeUndefined()
    expect([CALLER.traceId, root.traceId]).not.toContain(request.traceId)
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/operations',
      'http.response.status_code': 201,
      'cardstock.request.id': 'first',
      'cardstock.operation.id': operationId,
    })
  })

  test('the batch links the request, and the operation begins a trace that links both', () => {
    const { request, batch, root } = chain
    expect(batch).toMatchObject({ links: [linkTo(request)], attributes: { 'cardstock.batch.size': 1 } })
    expect(root.links).toEqual([linkTo(batch), linkTo(request)])
    expect(root.parentSpanId).toBeUndefined()
    expect(root.attributes).toEqual({
      'cardstock.operation.id': operationId,
      'cardstock.operation.type': 'issue',
      'cardstock.environment': 'sandbox',
    })
  })

  test("another process adds the issuer's call and the webhook to the operation's trace", () => {
    const { root, call, delivery } = chain
    const child = { kind: CLIENT, traceId: root.traceId, parentSpanId: root.spanId, status: {} }
    expect([call, delivery]).toMatchObject([child, child])
    expect(call.attributes).toEqual({
      'cardstock.environment': 'sandbox',
      'cardstock.operation.id': operationId,
      'cardstock.attempt': 1,
      'cardstock.outcome': 'confirmed',
    })
    expect(delivery.attributes).toEqual({
      'cardstock.environment': 'sandbox',
      'cardstock.event.id': receiver.arrivals[0]?.event.id,
      'cardstock.event.type': 'operation.completed',
      'cardstock.operation.id': operationId,
      'cardstock.webhook_endpoint.id': endpoint.id,
      'cardstock.attempt': 1,
      'cardstock.outcome': 'delivered',
      'http.response.status_code': 200,
    })
    expect([root, call, delivery].map(({ resource }) => resource['cardstock.role'])).toEqual([
      'api',
      'worker',
      'worker',
    ])
  })

  test('a repeated request links the same operation, whose trace does not begin again', () => {
    expect(chain.replay.links).toEqual([CALLER, linkTo(chain.root)])
    expect(collector.spans.filter(({ name }) => name === 'accept operation')).toHaveLength(1)
  })

  test('receivers of webhooks are told nothing of the trace', () => {
    expect(receiver.arrivals[0]?.headers).not.toHaveProperty('traceparent')
  })
})

test('a path without a route is traced without its path, and probes are not traced', () => {
  const unknown = find('GET')
  expect(unknown.attributes).toMatchObject({ 'http.response.status_code': 404, 'error.type': 'not_found' })
  expect(unknown.attributes).not.toHaveProperty('http.route')
  expect(collector.spans.map(({ attributes }) => attributes['http.route'])).not.toContain('/healthz')
})

test('no span holds a key, a name, a card, a body, a path, a query or an address', () => {
  const sent = collector.bodies.join('\n')
  const { holderId, key, scope } = customer
  const secrets = [
    key,
    KEY,
    'Lovelace',
    'example.com',
    'Hopper',
    '25.00',
    endpoint.secret,
    receiver.url,
    'no-such-path',
  ]
  for (const secret of [...secrets, holderId, must(cardId), scope.companyId, '127.0.0.1']) {
    expect(sent).not.toContain(secret)
  }
})

test('the resource names the service, and the standard variables are honoured', () => {
  expect(chain.root.resource).toMatchObject({
    'service.name': 'cardstock',
    'service.version': '1.2.3',
    'deployment.environment.name': 'test',
  })
  expect(chain.root.resource['service.instance.id']).not.toBe(chain.call.resource['service.instance.id'])
  expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer collector', 'content-type': 'application/json' })
})
