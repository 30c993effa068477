// /admin/v1/companies and the audit log: what operators do, and the record that each change writes.
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
afterAll(() => server.stop())

interface Company {
  id: string
  name: string
  kind: string
  verification: string
  capabilities: Record<string, boolean>
}
interface AuditRecord {
  action: string
  actor: string
  object: string
  companyId: string
  details: Record<string, unknown>
  address: string
  requestId: string
  createdAt: string
}

const admin = <Body = Company>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.request<Body>(method, `/admin/v1${path}`, { token: server.operatorToken, body, headers })
const create = async (fields: object = {}) =>
  (await admin('POST', '/companies', { name: 'Acme', kind: 'corporate', ...fields })).body
const log = async (query = '') => (await admin<{ data: AuditRecord[] }>('GET', `/audit-log${query}`)).body.data
const missing = `co_${'f'.repeat(32)}`

describe('companies', () => {
  it('are created pending and without activations, and can be read and listed', async () => {
    const answer = await admin('POST', '/companies', { name: 'Acme', kind: 'individual' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^co_[0-9a-f]{32}$/),
      name: 'Acme',
      kind: 'individual',
      verification: 'pending',
      capabilities: { liveServices: false, directInvoices: false },
      suspended: false,
      createdAt: server.clock.now().toISOString(),
    })
    const location = answer.headers.get('location') ?? ''
    const none = { available: '0.00', held: '0.00' }
    const balances = ['sandbox', 'live'].map((environment) => ({ environment, ...none }))
    const shown = { ...(answer.body as object), balances: expect.arrayContaining(balances) }
    expect((await server.get(location, server.operatorToken)).body).toEqual(shown)
    const listed = await admin<{ data: Company[]; nextCursor: null }>('GET', '/companies')
    expect(listed.body.data[0]).toEqual(shown)
    expect(listed.body).toHaveProperty('nextCursor')
  })

  it('can be listed by their verification', async () => {
    const waiting = await create()
    const approved = await create()
    await admin('POST', `/companies/${approved.id}/verification`, { decision: 'approve' })
    const read = async (verification: string) =>
      (await admin<{ data: Company[] }>('GET', `/companies?verification=${verification}`)).body.data.map(({ id }) => id)
    expect(await read('pending')).toContain(waiting.id)
    expect(await read('pending')).not.toContain(approved.id)
    expect(await read('approved')).toContain(approved.id)
  })

  it.each([
    [{ name: '' }, 'body.name'],
    [{ name: ' ' }, 'body.name'],
    [{ name: 'x'.repeat(256) }, 'body.name'],
    [{ kind: 'charity' }, 'body.kind must be one of individual, corporate'],
    [{ verification: 'approved' }, 'body.verification is not a known field'],
  ])('%j is refused', async (fields, message) => {
    expect(
      expectError(
        await admin('POST', '/companies', { name: 'Acme', kind: 'corporate', ...fields }),
        'validation_failed',
      ).message,
    ).toContain(message)
  })

  it('255 characters outside the basic plane are a valid name', async () => {
    const name = '𝒜'.repeat(255)
    expect((await create({ name })).name).toBe(name)
  })

  it('are approved and rejected, and the decision can be changed', async () => {
    const { id } = await create()
    const decide = async (decision: string) =>
      (await admin('POST', `/companies/${id}/verification`, { decision, reason: 'checked' })).body.verification
    expect([await decide('approve'), await decide('reject'), await decide('approve')]).toEqual([
      'approved',
      'rejected',
      'approved',
    ])
    expectError(await admin('POST', `/companies/${id}/verification`, { decision: 'maybe' }), 'validation_failed')
  })

  it('are activated one capability at a time, and other capabilities do not change', async () => {
    const { id } = await create()
    const change = async (body: object) =>
      (await admin('PATCH', `/companies/${id}/capabilities`, body)).body.capabilities
    expect(await change({ liveServices: true })).toEqual({ liveServices: true, directInvoices: false })
    expect(await change({ directInvoices: true })).toEqual({ liveServices: true, directInvoices: true })
    expect(await change({ liveServices: false })).toEqual({ liveServices: false, directInvoices: true })
    expect(await change({})).toEqual({ liveServices: false, directInvoices: true })
    expectError(await admin('PATCH', `/companies/${id}/capabilities`, { liveServices: 'yes' }), 'validation_failed')
  })

  it('that do not exist answer 404 everywhere and write no audit record', async () => {
    const before = (await log('?limit=100')).length
    const holder = { environment: 'sandbox', name: 'Ada', email: 'a@b', kind: 'individual' }
    expectError(await admin('GET', `/companies/${missing}`), 'not_found')
    expectError(await admin('POST', `/companies/${missing}/verification`, { decision: 'approve' }), 'not_found')
    expectError(await admin('PATCH', `/companies/${missing}/capabilities`, {}), 'not_found')
    expectError(await admin('POST', `/companies/${missing}/holders`, holder), 'not_found')
    expectError(
      await admin('PATCH', `/companies/${missing}/holders/hld_${'f'.repeat(32)}`, {
        environment: 'live',
        status: 'active',
      }),
      'not_found',
    )
    expect(await log('?limit=100')).toHaveLength(before)
  })
})

