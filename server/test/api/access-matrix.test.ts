// Who may call what, for every route of the server. The cases are generated from the routes, so that a new route is tested
// automatically. Every request also has an invalid body or query, which shows that access is checked first.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSIONS, type Permission } from '../../src/access/permissions.ts'
import { makeToken } from '../../src/access/tokens.ts'
import type { ErrorCode } from '../../src/errors.ts'
import type { Access, Route } from '../../src/http/route.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { expectError } from './expect-error.ts'

type CompanyAccess = Extract<Access, { by: 'company' }>

const server = await TestServer.start()
afterAll(() => server.stop())

const keys = new Map<string, string>()
const key = (name: string) => keys.get(name) ?? ''
let company: TestCompany

beforeAll(async () => {
  company = await server.createCompany()
  const unverified = await server.createCompany({ verified: false })
  const expiring = await server.createKey(company.id, {
    expiresAt: new Date(server.clock.now().getTime() + 1).toISOString(),
  })
  const revoked = await server.createKey(company.id)
  await revoke(revoked)
  server.clock.advance(1)
  const operator = makeToken('operator')
  keys
    .set('all', company.key)
    .set('unverified', unverified.key)
    .set('expired', expiring)
    .set('revoked', revoked)
    .set('foreign', await server.createKey(company.id, { allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] }))
    .set('home', await server.createKey(company.id, { allowedCidrs: ['203.0.113.0/24', '127.0.0.0/8'] }))
    .set('live', await server.createKey(company.id, { environment: 'live' }))
    .set('unknown', makeToken('sandbox'))
    .set('unknown operator', operator)
    .set('operator', server.operatorToken)
  for (const permission of PERMISSIONS) {
    const others = PERMISSIONS.filter((other) => other !== permission)
    keys.set(`only ${permission}`, await server.createKey(company.id, { scopes: [permission] }))
    keys.set(`not ${permission}`, await server.createKey(company.id, { scopes: others }))
  }
})

async function revoke(token: string): Promise<void> {
  const list = await server.get<{ data: { id: string; last4: string }[] }>(
    `/admin/v1/companies/${company.wireId}/keys`,
    server.operatorToken,
  )
  const found = list.body.data.find(({ last4 }) => token.endsWith(last4))
  const answer = await server.request('DELETE', `/admin/v1/companies/${company.wireId}/keys/${found?.id}`, {
    token: server.operatorToken,
  })
  expect(answer.status).toBe(204)
}

/** Changes one character of the random part, so that the checksum is wrong. */
function mistype(token: string): string {
  const at = token.length - 10
  return token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1)
}

/** A call that would answer 400 if access were granted. */
function call(
  route: Route,
  token: string | undefined,
  options: { headers?: Record<string, string>; body?: unknown } = {},
) {
  const path = route.path.replaceAll(/:\w+/g, 'no-such-id')
  const query = route.query === undefined ? '' : '?no_such_parameter=1'
  return server.request(route.method, path + query, {
    ...(token === undefined ? {} : { token }),
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    ...(route.method === 'POST' || route.method === 'PATCH' ? { body: options.body ?? '{"broken"' } : {}),
  })
}

async function expectRefused(route: Route, token: string | undefined, code: ErrorCode, body?: unknown): Promise<void> {
  expectError(await call(route, token, { body }), code)
}

async function expectAdmitted(route: Route, token: string): Promise<void> {
  const answer = await call(route, token)
  expect([200, 201, 204, 400, 404, 409], answer.text).toContain(answer.status)
}

const named = (routes: readonly Route[]) => routes.map((route) => [`${route.method} ${route.path}`, route] as const)
/** What people call with a session, or to get one, is tested in test/api/people. */
const isOfConsole = ({ path }: Route) => path.startsWith('/console/')
const routesBy = (by: Access['by']) =>
  server.app.routes.filter((route) => route.access.by === by && !isOfConsole(route))

