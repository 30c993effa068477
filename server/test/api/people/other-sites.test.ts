// What another web site can start in the browser of somebody who is signed in. A link sends the cookie, but no header of its own; the
// browser adds where the link stands. The cases are generated from the routes, so that a new route is tested automatically.
import { afterAll, describe, expect, it } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { expectError } from '../expect-error.ts'
import { TestServer } from '../../support/harness.ts'
import { type Browser, join } from './people.ts'

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
const company = await server.createCompany()
const operator = await join(server, 'operator')
const owner = await join(server, 'owner', company)
afterAll(() => server.stop())

/** Headers of the test's browser that a link of another site does not send. */
const NO_OWN = { 'x-csrf': '', 'cardstock-environment': '', 'idempotency-key': '', 'sec-fetch-site': '' }
const LINKS: readonly [string, Record<string, string>][] = [
  ['a link of another site', { ...NO_OWN, 'sec-fetch-site': 'cross-site' }],
  ['an image of another host of the same domain', { ...NO_OWN, 'sec-fetch-site': 'same-site' }],
  ['a link that another program opens', { ...NO_OWN, 'sec-fetch-site': 'none' }],
  ['a link without TLS, where browsers do not say the site', NO_OWN],
]

const isRead = ({ method }: Route) => method === 'GET'
const reads = (by: string) => server.app.routes.filter((route) => isRead(route) && route.access.by === by)
const follow = (browser: Browser, { path }: Route, headers: Record<string, string>, method = 'GET') =>
  browser.send(method, path.replaceAll(/:\w+/g, 'no-such-id'), { headers })

describe.each(LINKS)('%s', (_name, headers) => {
  it('starts no read of an operator', async () => {
    const routes = reads('operator')
    expect(routes.map(({ path }) => path)).toContain('/admin/v1/ledger/audit')
    for (const route of routes) {
      expectError(await follow(operator, route, headers), 'csrf_refused')
      expect((await follow(operator, route, headers, 'HEAD')).status).toBe(403)
    }
  })

  it('starts no read of a company', async () => {
    for (const route of [...reads('company'), ...reads('member')]) {
      expectError(await follow(owner, route, headers), 'validation_failed')
    }
  })
})

describe('an operator', () => {
  it.each([
    ['a page of this server', {}],
    ['a page of this server that is read without TLS', { 'sec-fetch-site': '' }],
    ['a page of this server without the header of the console', { 'x-csrf': '' }],
  ])('reads everything from %s', async (_name, headers: Record<string, string>) => {
    for (const path of ['/admin/v1/ledger/audit', '/admin/v1/audit-log', '/admin/v1/companies']) {
      expect((await operator.get(path, { headers })).status).toBe(200)
    }
  })

  it('reads everything with a token, whatever a browser would say', async () => {
    for (const site of ['cross-site', 'none', '']) {
      const headers: Record<string, string> = site === '' ? {} : { 'sec-fetch-site': site }
      const answer = await server.request('GET', '/admin/v1/ledger/audit', { token: server.operatorToken, headers })
      expect(answer.status).toBe(200)
    }
  })
})
