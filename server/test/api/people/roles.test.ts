// What each role may do, for every route of the server. The cases are generated from the routes, so that a new route is tested
// automatically. Every request also has an invalid body or query, which shows that access is checked first.
import { afterAll, describe, expect, it } from 'vitest'
import { COMPANY_ROLES, type CompanyRole, type Permission } from '../../../src/access/permissions.ts'
import type { ErrorCode } from '../../../src/errors.ts'
import type { Access, Route } from '../../../src/http/route.ts'
import { type Environment, ENVIRONMENTS } from '../../../src/lib/scope.ts'
import { expectError } from '../expect-error.ts'
import { TestServer } from '../../support/harness.ts'
import { Browser, join } from './people.ts'

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
const company = await server.createCompany()
const other = await server.createCompany()
const unverified = await server.createCompany({ verified: false })
const people = new Map<string, Browser>()
for (const role of COMPANY_ROLES) people.set(role, await join(server, role, company))
for (const role of ['operator', 'support'] as const) people.set(role, await join(server, role))
const stranger = await join(server, 'owner', other)
const early = await join(server, 'owner', unverified)
afterAll(() => server.stop())

const browserOf = (role: string) => people.get(role) ?? new Browser(server)

/** The rights of each role, as they were promised, and not read from the table that the server uses. */
const READS = ['cards:read', 'holders:read', 'operations:read', 'balance:read', 'people:read']
const MONEY = ['funding:write', 'cards:write', 'services:write', 'holders:write']
const DEVELOPMENT = ['webhooks:read', 'webhooks:write', 'keys:read', 'keys:write']
const PROMISED: Record<CompanyRole, Record<Environment, string[]>> = {
  owner: {
    sandbox: [...READS, ...MONEY, ...DEVELOPMENT, 'people:write'],
    live: [...READS, ...MONEY, ...DEVELOPMENT, 'people:write'],
  },
  developer: { sandbox: [...READS, ...MONEY, ...DEVELOPMENT], live: [...READS, ...DEVELOPMENT] },
  finance: { sandbox: [...READS, ...MONEY], live: [...READS, ...MONEY] },
  viewer: { sandbox: READS, live: READS },
}

type MemberAccess = Extract<Access, { by: 'company' | 'member' }>
const isMemberRoute = ({ access }: Route) => access.by === 'company' || access.by === 'member'
const named = (routes: readonly Route[]) => routes.map((route) => [`${route.method} ${route.path}`, route] as const)

/** A call that would answer 400 if access were granted. */
function call(route: Route, browser: Browser, environment: Environment, headers: Record<string, string> = {}) {
  const path = route.path.replaceAll(/:\w+/g, 'no-such-id')
  const query = route.query === undefined ? '' : '?no_such_parameter=1'
  return browser.send(route.method, path + query, {
    environment,
    headers,
    ...(route.method === 'POST' || route.method === 'PATCH' ? { body: '{"broken"' } : {}),
  })
}

/** The refusal that a member gets, in a company that is activated for nothing; undefined when the call is made. */
function refusalOf(route: Route, role: CompanyRole, environment: Environment): ErrorCode | undefined {
  const access = route.access as MemberAccess
  const rights = PROMISED[role][environment]
  if (access.anyOf.length > 0 && !access.anyOf.some((right: Permission) => rights.includes(right)))
    return 'scope_missing'
  if (environment === 'sandbox') return undefined
  if (access.by === 'company' && access.sandboxOnly === true) return 'sandbox_only'
  if (access.by === 'company' && access.liveNeeds !== undefined) return 'capability_not_activated'
  const isHarmless = route.method === 'GET' || (access.by === 'company' && access.openWhileSuspended === true)
  return isHarmless ? undefined : 'second_factor_missing'
}