it('every route declares who may call it', () => {
  expect(server.app.routes.length).toBeGreaterThan(10)
  for (const route of server.app.routes) {
    const prefixes = { company: '/api/v1/', member: '/api/v1/', operator: '/admin/v1/', person: '/console/v1/' }
    const prefix = route.access.by === 'anyone' ? '/' : prefixes[route.access.by]
    expect(route.path.startsWith(prefix), route.path).toBe(true)
    if (route.access.by === 'anyone') expect(route.path).not.toMatch(/^\/(api|admin)\//)
  }
})

/** Public routes that need a secret link, an issuer's signature or the name of a file instead of a key. */
const REFUSED_ANYHOW: Readonly<Record<string, number>> = {
  '/pay/:token': 404,
  '/issuer/v1/events': 401,
  '/assets/:file': 404,
  '/docs/:page': 404,
  '/docs/:section/:page': 404,
  '/docs/assets/:file': 404,
  '/downloads/:file': 404,
}

describe.each(named(routesBy('anyone')))('%s', (_name, route) => {
  const expected = REFUSED_ANYHOW[route.path] ?? 200
  it('answers without a key', async () => {
    expect((await call(route, undefined)).status).toBe(expected)
  })
  it('ignores a wrong key', async () => {
    expect((await call(route, 'nonsense')).status).toBe(expected)
  })
})

describe.each(named(routesBy('company')))('%s', (_name, route) => {
  const access = route.access as CompanyAccess

  it('answers 401 without a key and says how to send one', async () => {
    const answer = await call(route, undefined)
    expectError(answer, 'missing_api_key')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="cardstock"')
    expect(answer.headers.get('ratelimit')).toBeNull()
  })
  it.each([
    ['Bearer', 'missing_api_key'],
    ['Bearer ', 'missing_api_key'],
    ['Basic dXNlcjpwYXNz', 'malformed_api_key'],
    ['cstk_sandbox_x', 'malformed_api_key'],
    ['Bearer a b', 'malformed_api_key'],
  ] as const)('answers 401 to the header %s: %s', async (header, code) => {
    expectError(await call(route, undefined, { headers: { authorization: header } }), code)
  })
  it('answers 401 to a key with a broken checksum', () =>
    expectRefused(route, mistype(key('all')), 'malformed_api_key'))
  it('answers 401 to a well-formed but unknown key', () => expectRefused(route, key('unknown'), 'invalid_api_key'))
  it("answers 401 to an operator's token", () => expectRefused(route, key('operator'), 'invalid_api_key'))
  it('answers 401 to a revoked key', () => expectRefused(route, key('revoked'), 'revoked_api_key'))
  it('answers 401 to an expired key', () => expectRefused(route, key('expired'), 'expired_api_key'))
  it('answers 403 while the company is not verified', () =>
    expectRefused(route, key('unverified'), 'verification_required'))
  it('answers 403 from an address outside the allow-list', () =>
    expectRefused(route, key('foreign'), 'address_not_allowed'))
  it('answers from an address inside the allow-list', () => expectAdmitted(route, key('home')))
  it('answers to a key with every scope', () => expectAdmitted(route, key('all')))

  const [first] = access.anyOf
  if (first !== undefined) {
    it('answers 403 to a key that has none of its scopes, and names them', async () => {
      const without = await server.createKey(company.id, {
        scopes: PERMISSIONS.filter((permission) => !access.anyOf.includes(permission)),
      })
      const { message } = expectError(await call(route, without), 'scope_missing')
      for (const permission of access.anyOf) expect(message).toContain(permission)
    })
    it.each(access.anyOf)('answers to a key that has only %s', (permission) =>
      expectAdmitted(route, key(`only ${permission}`)),
    )
  } else {
    it('answers to a key with any single scope', () => expectAdmitted(route, key('only webhooks:read')))
  }

  it('answers 403 to a key that lacks one scope only if the route needs that scope', async () => {
    for (const permission of PERMISSIONS) {
      const isNeeded = access.anyOf.length === 1 && access.anyOf[0] === permission
      if (isNeeded) await expectRefused(route, key(`not ${permission}`), 'scope_missing')
      else await expectAdmitted(route, key(`not ${permission}`))
    }
  })

  const exact = exactCases(access)
  if (access.exactly !== undefined) {
    it('is tested with a body of each kind', () => expect(exact.length).toBeGreaterThan(1))
    it.each(exact)('answers 403 to %j without %s, whatever other scope the key has', (body, permission) =>
      expectRefused(route, key(`not ${permission}`), 'scope_missing', body),
    )
  }

  if (access.sandboxOnly === true) {
    it('answers 403 to a live key', () => expectRefused(route, key('live'), 'sandbox_only'))
  } else if (access.liveNeeds !== undefined) {
    it('answers 403 to a live key, because no company is activated', () =>
      expectRefused(route, key('live'), 'capability_not_activated'))
  } else {
    it('answers to a live key', () => expectAdmitted(route, key('live')))
  }

  if (route.body !== undefined) {
    it('answers 400 to the broken body once access is granted', () =>
      expectRefused(route, key('all'), 'validation_failed'))
  }
})

/** Bodies whose kind decides which scope is needed. */
function exactCases(access: CompanyAccess): [object, Permission][] {
  const bodies = ['issue', 'topup', 'service'].map((type) => ({ type }))
  return bodies.flatMap((body): [object, Permission][] => {
    const permission = access.exactly?.(body)
    return permission === undefined ? [] : [[body, permission]]
  })
}

describe.each(named(routesBy('operator')))('%s', (_name, route) => {
  it('answers 401 without a token', () => expectRefused(route, undefined, 'invalid_operator_token'))
  it('answers 401 to a broken checksum', () => expectRefused(route, mistype(key('operator')), 'invalid_operator_token'))
  it('answers 401 to an unknown token', () => expectRefused(route, key('unknown operator'), 'invalid_operator_token'))
  it.each(['all', 'live', 'revoked'])("answers 401 to a company's key (%s)", (name) =>
    expectRefused(route, key(name), 'invalid_operator_token'),
  )
  it("answers to the operator's token", () => expectAdmitted(route, key('operator')))
  if (route.body !== undefined) {
    it('answers 400 to the broken body once access is granted', () =>
      expectRefused(route, key('operator'), 'validation_failed'))
  }
})
