// `cardstock review` and `cardstock audit` against a running server.
import { Cardstock, type LedgerAudit, type Operation, type Page, type Review } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { TestServer } from '../support/harness.ts'
import { until } from '../support/wait.ts'
import { cardstock } from './in-process.ts'

let server: TestServer

beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(() => server.stop())

const run = (...args: string[]) =>
  cardstock(args, { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_OPERATOR_TOKEN: server.operatorToken })

function waitForReview(api: Cardstock, id: string): Promise<Operation> {
  return until(`${id} is in review`, async () => {
    const operation = await api.operations.get(id)
    return operation.status === 'manual_review' && operation
  })
}

test('an operator lists a review, reads it, decides it once, and the ledger is right', async () => {
  const company = await server.createCompany()
  const api = new Cardstock({ baseUrl: server.baseUrl, apiKey: company.key })
  await api.sandbox.fund({ amount: '100' })
  const order = { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'unknown' } as const
  const { id } = await waitForReview(api, (await api.operations.create(order)).id)

  const listed = JSON.parse((await run('review', 'list', '--json')).out) as Page<Review>
  expect(listed.data.map((review) => [review.id, review.heldAmount, review.reasons])).toEqual([
    [id, '20.70', ['issuer_unknown']],
  ])
  const names = await run('review', 'list')
  expect(names.out).toMatch(/Travel eSIM for unknown .*Test company$/m)
  const inEnvironment = async (environment: string) => run('review', 'list', '--json', '--environment', environment)
  expect(JSON.parse((await inEnvironment('sandbox')).out)).toEqual(listed)
  expect(JSON.parse((await inEnvironment('live')).out)).toMatchObject({ data: [] })
  expect((await inEnvironment('test')).code).toBe(2)
  const shown = await run('review', 'show', id)
  expect(shown.out).toContain('the sandbox was told to leave the outcome open')
  expect(shown.out).toContain('"recipient":"unknown"')

  expect((await run('review', 'resolve', id, 'completed')).code).toBe(2)
  const decided = await run(
    'review',
    'resolve',
    id,
    'completed',
    '--reason',
    'the issuer confirmed by telephone',
    '--json',
  )
  expect(JSON.parse(decided.out)).toMatchObject({ id, status: 'completed', result: { receipt: expect.any(String) } })
  const again = await run('review', 'resolve', id, 'failed', '--reason', 'changed my mind')
  expect(again.code).toBe(1)
  expect(again.err).toContain('it is completed. That decision counts; a later one is not applied.')
  expect((await api.balance.get()).total).toBe('79.30')

  const audit = await run('audit', '--json')
  expect(audit.code).toBe(0)
  expect((JSON.parse(audit.out) as LedgerAudit).differences).toEqual([])
})

test('the audit reports a ledger that was tampered with, with exit code 1', async () => {
  const company = await server.createCompany()
  await server.db.run(sql`
    update account set available = available + 1
    where company_id = ${company.scope.companyId} and environment = ${company.scope.environment}`)
  const audit = await run('audit')
  expect(audit.code).toBe(1)
  expect(audit.out).toMatch(new RegExp(`^${company.wireId} +Test company `, 'm'))
  expect(audit.out).toContain('available is 1, entries say 0')
})

test('reconcile without a live issuer is refused with a clear code', async () => {
  const ended = await run('reconcile', '--json')
  expect(ended.code).toBe(1)
  expect(JSON.parse(ended.err)).toMatchObject({ error: { code: 'issuer_not_configured', statusCode: 409 } })
})
