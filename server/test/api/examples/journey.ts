// The calls of the examples, in an order that makes sense: an operator opens a company, the company issues and uses cards,
// pays an invoice, receives webhooks, and is refused in every documented way. Lists are filtered, so that they are the same in every run.
import { EVENT_TYPES } from '../../../src/events/catalogue.ts'
import type { LiveWorld } from '../../support/live.ts'
import { until } from '../../support/wait.ts'
import { startReceiver } from '../../webhooks/receiver.ts'
import { manageOperatorTokens } from './operator-tokens.ts'
import { meetPeople } from './people.ts'
import type { Recorder } from './recorder.ts'

const OPERATIONS = '/api/v1/operations'
const INVOICES = '/api/v1/card-account/invoices'
const STATEMENT = '/api/v1/account-statements?from=2026-03-10&to=2026-03-10'

interface Object {
  id: string
  status: string
  key: string
  result: { cardId: string }
}

export interface Journey {
  readonly world: LiveWorld
  readonly recorder: Recorder
  readonly operator: string
  company: string
  /** Of the sandbox, with every scope. */
  key: string
  live: string
}

export async function travel(world: LiveWorld, recorder: Recorder): Promise<void> {
  const journey: Journey = { world, recorder, operator: world.server.operatorToken, company: '', key: '', live: '' }
  await openCompany(journey)
  const { holder, card } = await issueCards(journey)
  await useCard(journey, card)
  await payInvoices(journey)
  await receiveWebhooks(journey)
  await reviewAndAudit(journey, holder)
  await recorder.call('close', `POST /api/v1/cards/${card}/close`, { token: journey.key, expect: 200 })
  await manageCatalogue(journey)
  await manageOperatorTokens(journey)
  await meetPeople(journey)
  await readRequestLog(journey)
  await collectEvents(journey)
}

/** The log is written after the answers, so it is read until the request is in it. */
async function readRequestLog({ world, recorder, key: token }: Journey): Promise<void> {
  const path = '/api/v1/request-logs?path=/api/v1/quotes'
  await until('the request is in the log', async () => {
    const { body } = await world.server.get<{ data: object[] }>(path, token)
    return body.data.length > 0 ? true : undefined
  })
  await recorder.call('by path', `GET ${path}`, { token, expect: 200 })
}

/** The first event of each type that the journey caused. */
async function collectEvents({ world, recorder, key }: Journey): Promise<void> {
  for (const type of EVENT_TYPES) {
    const { body } = await world.server.get<{ data: object[] }>(`/api/v1/events?type=${type}`, key)
    const first = body.data.at(-1)
    // The time at which the worker acts varies.
    if (first !== undefined) recorder.events[type] = { ...first, createdAt: '2026-03-10T12:01:00.000Z' }
  }
}

/** Moves the clock between two calls, so that the order of lists is certain. */
export function next({ world }: Journey): void {
  world.server.clock.advance(1_000)
}

async function openCompany(journey: Journey): Promise<void> {
  const { recorder, operator } = journey
  const token = operator
  const company = await recorder.call<Object>('company', 'POST /admin/v1/companies', {
    token,
    body: { name: 'Acme Ltd', kind: 'corporate' },
    expect: 201,
  })
  journey.company = company.id
  const path = `/admin/v1/companies/${company.id}`
  await recorder.call('pending', `GET ${path}`, { token, expect: 200 })
  await recorder.call('approve', `POST ${path}/verification`, {
    token,
    body: { decision: 'approve', reason: 'The documents are complete.' },
    expect: 200,
  })
  await recorder.call('activate', `PATCH ${path}/capabilities`, {
    token,
    body: { liveServices: true, directInvoices: true },
    expect: 200,
  })
  await recorder.call('suspend', `POST ${path}/suspension`, {
    token,
    body: { suspended: true, reason: 'The company asked for it.' },
    expect: 200,
  })
  await recorder.call('resume', `POST ${path}/suspension`, {
    token,
    body: { suspended: false, reason: 'The company is back.' },
    expect: 200,
  })
  await recorder.call('companies', 'GET /admin/v1/companies?limit=1', { token, expect: 200 })
  const scopes = [
    'funding:write',
    'cards:write',
    'services:write',
    'cards:read',
    'holders:read',
    'operations:read',
    'balance:read',
    'holders:write',
    'webhooks:read',
    'webhooks:write',
  ]
  const keyBody = (environment: string) => ({ environment, name: 'Back office', scopes })
  const created = await recorder.call<Object>('sandbox', `POST ${path}/keys`, {
    token,
    body: keyBody('sandbox'),
    expect: 201,
  })
  journey.key = created.key
  next(journey)
  const live = await recorder.call<Object>('live', `POST ${path}/keys`, { token, body: keyBody('live'), expect: 201 })
  journey.live = live.key
  next(journey)
  const spare = await recorder.call<Object>('limited', `POST ${path}/keys`, {
    token,
    body: {
      environment: 'sandbox',
      name: 'Reporting',
      scopes: ['balance:read'],
      expiresAt: '2027-01-31T00:00:00Z',
      allowedCidrs: ['203.0.113.0/24'],
    },
    expect: 201,
  })
  await recorder.call('keys', `GET ${path}/keys?limit=1`, { token, expect: 200 })
  next(journey)
  const successor = await recorder.call<Object>('rotate', `POST ${path}/keys/${spare.id}/rotate`, {
    token,
    body: { overlapSeconds: 3600 },
    expect: 201,
  })
  await recorder.call('revoke', `DELETE ${path}/keys/${successor.id}`, { token, expect: 204 })
  next(journey)
  const holder = await recorder.call<Object>('holder', `POST ${path}/holders`, {
    token,
    body: { environment: 'live', name: 'Grace Hopper', email: 'grace@example.com', kind: 'individual' },
    expect: 201,
  })
  await recorder.call('block', `PATCH ${path}/holders/${holder.id}`, {
    token,
    body: { environment: 'live', status: 'blocked' },
    expect: 200,
  })
}

