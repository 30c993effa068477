// One refusal of every kind that a client can cause, for the examples of errors.
import type { Recorder } from './recorder.ts'
import type { LiveWorld } from '../../support/live.ts'

const OPERATIONS = '/api/v1/operations'
const CARD = 'prod_card_virtual'

/** `key` has every scope in the sandbox; `holder` is active there. */
export async function collectRefusals(world: LiveWorld, recorder: Recorder): Promise<void> {
  const { server } = world
  const company = await server.createCompany({ kind: 'corporate' })
  const token = company.key
  const post = (path: string, body: unknown, expect: number, more: { token?: string; key?: string } = {}) =>
    recorder.call('refusal', `POST ${path}`, {
      token: more.token ?? token,
      body,
      idempotencyKey: more.key ?? `refusal-${Object.keys(recorder.errors).length}`,
      expect,
    })
  const get = (path: string, expect: number, key = token) =>
    recorder.call('refusal', `GET ${path}`, { token: key, expect })
  const { body: holder } = await server.post<{ id: string }>('/api/v1/holders', token, {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    kind: 'individual',
  })
  const issue = { type: 'issue', productId: CARD, holderId: holder.id, amount: '25.00' }

  await post(OPERATIONS, { ...issue, amount: 'ten' }, 400)
  await post(OPERATIONS, { ...issue, amount: '5.00' }, 400)
  await post(OPERATIONS, issue, 400)
  await post(OPERATIONS, { ...issue, expectedTotal: '25.00' }, 409)
  await post('/api/v1/card-account/invoices', { amount: '100.50' }, 400)
  await get(`${OPERATIONS}/op_00000000000000000000000000000000`, 404)
  await get('/api/v1/account-statements?from=2025-01-01&to=2026-03-10', 400)
  await get('/api/v1/balance', 401, 'cstk_sandbox_wrong')
  const limited = await server.createKey(company.id, { scopes: ['balance:read'] })
  await get('/api/v1/cards', 403, limited)
  const elsewhere = await server.createKey(company.id, { allowedCidrs: ['203.0.113.0/24'] })
  await get('/api/v1/balance', 403, elsewhere)
  const live = await server.createKey(company.id, { environment: 'live' })
  await post('/api/v1/sandbox/funding', { amount: '10.00' }, 403, { token: live })
  await post(OPERATIONS, issue, 403, { token: live })
  const unverified = await server.createCompany({ verified: false })
  await get('/api/v1/balance', 403, unverified.key)
  await recorder.call('refusal', `POST ${OPERATIONS}`, { token, body: issue, expect: 400 })
  await post(OPERATIONS, issue, 400, { key: 'k'.repeat(129) })
  await recorder.call('refusal', 'DELETE /api/v1/balance', { token, expect: 405 })
  await recorder.call('refusal', `POST ${OPERATIONS}`, {
    token,
    body: 'amount=25',
    headers: { 'content-type': 'text/plain' },
    expect: 415,
  })
  await post('/api/v1/webhook-endpoints', { url: 'ftp://example.com' }, 400)
  const { body: funded } = await server.post('/api/v1/sandbox/funding', token, { amount: '100.00' }, 'same-key')
  void funded
  await post('/api/v1/sandbox/funding', { amount: '200.00' }, 409, { key: 'same-key' })
  await recorder.call('refusal', 'GET /admin/v1/companies', { token, expect: 401 })
}
