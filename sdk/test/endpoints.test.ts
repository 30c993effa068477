// Every documented endpoint has a method, and each method goes to its own endpoint.
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Cardstock, CardstockAdmin } from '../src/cardstock.ts'
import type { Endpoints } from '../src/generated/endpoints.ts'
import { type Listener, startListener } from './listener.ts'

interface Document {
  paths: Record<string, Record<string, { operationId?: string }>>
}

const DOCUMENTS = ['openapi.json', 'openapi-admin.json']
  .map((name) => new URL(`../../${name}`, import.meta.url))
  .filter((file) => existsSync(file))
const documented = DOCUMENTS.flatMap((file) => {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Document
  return Object.entries(paths)
    .filter(([path]) => /^\/(api|admin)\/v1\//.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => operationId !== undefined)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
})

let listener: Listener
beforeEach(async () => {
  listener = await startListener()
  listener.reply = () => ({ body: { data: [] } })
})
afterEach(() => listener.close())

const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' } as const
const operation = { type: 'topup', cardId: 'card_1', amount: '10.00' } as const
const product = { id: 'p', kind: 'service', name: 'N', description: 'D', pricing: { flatFee: '1.00' } } as const
const price = { operationType: 'service', pricing: { flatFee: '2.00' } } as const
const details = { values: [{ field: 'city', value: 'Omaha' }] }
const range = { from: '2026-01-01', to: '2026-01-31' }

/** One call of each endpoint, and the body that it must send. */
const COMPANY = {
  'POST /api/v1/operations': [(api) => api.operations.create(operation), operation],
  'GET /api/v1/operations': [(api) => api.operations.list()],
  'GET /api/v1/operations/{id}': [(api) => api.operations.get('ID')],
  'GET /api/v1/operations/{id}/timeline': [(api) => api.operations.timeline('ID')],
  'POST /api/v1/quotes': [(api) => api.quotes.create(operation), operation],
  'GET /api/v1/balance': [(api) => api.balance.get()],
  'GET /api/v1/balance/history': [(api) => api.balance.history(range)],
  'GET /api/v1/account-entries': [(api) => api.balance.entries()],
  'GET /api/v1/products': [(api) => api.products.list()],
  'POST /api/v1/card-account/invoices': [(api) => api.invoices.create({ amount: '100' }), { amount: '100' }],
  'GET /api/v1/card-account/invoices': [(api) => api.invoices.list()],
  'GET /api/v1/card-account/invoices/{id}': [(api) => api.invoices.get('ID')],
  'GET /api/v1/card-account/invoices/{id}/timeline': [(api) => api.invoices.timeline('ID')],
  'POST /api/v1/card-account/invoices/{id}/cancel': [(api) => api.invoices.cancel('ID')],
  'GET /api/v1/account-statements': [(api) => api.statements.get(range)],
  'GET /api/v1/transactions': [(api) => api.transactions.list()],
  'GET /api/v1/transactions/totals': [(api) => api.transactions.totals()],
  'GET /api/v1/transactions/{id}': [(api) => api.transactions.get('ID')],
  'GET /api/v1/holders': [(api) => api.holders.list()],
  'POST /api/v1/holders': [(api) => api.holders.create(holder), holder],
  'GET /api/v1/holders/{id}': [(api) => api.holders.get('ID')],
  'PATCH /api/v1/holders/{id}': [(api) => api.holders.update('ID', { name: 'Eve' }), { name: 'Eve' }],
  'GET /api/v1/holders/{id}/details': [(api) => api.holders.details('ID')],
  'PUT /api/v1/holders/{id}/details': [(api) => api.holders.enterDetails('ID', details), details],
  'POST /api/v1/holders/{id}/erase': [(api) => api.holders.erase('ID')],
  'GET /api/v1/cards': [(api) => api.cards.list()],
  'GET /api/v1/cards/{id}': [(api) => api.cards.get('ID')],
  'GET /api/v1/cards/{id}/changes': [(api) => api.cards.changes('ID')],
  'POST /api/v1/cards/{id}/freeze': [(api) => api.cards.freeze('ID')],
  'POST /api/v1/cards/{id}/unfreeze': [(api) => api.cards.unfreeze('ID')],
  'GET /api/v1/cards/totals': [(api) => api.cards.totals()],
  'GET /api/v1/balance/alert': [(api) => api.balance.alert()],
  'PATCH /api/v1/balance/alert': [(api) => api.balance.setAlert({ threshold: '5.00' }), { threshold: '5.00' }],
  'GET /api/v1/spend': [(api) => api.transactions.spend({ by: 'month', ...range })],
  'POST /api/v1/cards/{id}/number-page': [(api) => api.cards.numberPage('ID')],
  'POST /api/v1/cards/{id}/close': [(api) => api.cards.close('ID')],
  'GET /api/v1/request-logs': [(api) => api.requestLogs.list()],
  'POST /api/v1/webhook-endpoints': [(api) => api.webhookEndpoints.create({ url: 'u' }), { url: 'u' }],
  'GET /api/v1/webhook-endpoints': [(api) => api.webhookEndpoints.list()],
  'GET /api/v1/webhook-endpoints/{id}': [(api) => api.webhookEndpoints.get('ID')],
  'PATCH /api/v1/webhook-endpoints/{id}': [(api) => api.webhookEndpoints.update('ID', { url: 'u' }), { url: 'u' }],
  'DELETE /api/v1/webhook-endpoints/{id}': [(api) => api.webhookEndpoints.delete('ID')],
  'GET /api/v1/webhook-endpoints/{id}/attempts': [(api) => api.webhookEndpoints.attempts('ID')],
  'POST /api/v1/webhook-endpoints/{id}/rotate-secret': [
    (api) => api.webhookEndpoints.rotateSecret('ID', { overlapSeconds: 0 }),
    { overlapSeconds: 0 },
  ],
  'POST /api/v1/webhook-endpoints/{id}/ping': [(api) => api.webhookEndpoints.ping('ID')],
  'POST /api/v1/webhook-endpoints/{id}/recover': [(api) => api.webhookEndpoints.recover('ID'), {}],
  'GET /api/v1/events': [(api) => api.events.list()],
  'GET /api/v1/events/stream': [(api) => api.events.stream().catch(() => {})],
  'GET /api/v1/events/{id}': [(api) => api.events.get('ID')],
  'GET /api/v1/events/{id}/attempts': [(api) => api.events.attempts('ID')],
  'POST /api/v1/events/{id}/resend': [(api) => api.events.resend('ID', { endpointId: 'e' }), { endpointId: 'e' }],
  'POST /api/v1/sandbox/funding': [(api) => api.sandbox.fund({ amount: '10.00' }), { amount: '10.00' }],
  'POST /api/v1/sandbox/reviews/{id}/resolve': [
    (api) => api.sandbox.resolveReview('ID', { outcome: 'failed' }),
    { outcome: 'failed' },
  ],
  'POST /api/v1/sandbox/transactions': [
    (api) => api.sandbox.createTransaction({ cardId: 'c', type: 'purchase', amount: '1.00' }),
    { cardId: 'c', type: 'purchase', amount: '1.00' },
  ],
  'POST /api/v1/sandbox/transactions/{id}/status': [
    (api) => api.sandbox.setTransactionStatus('ID', { status: 'settled' }),
    { status: 'settled' },
  ],
  'POST /api/v1/sandbox/invoices/{id}/complete': [(api) => api.sandbox.completeInvoice('ID')],
  'POST /api/v1/sandbox/invoices/{id}/payments': [
    (api) => api.sandbox.payInvoice('ID', { amount: '1.5' }),
    { amount: '1.5' },
  ],
} satisfies Partial<Record<keyof Endpoints, Call<Cardstock>>>

const ADMIN = {
  'POST /admin/v1/companies': [
    (api) => api.companies.create({ name: 'N', kind: 'corporate' }),
    { name: 'N', kind: 'corporate' },
  ],
  'GET /admin/v1/overview': [(api) => api.programme.overview()],
  'GET /admin/v1/health': [(api) => api.programme.health()],
  'GET /admin/v1/companies/{id}/holders': [(api) => api.holders.list('ID', { environment: 'live' })],
  'GET /admin/v1/companies': [(api) => api.companies.list()],
  'GET /admin/v1/companies/{id}': [(api) => api.companies.get('ID')],
  'POST /admin/v1/companies/{id}/verification': [
    (api) => api.companies.decideVerification('ID', { decision: 'approve' }),
    { decision: 'approve' },
  ],
  'POST /admin/v1/companies/{id}/suspension': [
    (api) => api.companies.changeSuspension('ID', { suspended: true, reason: 'r' }),
    { suspended: true, reason: 'r' },
  ],
  'GET /admin/v1/products': [(api) => api.products.list()],
  'POST /admin/v1/products': [(api) => api.products.create(product), product],
  'PATCH /admin/v1/products/{id}': [(api) => api.products.update('ID', { name: 'N' }), { name: 'N' }],
  'POST /admin/v1/products/{id}/retire': [(api) => api.products.retire('ID')],
  'GET /admin/v1/products/{id}/prices': [(api) => api.products.listPrices('ID')],
  'POST /admin/v1/products/{id}/prices': [(api) => api.products.addPrice('ID', price), price],
  'PATCH /admin/v1/companies/{id}/capabilities': [
    (api) => api.companies.changeCapabilities('ID', { liveServices: true }),
    { liveServices: true },
  ],
  'GET /admin/v1/people': [(api) => api.people.list()],
  'PATCH /admin/v1/people/{id}': [(api) => api.people.changeRole('ID', { role: 'support' }), { role: 'support' }],
  'DELETE /admin/v1/people/{id}': [(api) => api.people.remove('ID')],
  'POST /admin/v1/people/{id}/reset': [(api) => api.people.reset('ID'), {}],
  'POST /admin/v1/invitations': [
    (api) => api.invitations.create({ email: 'e', role: 'support' }),
    { email: 'e', role: 'support' },
  ],
  'GET /admin/v1/invitations': [(api) => api.invitations.list()],
  'DELETE /admin/v1/invitations/{id}': [(api) => api.invitations.revoke('ID')],
  'POST /admin/v1/operator-tokens': [(api) => api.operatorTokens.create({ name: 'n' }), { name: 'n' }],
  'GET /admin/v1/operator-tokens': [(api) => api.operatorTokens.list()],
  'DELETE /admin/v1/operator-tokens/{id}': [(api) => api.operatorTokens.revoke('ID')],
  'GET /admin/v1/audit-log': [(api) => api.auditLog.list()],
  'POST /admin/v1/companies/{id}/keys': [
    (api) => api.keys.create('ID', { environment: 'live', name: 'k', scopes: ['cards:read'] }),
    { environment: 'live', name: 'k', scopes: ['cards:read'] },
  ],
  'GET /admin/v1/companies/{id}/keys': [(api) => api.keys.list('ID')],
  'POST /admin/v1/companies/{id}/keys/{keyId}/rotate': [
    (api) => api.keys.rotate('ID', 'KEYID', { overlapSeconds: 0 }),
    { overlapSeconds: 0 },
  ],
  'DELETE /admin/v1/companies/{id}/keys/{keyId}': [(api) => api.keys.revoke('ID', 'KEYID')],
  'POST /admin/v1/companies/{id}/holders': [
    (api) => api.holders.create('ID', { environment: 'sandbox', ...holder }),
    { environment: 'sandbox', ...holder },
  ],
  'PATCH /admin/v1/companies/{id}/holders/{holderId}': [
    (api) => api.holders.setStatus('ID', 'HOLDERID', { environment: 'live', status: 'blocked' }),
    { environment: 'live', status: 'blocked' },
  ],
  'GET /admin/v1/companies/{id}/holders/{holderId}/details': [(api) => api.holders.details('ID', 'HOLDERID')],
  'PUT /admin/v1/companies/{id}/holders/{holderId}/details': [
    (api) => api.holders.enterDetails('ID', 'HOLDERID', details),
    details,
  ],
  'POST /admin/v1/companies/{id}/holders/{holderId}/erase': [
    (api) => api.holders.erase('ID', 'HOLDERID', { environment: 'live' }),
    { environment: 'live' },
  ],
  'GET /admin/v1/reviews': [(api) => api.reviews.list()],
  'GET /admin/v1/reviews/{id}': [(api) => api.reviews.get('ID')],
  'POST /admin/v1/reviews/{id}/resolve': [
    (api) => api.reviews.resolve('ID', { outcome: 'failed', reason: 'r' }),
    { outcome: 'failed', reason: 'r' },
  ],
  'GET /admin/v1/ledger/audit': [(api) => api.books.audit()],
  'GET /admin/v1/ledger/seals': [(api) => api.books.seals()],
  'GET /admin/v1/reconciliation': [(api) => api.books.reconcile()],
  'GET /admin/v1/issuer': [(api) => api.books.issuer()],
} satisfies Partial<Record<keyof Endpoints, Call<CardstockAdmin>>>

type Call<Api> = [call: (api: Api) => Promise<unknown>, body?: unknown]

/** Query parameters are tested with the lists; ids are written in capitals here. */
async function expectSent(route: string, body: unknown): Promise<void> {
  const [asked] = listener.asked
  const path = asked?.url.split('?')[0]?.replaceAll('HOLDERID', '{holderId}').replaceAll('KEYID', '{keyId}')
  expect(`${asked?.method} ${path?.replaceAll('ID', '{id}')}`).toBe(route)
  expect(asked?.body).toEqual(body)
}

test('every endpoint of the OpenAPI documents has a method, and every method has an endpoint', () => {
  expect(documented.length).toBeGreaterThan(50)
  expect([...Object.keys(COMPANY), ...Object.keys(ADMIN)].toSorted()).toEqual(documented.toSorted())
})

describe('Cardstock', () => {
  test.each(Object.entries<Call<Cardstock>>(COMPANY))('%s', async (route, [call, body]) => {
    await call(new Cardstock({ baseUrl: listener.baseUrl, apiKey: 'cstk_sandbox_x' }))
    await expectSent(route, body)
  })

  const idempotent = [
    'POST /api/v1/operations',
    'POST /api/v1/card-account/invoices',
    'POST /api/v1/holders',
    'POST /api/v1/sandbox/funding',
  ] as const
  test.each(idempotent)('%s has an idempotency key', async (route) => {
    await COMPANY[route][0](new Cardstock({ baseUrl: listener.baseUrl, apiKey: 'cstk_sandbox_x' }))
    expect(listener.asked[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('CardstockAdmin', () => {
  test.each(Object.entries<Call<CardstockAdmin>>(ADMIN))('%s', async (route, [call, body]) => {
    await call(new CardstockAdmin({ baseUrl: listener.baseUrl, operatorToken: 'cstk_operator_x' }))
    await expectSent(route, body)
  })
})