describe.each(named(server.app.routes.filter(isMemberRoute)))('%s', (_name, route) => {
  describe.each(COMPANY_ROLES)('%s', (role) => {
    it.each(ENVIRONMENTS)('in %s', async (environment) => {
      const answer = await call(route, browserOf(role), environment)
      const expected = refusalOf(route, role, environment)
      if (expected !== undefined) expectError(answer, expected)
      else expect([200, 201, 202, 204, 400, 404, 409], answer.text).toContain(answer.status)
    })
  })

  it('is refused to people who do not belong to the company, like a company that does not exist', async () => {
    const { wireId } = company
    const theirs = await call(route, stranger, 'sandbox', { 'cardstock-company': wireId })
    const missing = await call(route, stranger, 'sandbox', { 'cardstock-company': wireId.replaceAll(/[0-9a-f]/g, 'f') })
    expectError(theirs, 'membership_required')
    expect({ ...theirs.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    expectError(await call(route, browserOf('operator'), 'sandbox'), 'membership_required')
  })

  it('needs an environment, a session, and a verified company', async () => {
    const without = { 'cardstock-environment': '' }
    expectError(await call(route, browserOf('owner'), 'sandbox', without), 'validation_failed')
    expectError(await call(route, early, 'sandbox'), 'verification_required')
    const nobody = await call(route, new Browser(server), 'sandbox')
    expectError(nobody, route.access.by === 'company' ? 'missing_api_key' : 'invalid_session')
  })

  if (route.access.by === 'member') {
    it('is not for API keys', async () => {
      const headers = { authorization: `Bearer ${company.key}` }
      expectError(await call(route, new Browser(server), 'sandbox', headers), 'invalid_session')
    })
  }
})

describe.each(named(server.app.routes.filter(({ access }) => access.by === 'operator')))('%s', (_name, route) => {
  it('is for operators, and for support when it reads', async () => {
    const operator = await call(route, browserOf('operator'), 'sandbox')
    expect([200, 201, 204, 400, 404, 409], operator.text).toContain(operator.status)
    const support = await call(route, browserOf('support'), 'sandbox')
    if (route.method === 'GET') expect([200, 400, 404, 409], support.text).toContain(support.status)
    else expectError(support, 'role_not_allowed')
  })
  it.each(COMPANY_ROLES)('is not for a %s of a company', async (role) => {
    expectError(await call(route, browserOf(role), 'sandbox'), 'role_not_allowed')
  })
  it('answers 401 to a session that has ended', async () => {
    const browser = new Browser(server)
    browser.cookie = browserOf('operator').cookie.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    expectError(await call(route, browser, 'sandbox'), 'invalid_operator_token')
  })
})

describe.each(named(server.app.routes.filter(({ access }) => access.by === 'person')))('%s', (_name, route) => {
  it('answers 401 without a session', async () => {
    expectError(await call(route, new Browser(server), 'sandbox'), 'invalid_session')
  })
  it("answers 401 to keys and to the operator's token", async () => {
    for (const token of [company.key, server.operatorToken]) {
      const headers = { authorization: `Bearer ${token}` }
      expectError(await call(route, new Browser(server), 'sandbox', headers), 'invalid_session')
    }
  })
})

describe('people', () => {
  it('of several companies name one of them', async () => {
    const person = await join(server, 'owner', company)
    const { body } = await server.request<{ url: string }>('POST', '/admin/v1/invitations', {
      token: server.operatorToken,
      body: { email: person.email, role: 'viewer', companyId: other.wireId },
    })
    const token = body.url.slice(body.url.indexOf('#') + 1)
    const me = await person.post('/console/v1/me/invitations', { token })
    expect(me.body['companies']).toMatchObject([{ role: expect.any(String) }, { role: expect.any(String) }])
    expectError(await person.get('/api/v1/balance'), 'validation_failed')
    for (const { wireId } of [company, other]) {
      expect((await person.get('/api/v1/balance', { company: wireId })).status).toBe(200)
    }
    const funding = (wireId: string) => person.post('/api/v1/sandbox/funding', { amount: '5.00' }, { company: wireId })
    expect((await funding(company.wireId)).status).toBe(200)
    expectError(await funding(other.wireId), 'scope_missing')
  })

  it('of a suspended company read, and change nothing', async () => {
    const home = await server.createCompany()
    const owner = await join(server, 'owner', home)
    await server.request('POST', `/admin/v1/companies/${home.wireId}/suspension`, {
      token: server.operatorToken,
      body: { suspended: true, reason: 'test' },
    })
    expect((await owner.get('/api/v1/balance')).status).toBe(200)
    expectError(await owner.post('/api/v1/sandbox/funding', { amount: '5.00' }), 'company_suspended')
    expectError(await owner.post('/api/v1/invitations', { email: 'a@b', role: 'viewer' }), 'company_suspended')
  })

  it('are in the audit log by name with what they change: first that they asked, then what came of it', async () => {
    const owner = await join(server, 'owner', company)
    const options = { idempotencyKey: 'audit-1' }
    const holder = await owner.post('/api/v1/holders', { name: 'Ada', email: 'a@b', kind: 'individual' }, options)
    await owner.post('/api/v1/operations', { type: 'topup', cardId: 'card_x', amount: '25.00' }, options)
    const { body } = await server.get<{ data: { actor: string; action: string }[] }>(
      `/admin/v1/audit-log?companyId=${company.wireId}`,
      server.operatorToken,
    )
    const actor = `The owner <${owner.email}>`
    const details = { environment: 'sandbox', idempotencyKey: 'audit-1' }
    expect(body.data.filter((line) => line.actor === actor)).toMatchObject([
      { action: 'createOperation.refused', object: null, details: { ...details, code: 'not_found' } },
      { action: 'createOperation', details },
      { action: 'createHolder.done', object: holder.body['id'], details: { ...details, status: 201 } },
      { action: 'createHolder', object: null, details },
      { action: 'invitation.accepted' },
    ])
  })

  it('are not in the request log, which is about keys', async () => {
    await browserOf('owner').get('/api/v1/balance')
    await server.app.requestLog?.flush()
    const { body } = await server.get<{ data: object[] }>('/api/v1/request-logs?path=/api/v1/balance', company.key)
    expect(body.data).toEqual([])
  })
})
