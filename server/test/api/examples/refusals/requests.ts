// What is refused before a use case runs: the key, the headers, the body, and what the caller may do.
import { makeToken } from '../../../../src/access/tokens.ts'
import { createHolder } from '../../../support/operations.ts'
import type { LiveWorld } from '../../../support/live.ts'
import { parseRaw, sendRaw } from '../../kernel/raw.ts'
import type { Recorder } from '../recorder.ts'

const BALANCE = '/api/v1/balance'
const OPERATIONS = '/api/v1/operations'

export async function refuseRequests({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  const token = company.key
  const get = (path: string, key = token) => server.get(path, key)
  const holderId = await createHolder(server, company)
  const issue = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '25.00' }

  recorder.refuse('validation_failed', await server.post(OPERATIONS, token, { ...issue, amount: 'ten' }))
  recorder.refuse('idempotency_key_missing', await server.request('POST', OPERATIONS, { token, body: issue }))
  recorder.refuse('idempotency_key_invalid', await server.post(OPERATIONS, token, issue, 'k'.repeat(129)))
  await server.post('/api/v1/sandbox/funding', token, { amount: '100.00' }, 'same-key')
  const reused = await server.post('/api/v1/sandbox/funding', token, { amount: '200.00' }, 'same-key')
  recorder.refuse('idempotency_conflict', reused)
  recorder.refuse('not_found', await get(`${OPERATIONS}/op_00000000000000000000000000000000`))
  recorder.refuse('method_not_allowed', await server.request('DELETE', BALANCE, { token }))
  const headers = { 'content-type': 'text/plain' }
  const text = await server.request('POST', OPERATIONS, { token, body: 'amount=25', headers })
  recorder.refuse('unsupported_media_type', text)
  recorder.refuse('payload_too_large', await server.post(OPERATIONS, token, { name: 'x'.repeat(70_000) }))
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`
  recorder.refuse('request_header_too_large', parseRaw(await sendRaw(server.baseUrl, long)))

  const limited = await server.createKey(company.id, { scopes: ['balance:read'] })
  recorder.refuse('scope_missing', await get('/api/v1/cards', limited))
  const elsewhere = await server.createKey(company.id, { allowedCidrs: ['203.0.113.0/24'] })
  recorder.refuse('address_not_allowed', await get(BALANCE, elsewhere))
  const live = await server.createKey(company.id, { environment: 'live' })
  recorder.refuse('sandbox_only', await server.post('/api/v1/sandbox/funding', live, { amount: '10.00' }))
  recorder.refuse('capability_not_activated', await server.post(OPERATIONS, live, issue))
  const unverified = await server.createCompany({ verified: false })
  recorder.refuse('verification_required', await get(BALANCE, unverified.key))
}

/** Keys that never worked or work no more. The clock moves by a minute. */
export async function refuseKeys({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  const admin = (method: string, path: string, body?: object) =>
    server.request<{ id: string; key: string }>(method, `/admin/v1/companies/${company.wireId}${path}`, {
      token: server.operatorToken,
      ...(body === undefined ? {} : { body }),
    })
  const expiresAt = new Date(server.clock.now().getTime() + 60_000).toISOString()
  const wanted = { environment: 'sandbox', name: 'Back office', scopes: ['balance:read'] }
  const revoked = (await admin('POST', '/keys', wanted)).body
  await admin('DELETE', `/keys/${revoked.id}`)
  const expired = (await admin('POST', '/keys', { ...wanted, expiresAt })).body
  server.clock.advance(60_000)
  recorder.refuse('missing_api_key', await server.request('GET', BALANCE))
  recorder.refuse('malformed_api_key', await server.get(BALANCE, 'cstk_sandbox_wrong'))
  recorder.refuse('invalid_api_key', await server.get(BALANCE, makeToken('sandbox')))
  recorder.refuse('revoked_api_key', await server.get(BALANCE, revoked.key))
  recorder.refuse('expired_api_key', await server.get(BALANCE, expired.key))
  recorder.refuse('invalid_operator_token', await server.get('/admin/v1/companies', company.key))
  const rotated = (await admin('POST', '/keys', wanted)).body
  await admin('POST', `/keys/${rotated.id}/rotate`)
  recorder.refuse('key_already_rotated', await admin('POST', `/keys/${rotated.id}/rotate`))
  await admin('POST', '/suspension', { suspended: true, reason: 'The company asked for it.' })
  const holder = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' }
  recorder.refuse('company_suspended', await server.post('/api/v1/holders', company.key, holder))
}
