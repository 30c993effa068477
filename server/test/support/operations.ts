// The steps that tests of operations share: a company with funds and a holder, bodies, and waiting for an end.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import type { ErrorCode } from '../../src/errors.ts'
import { ERRORS } from '../../src/errors.ts'
import { createLog } from '../../src/lib/log.ts'
import { findDifferences } from './books.ts'
import { type TestAnswer, type TestCompany, TestServer } from './harness.ts'
import { readTestConfig } from './on-citus.ts'
import { until } from './wait.ts'

export { until }

export interface OperationBody {
  id: string
  type: string
  status: string
  amount: string
  fee: string
  total: string
  result: { cardId?: string; receipt?: string }
  failure?: { code: string; message: string }
  createdAt: string
}

export interface Refusal {
  statusCode: number
  message: string
  code: ErrorCode
  requestId: string
  details?: Record<string, unknown>
}

export interface Customer extends TestCompany {
  holderId: string
}

export const CARD = 'prod_card_virtual'
export const ESIM = 'prod_service_esim'
export const VPN = 'prod_service_vpn'
export const FINAL = new Set(['completed', 'failed', 'manual_review'])

type Asker = Pick<TestServer, 'request'>

export async function createCustomer(
  server: TestServer,
  { funds = '1000.00', kind = 'corporate' }: { funds?: string; kind?: 'individual' | 'corporate' } = {},
): Promise<Customer> {
  const company = await server.createCompany({ kind })
  const holderId = await createHolder(server, company)
  if (funds !== '0') await fund(server, company, funds)
  return { ...company, holderId }
}

export async function createHolder(server: TestServer, company: TestCompany, name = 'Ada Lovelace'): Promise<string> {
  const body = { name, email: 'ada@example.com', kind: 'individual' }
  const answer = await server.post<{ id: string }>('/api/v1/holders', company.key, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

export async function fund(server: TestServer, company: TestCompany, amount: string): Promise<void> {
  expect((await server.post('/api/v1/sandbox/funding', company.key, { amount })).status).toBe(200)
}

export const issueBody = (customer: Customer, more: Record<string, unknown> = {}) => ({
  type: 'issue',
  productId: CARD,
  holderId: customer.holderId,
  amount: '10.00',
  ...more,
})
export const serviceBody = (more: Record<string, unknown> = {}) => ({
  type: 'service',
  productId: ESIM,
  recipient: 'ada@example.com',
  amount: '10.00',
  ...more,
})
export const topupBody = (cardId: string, more: Record<string, unknown> = {}) => ({
  type: 'topup',
  cardId,
  amount: '10.00',
  ...more,
})

export function send(
  server: Asker,
  company: { key: string },
  body: unknown,
  idempotencyKey: string = randomUUID(),
): Promise<TestAnswer<OperationBody>> {
  return server.request<OperationBody>('POST', '/api/v1/operations', { token: company.key, body, idempotencyKey })
}

/** The operation's id. */
export async function accept(server: Asker, company: { key: string }, body: unknown): Promise<string> {
  const answer = await send(server, company, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

export async function read(server: Asker, company: { key: string }, id: string): Promise<OperationBody> {
  const answer = await server.request<OperationBody>('GET', `/api/v1/operations/${id}`, { token: company.key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

export function untilFinal(server: Asker, company: { key: string }, id: string): Promise<OperationBody> {
  return until(`${id} is final`, async () => {
    const operation = await read(server, company, id)
    return FINAL.has(operation.status) ? operation : undefined
  })
}

/** Accepted and carried out. */
export async function perform(server: Asker, company: { key: string }, body: unknown): Promise<OperationBody> {
  return untilFinal(server, company, await accept(server, company, body))
}

export async function createCard(server: Asker, customer: Customer): Promise<string> {
  const { result } = await perform(server, customer, issueBody(customer))
  expect(result.cardId).toMatch(/^card_/)
  return result.cardId ?? ''
}

export interface Balance {
  available: string
  held: string
  total: string
  currency: string
  environment: string
}

export async function balanceOf(server: Asker, company: { key: string }): Promise<Balance> {
  return (await server.request<Balance>('GET', '/api/v1/balance', { token: company.key })).body
}

export function expectRefused(answer: TestAnswer<unknown>, code: ErrorCode): Refusal {
  const body = answer.body as Refusal
  expect({ status: answer.status, code: body?.code }, answer.text).toEqual({ status: ERRORS[code], code })
  return body
}

export async function expectCleanAudit(server: TestServer): Promise<void> {
  expect(await findDifferences(server.db)).toEqual([])
}

/** Another server on the same database, as a second node is. */
export async function startSecond(
  server: TestServer,
  environ: Record<string, string> = {},
): Promise<Asker & { stop(): Promise<void> }> {
  const config = readTestConfig({ RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000', ...environ })
  const log = createLog({ level: 'silent' })
  const secretKey = Buffer.alloc(32, 7)
  const app = await createApp({ db: server.db, clock: server.clock, log, config, secretKey, slowMs: 50 })
  const baseUrl = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const request: TestServer['request'] = TestServer.prototype.request.bind({ baseUrl } as TestServer)
  return { request, stop: () => app.close() }
}
