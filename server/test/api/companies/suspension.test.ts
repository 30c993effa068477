// A suspended company: every write is refused, reads still work, and cards can still be stopped.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { expectBooksRight, fund, issueCard, operate, settled, type WireCard } from '../../books/steps.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
afterAll(() => server.stop())
afterEach(() => expectBooksRight(server))

let company: TestCompany
let card: WireCard
beforeAll(async () => {
  company = await server.createCompany()
  await fund(server, company, '1000')
  card = await issueCard(server, company)
  await suspend(true)
})

interface Company {
  id: string
  suspended: boolean
}
interface AuditRecord {
  action: string
  details: Record<string, unknown>
}

const suspend = (suspended: boolean, reason = 'under investigation') =>
  server.post<Company>(`/admin/v1/companies/${company.wireId}/suspension`, server.operatorToken, { suspended, reason })
const log = async () =>
  (await server.get<{ data: AuditRecord[] }>(`/admin/v1/audit-log?companyId=${company.wireId}`, server.operatorToken))
    .body.data

/** Calls other than GET that a suspended company may still make. A quote reserves nothing; freezing and closing stop a card. */
const OPEN = ['POST /api/v1/quotes', 'POST /api/v1/cards/:id/freeze', 'POST /api/v1/cards/:id/close']

const nameOf = (route: Route) => `${route.method} ${route.path}`
const companyOperatorRoutes = server.app.routes.filter((route) => route.access.by === 'company')
const call = (route: Route) =>
  server.request(route.method, route.path.replaceAll(/:\w+/g, 'no-such-id'), {
    token: company.key,
    ...(route.method === 'GET' ? {} : { body: '{"broken"', idempotencyKey: 'suspended' }),
  })

describe('every route', () => {
  const isOpen = (route: Route) => route.method === 'GET' || OPEN.includes(nameOf(route))
  it.each(companyOperatorRoutes.filter((route) => !isOpen(route)).map((route) => [nameOf(route), route] as const))(
    '%s answers 403 before it looks at the body',
    async (_name, route) => {
      expectError(await call(route), 'company_suspended')
    },
  )
  it.each(companyOperatorRoutes.filter(isOpen).map((route) => [nameOf(route), route] as const))(
    '%s stays open',
    async (_name, route) => {
      const answer = await call(route)
      expect([200, 400, 404], answer.text).toContain(answer.status)
    },
  )
  it('is tested, and the list of open calls is up to date', () => {
    const names = companyOperatorRoutes.map(nameOf)
    expect(names.length).toBeGreaterThan(20)
    for (const name of OPEN) expect(names).toContain(name)
  })
})

it('a suspended company can freeze and close a card, but not unfreeze it', async () => {
  const change = (action: string) => server.post<WireCard>(`/api/v1/cards/${card.id}/${action}`, company.key)
  expect((await change('freeze')).body.status).toBe('frozen')
  expectError(await change('unfreeze'), 'company_suspended')
  expect((await change('close')).body.status).toBe('closed')
})

it('the company is shown as suspended, and suspending it again changes and logs nothing', async () => {
  const before = (await log()).length
  expect((await suspend(true, 'once more')).body).toMatchObject({ id: company.wireId, suspended: true })
  expect(await log()).toHaveLength(before)
})

it('resuming lets it write again immediately, and each change writes an audit record', async () => {
  expect((await suspend(false, 'cleared')).body.suspended).toBe(false)
  const service = { type: 'service', productId: 'prod_service_esim', amount: '10', recipient: 'a@example.com' }
  await settled(server, company, await operate(server, company, service))
  const records = (await log()).filter(({ action }) => /suspended|resumed/.test(action))
  expect(records.map(({ action, details }) => [action, details])).toEqual([
    ['company.resumed', { reason: 'cleared' }],
    ['company.suspended', { reason: 'under investigation' }],
  ])
})

it.each([
  [{ suspended: true }],
  [{ reason: 'x' }],
  [{ suspended: 'yes', reason: 'x' }],
  [{ suspended: true, reason: '' }],
])('%j is refused', async (body) => {
  const path = `/admin/v1/companies/${company.wireId}/suspension`
  expectError(await server.post(path, server.operatorToken, body), 'validation_failed')
})

it('a company that does not exist is not found', async () => {
  const path = `/admin/v1/companies/co_${'f'.repeat(32)}/suspension`
  expectError(await server.post(path, server.operatorToken, { suspended: true, reason: 'x' }), 'not_found')
})
