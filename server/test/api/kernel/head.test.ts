// HEAD answers like GET, with the same access, status and headers, but without doing the work that only the body needs.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { type TestAnswer, type TestCompany, TestServer } from '../../support/harness.ts'
import { addManyHolders } from '../rows.ts'

const server = await TestServer.start()
afterAll(() => server.stop())

let company: TestCompany
beforeAll(async () => {
  company = await server.createCompany()
  await addManyHolders(server, company.scope, 3000)
})

/** Headers that differ between any two answers, or that HEAD may leave out because only the body decides them. */
const VARYING = new Set([
  'date',
  'x-request-id',
  'ratelimit',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'connection',
])
/** A page of the console has a new nonce for its styles in every answer. */
const withoutNonce = (value: string) => value.replace(/'nonce-[\w-]+'/, "'nonce'")
const headersOf = (answer: TestAnswer<unknown>) =>
  Object.fromEntries(
    [...answer.headers].filter(([name]) => !VARYING.has(name)).map(([name, value]) => [name, withoutNonce(value)]),
  )

/** A valid query where the route needs one. */
const QUERIES: Readonly<Record<string, string>> = { '/api/v1/account-statements': '?from=2026-03-01&to=2026-03-10' }

const pathOf = (route: Route) => route.path.replaceAll(/:\w+/g, 'no-such-id') + (QUERIES[route.path] ?? '')
const tokenOf = ({ access }: Route) => (access.by === 'operator' ? server.operatorToken : company.key)
const routes = server.app.routes.filter(({ method }) => method === 'GET')

describe.each(routes.map((route) => [route.path, route] as const))('HEAD %s', (_path, route) => {
  it('has the status and the headers of GET, and no body', async () => {
    const get = await server.request('GET', pathOf(route), { token: tokenOf(route) })
    const head = await server.request('HEAD', pathOf(route), { token: tokenOf(route) })
    expect({ status: head.status, headers: headersOf(head) }).toEqual({ status: get.status, headers: headersOf(get) })
    expect(head.text).toBe('')
  })

  it('needs the same access as GET', async () => {
    const get = await server.request('GET', pathOf(route))
    expect((await server.request('HEAD', pathOf(route))).status).toBe(get.status)
  })
})

describe('the work behind HEAD', () => {
  /** Counts the statements of this request that read rows of the named table or function. */
  async function countReads(path: string, pattern: RegExp): Promise<number> {
    const reads = [vi.spyOn(server.db, 'many'), vi.spyOn(server.db, 'find')]
    try {
      expect((await server.request('HEAD', path, { token: company.key })).status).toBe(200)
      // If the server read the whole list, it would do so after the answer. This request waits until that is over.
      await server.get('/api/v1/balance', company.key)
      return reads.flatMap((spy) => spy.mock.calls).filter(([statement]) => pattern.test(statement.text)).length
    } finally {
      for (const spy of reads) spy.mockRestore()
    }
  }

  it('reads no rows of a streamed list', async () => {
    expect(await countReads('/api/v1/holders', /from holder/)).toBe(0)
  })
  it('reads no rows of a page', async () => {
    expect(await countReads('/api/v1/operations?limit=10', /from operation/)).toBe(0)
  })
  it.each(['json', 'csv', 'pdf'])('reads no statement (%s)', async (format) => {
    expect(
      await countReads(
        `/api/v1/account-statements?from=2026-03-01&to=2026-03-10&format=${format}`,
        /account_statement/,
      ),
    ).toBe(0)
  })
})

it('a refusal that needs no body is the same for HEAD', async () => {
  expect((await server.request('HEAD', '/api/v1/operations?cursor=x', { token: company.key })).status).toBe(400)
  expect(
    (await server.request('HEAD', '/api/v1/account-statements?from=2026-03-02&to=2026-03-01', { token: company.key }))
      .status,
  ).toBe(400)
})