async function issueCards(journey: Journey): Promise<{ holder: string; card: string }> {
  const { recorder, key: token } = journey
  await recorder.call('products', 'GET /api/v1/products', { token, expect: 200 })
  next(journey)
  const holder = await recorder.call<Object>('holder', 'POST /api/v1/holders', {
    token,
    idempotencyKey: 'holder-ada',
    body: { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual', externalId: 'employee-1815' },
    expect: 201,
  })
  await recorder.call('holder', `GET /api/v1/holders/${holder.id}`, { token, expect: 200 })
  await recorder.call('all', 'GET /api/v1/holders?externalId=employee-1815', { token, expect: 200 })
  await recorder.call('funding', 'POST /api/v1/sandbox/funding', {
    token,
    idempotencyKey: 'funding-1',
    body: { amount: '1000.00' },
    expect: 200,
  })
  const issue = { type: 'issue', productId: 'prod_card_virtual', holderId: holder.id, amount: '25.00' }
  await recorder.call('issue', 'POST /api/v1/quotes', { token, body: issue, expect: 200 })
  next(journey)
  const operation = await recorder.call<Object>('issue', `POST ${OPERATIONS}`, {
    token,
    idempotencyKey: 'issue-ada-1',
    body: { ...issue, expectedTotal: '28.05', name: 'Travel' },
    expect: 201,
  })
  const done = await finish(journey, operation.id)
  await recorder.call('completed', `GET ${OPERATIONS}/${operation.id}`, { token, expect: 200 })
  await recorder.call('completed', `GET ${OPERATIONS}/${operation.id}/timeline`, { token, expect: 200 })
  const card = done.result.cardId
  next(journey)
  const topup = await recorder.call<Object>('topup', `POST ${OPERATIONS}`, {
    token,
    idempotencyKey: 'topup-ada-1',
    body: { type: 'topup', cardId: card, amount: '50.00' },
    expect: 201,
  })
  await finish(journey, topup.id)
  next(journey)
  const service = await recorder.call<Object>('service', `POST ${OPERATIONS}`, {
    token,
    idempotencyKey: 'esim-ada-1',
    body: { type: 'service', productId: 'prod_service_esim', recipient: '+442079460000', amount: '15.00' },
    expect: 201,
  })
  await finish(journey, service.id)
  next(journey)
  const declined = await recorder.call<Object>('declined', `POST ${OPERATIONS}`, {
    token,
    idempotencyKey: 'issue-ada-2',
    body: { ...issue, name: 'fail' },
    expect: 201,
  })
  await finish(journey, declined.id)
  await recorder.call('failed', `GET ${OPERATIONS}/${declined.id}`, { token, expect: 200 })
  await recorder.call('by key', `GET ${OPERATIONS}?idempotencyKey=issue-ada-1`, { token, expect: 200 })
  await recorder.call('balance', 'GET /api/v1/balance', { token, expect: 200 })
  return { holder: holder.id, card }
}

export async function finish({ world, key }: Journey, id: string): Promise<Object> {
  return until(`${id} is final`, async () => {
    const { body } = await world.server.get<Object>(`${OPERATIONS}/${id}`, key)
    return ['completed', 'failed', 'manual_review'].includes(body.status) ? body : undefined
  })
}

async function useCard(journey: Journey, card: string): Promise<void> {
  const { recorder, key: token } = journey
  await recorder.call('card', `GET /api/v1/cards/${card}`, { token, expect: 200 })
  await recorder.call('all', 'GET /api/v1/cards?status=active', { token, expect: 200 })
  next(journey)
  const payment = await recorder.call<Object>('purchase', 'POST /api/v1/sandbox/transactions', {
    token,
    body: {
      cardId: card,
      type: 'purchase',
      amount: '12.40',
      merchant: 'Corner Bookshop',
      country: 'GB',
      description: 'Books',
      status: 'pending',
    },
    expect: 201,
  })
  await recorder.call('pending', `GET /api/v1/transactions/${payment.id}`, { token, expect: 200 })
  await recorder.call('settle', `POST /api/v1/sandbox/transactions/${payment.id}/status`, {
    token,
    body: { status: 'settled' },
    expect: 200,
  })
  await recorder.call('by card', `GET /api/v1/transactions?cardId=${card}`, { token, expect: 200 })
  for (const action of ['freeze', 'unfreeze']) {
    next(journey)
    await recorder.call(action, `POST /api/v1/cards/${card}/${action}`, { token, expect: 200 })
  }
}

async function payInvoices(journey: Journey): Promise<void> {
  const { recorder, key: token } = journey
  next(journey)
  const invoice = await recorder.call<Object>('invoice', `POST ${INVOICES}`, {
    token,
    idempotencyKey: 'invoice-1',
    body: { amount: '100' },
    expect: 201,
  })
  await recorder.call('pending', `GET ${INVOICES}/${invoice.id}`, { token, expect: 200 })
  await recorder.call('paid', `POST /api/v1/sandbox/invoices/${invoice.id}/complete`, { token, expect: 200 })
  await recorder.call('invoices', `GET ${INVOICES}?status=completed&limit=1`, { token, expect: 200 })
  next(journey)
  const second = await recorder.call<Object>('another', `POST ${INVOICES}`, {
    token,
    idempotencyKey: 'invoice-2',
    body: { amount: '50.00' },
    expect: 201,
  })
  await recorder.call('underpaid', `POST /api/v1/sandbox/invoices/${second.id}/payments`, {
    token,
    body: { amount: '49.5' },
    expect: 200,
  })
  await recorder.call('invoice', `POST /api/v1/sandbox/reviews/${second.id}/resolve`, {
    token,
    body: { outcome: 'completed' },
    expect: 200,
  })
  await recorder.call('day', `GET ${STATEMENT}`, { token, expect: 200 })
}

async function receiveWebhooks(journey: Journey): Promise<void> {
  const { recorder, key: token } = journey
  const receiver = await startReceiver()
  const endpoint = await recorder.call<Object>('endpoint', 'POST /api/v1/webhook-endpoints', {
    token,
    body: { url: receiver.url, events: ['operation.completed', 'operation.failed'], description: 'Back office' },
    expect: 201,
  })
  const path = `/api/v1/webhook-endpoints/${endpoint.id}`
  await recorder.call('endpoints', 'GET /api/v1/webhook-endpoints?limit=1', { token, expect: 200 })
  await recorder.call('endpoint', `GET ${path}`, { token, expect: 200 })
  await recorder.call('all events', `PATCH ${path}`, { token, body: { events: ['*'] }, expect: 200 })
  await recorder.call('rotate', `POST ${path}/rotate-secret`, { token, body: { overlapSeconds: 3600 }, expect: 200 })
  next(journey)
  const ping = await recorder.call<Object>('ping', `POST ${path}/ping`, { token, expect: 202 })
  await until('the ping was delivered', async () => {
    const { body } = await journey.world.server.get<{ data: object[] }>(`/api/v1/events/${ping.id}/attempts`, token)
    return body.data.length > 0 ? true : undefined
  })
  await recorder.call('event', `GET /api/v1/events/${ping.id}`, { token, expect: 200 })
  await recorder.call('attempts', `GET /api/v1/events/${ping.id}/attempts`, { token, expect: 200 })
  await recorder.call('attempts', `GET ${path}/attempts`, { token, expect: 200 })
  await recorder.call('by type', 'GET /api/v1/events?type=webhook.ping', { token, expect: 200 })
  await recorder.call('resend', `POST /api/v1/events/${ping.id}/resend`, {
    token,
    body: { endpointId: endpoint.id },
    expect: 202,
  })
  await recorder.call('since', `POST ${path}/recover`, { token, body: { since: '2026-03-10' }, expect: 202 })
  await recorder.stream('a ping', '/api/v1/events/stream?types=webhook.ping', token, () =>
    recorder.call('ping', `POST ${path}/ping`, { token, expect: 202 }),
  )
  await recorder.call('delete', `DELETE ${path}`, { token, expect: 204 })
  await receiver.close()
}

async function reviewAndAudit(journey: Journey, holder: string): Promise<void> {
  const { recorder, key, operator: token } = journey
  next(journey)
  const issue = { type: 'issue', productId: 'prod_card_virtual', holderId: holder, amount: '25.00', name: 'unknown' }
  const operation = await recorder.call<Object>('unknown outcome', `POST ${OPERATIONS}`, {
    token: key,
    idempotencyKey: 'issue-ada-3',
    body: issue,
    expect: 201,
  })
  await finish(journey, operation.id)
  await recorder.call('review', `GET /admin/v1/reviews/${operation.id}`, { token, expect: 200 })
  await recorder.call('reviews', 'GET /admin/v1/reviews?limit=1', { token, expect: 200 })
  await recorder.call('completed', `POST /admin/v1/reviews/${operation.id}/resolve`, {
    token,
    body: { outcome: 'completed', reason: 'The issuer confirmed it by telephone.', last4: '4242', receipt: 'R-1815' },
    expect: 200,
  })
  const { result } = await finish(journey, operation.id)
  // A sandbox card with this name leaves the outcome of its changes open.
  for (const action of ['freeze', 'unfreeze', 'close']) {
    next(journey)
    const line = `POST /api/v1/cards/${result.cardId}/${action}`
    await recorder.call('outcome not known', line, { token: key, expect: 202 })
    await completeChange(journey)
  }
  next(journey)
  const log = `GET /admin/v1/audit-log?companyId=${journey.company}&limit=1`
  await recorder.call('audit log', log, { token, expect: 200 })
  await recorder.call('audit', 'GET /admin/v1/ledger/audit', { token, expect: 200 })
  await recorder.call('reconciliation', 'GET /admin/v1/reconciliation', { token, expect: 200 })
  for (const path of ['/healthz', '/readyz']) await recorder.call('status', `GET ${path}`, { expect: 200 })
}

/** Decides the change of a card that is in review, as the operator would. */
async function completeChange({ world, operator }: Journey): Promise<void> {
  const { server } = world
  // Past the time at which the outcome is looked up.
  server.clock.advance(120_000)
  const id = await until('the change is in review', async () => {
    const { body } = await server.get<{ data: { id: string; object: string }[] }>('/admin/v1/reviews', operator)
    return body.data.find(({ object }) => object === 'card_change')?.id
  })
  const body = { outcome: 'completed', reason: 'The issuer confirmed it.', receivedAmount: '25.00' }
  const close = await server.post(`/admin/v1/reviews/${id}/resolve`, operator, body)
  if (close.status === 200) return
  const { receivedAmount: _, ...plain } = body
  const answer = await server.post(`/admin/v1/reviews/${id}/resolve`, operator, plain)
  if (answer.status !== 200) throw new Error(answer.text)
}

async function manageCatalogue({ recorder, operator: token, company }: Journey): Promise<void> {
  const product = await recorder.call<Object>('service', 'POST /admin/v1/products', {
    token,
    body: {
      id: 'prod_service_lounge',
      kind: 'service',
      name: 'Airport lounge',
      description: 'One visit to an airport lounge.',
      pricing: { flatFee: '1.50', rate: '0.01', minimumAmount: '20.00' },
    },
    expect: 201,
  })
  const path = `/admin/v1/products/${product.id}`
  await recorder.call('rename', `PATCH ${path}`, { token, body: { name: 'Airport lounge visit' }, expect: 200 })
  await recorder.call('from a date', `POST ${path}/prices`, {
    token,
    body: {
      operationType: 'service',
      pricing: { flatFee: '1.00', minimumAmount: '20.00' },
      validFrom: '2026-04-01T00:00:00Z',
      companyId: company,
    },
    expect: 201,
  })
  await recorder.call('prices', `GET ${path}/prices?limit=1`, { token, expect: 200 })
  await recorder.call('retire', `POST ${path}/retire`, { token, expect: 200 })
  await recorder.call('catalogue', 'GET /admin/v1/products', { token, expect: 200 })
}