it('a holder created by an operator is active immediately, in live too, and belongs to that environment only', async () => {
  const company = await server.createCompany()
  const live = await server.createKey(company.id, { environment: 'live' })
  const body = { environment: 'live', name: 'Ada', email: 'ada@example.com', kind: 'individual', externalId: 'x' }
  const made = await admin<{ id: string; status: string }>('POST', `/companies/${company.wireId}/holders`, body)
  expect([made.status, made.body.status]).toEqual([201, 'active'])
  expect((await server.get(`/api/v1/holders/${made.body.id}`, live)).body).toEqual(made.body)
  expectError(await server.get(`/api/v1/holders/${made.body.id}`, company.key), 'not_found')
})

describe('the audit log', () => {
  it('has one record per change: who, what, to what, when, from where, in which request', async () => {
    const { id } = await create({ name: 'Logged' })
    await admin(
      'POST',
      `/companies/${id}/verification`,
      { decision: 'approve', reason: 'seen' },
      { 'x-request-id': 'req-7' },
    )
    const key = (
      await admin<{ id: string }>('POST', `/companies/${id}/keys`, {
        environment: 'live',
        name: 'k',
        scopes: ['cards:read'],
      })
    ).body
    await admin('POST', `/companies/${id}/keys/${key.id}/rotate`, {})
    await admin('DELETE', `/companies/${id}/keys/${key.id}`)
    await admin('DELETE', `/companies/${id}/keys/${key.id}`)
    await admin('PATCH', `/companies/${id}/capabilities`, { liveServices: true })
    const records = await log(`?companyId=${id}`)
    expect(records.map(({ action, object }) => [action, object])).toEqual([
      ['company.capabilities', id],
      ['key.revoked', key.id],
      ['key.rotated', key.id],
      ['key.created', key.id],
      ['company.verification.approve', id],
      ['company.created', id],
    ])
    expect(records[4]).toEqual({
      id: expect.stringMatching(/^log_/),
      companyId: id,
      companyName: 'Logged',
      actor: expect.stringMatching(/^operator key_[0-9a-f]{32}$/),
      actorKind: 'operator_token',
      actorId: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      actorName: 'test',
      action: 'company.verification.approve',
      object: id,
      objectName: 'Logged',
      details: { decision: 'approve', reason: 'seen' },
      address: '127.0.0.1',
      requestId: 'req-7',
      createdAt: server.clock.now().toISOString(),
    })
  })

  it('is paged, and answers 404 to a malformed company id', async () => {
    const first = (await admin<{ data: AuditRecord[]; nextCursor: string }>('GET', '/audit-log?limit=2')).body
    expect(first.data).toHaveLength(2)
    const second = (await admin<{ data: AuditRecord[] }>('GET', `/audit-log?limit=2&cursor=${first.nextCursor}`)).body
    expect(second.data.length).toBeGreaterThan(0)
    expectError(await admin('GET', '/audit-log?companyId=nonsense'), 'not_found')
  })

  it.each(["update audit_log set actor = 'nobody'", 'delete from audit_log', 'truncate audit_log'])(
    'refuses: %s',
    async (text) => {
      await create()
      const before = await log('?limit=100')
      await expect(server.db.run({ name: undefined, text, values: [] })).rejects.toThrow(
        /^audit_log(_\d+)? is append-only/,
      )
      expect(await log('?limit=100')).toEqual(before)
    },
  )
})
