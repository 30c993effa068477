// The steps that tests of the books begin with: money on the account, a holder, a card; and waiting for the worker.
import { expect } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { findDifferences } from '../support/books.ts'
import type { TestCompany, TestServer } from '../support/harness.ts'
import { until } from '../support/wait.ts'

export interface WireCard {
  id: string
  name: string
  holderId: string
  status: string
  balance: string
  pendingStatus?: string
}
export interface WireOperation {
  id: string
  status: string
  result: { cardId?: string }
}

export async function fund(server: TestServer, company: TestCompany, amount: string): Promise<void> {
  const { status } = await server.post('/api/v1/sandbox/funding', company.key, { amount })
  expect(status).toBe(200)
}

export async function createHolder(server: TestServer, company: TestCompany): Promise<string> {
  const body = { name: 'Ada Holder', email: 'ada@example.com', kind: 'individual' }
  return (await server.post<{ id: string }>('/api/v1/holders', company.key, body)).body.id
}

export async function operate(server: TestServer, company: TestCompany, body: object): Promise<WireOperation> {
  const answer = await server.post<WireOperation>('/api/v1/operations', company.key, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** Reads until the value is as wanted, and returns it. */
export async function eventually<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  const { value } = await until('the value is as wanted', async () => {
    const current = await read()
    return isDone(current) && { value: current }
  })
  return value
}

export function settled(server: TestServer, company: TestCompany, operation: WireOperation): Promise<WireOperation> {
  return eventually(
    async () => (await server.get<WireOperation>(`/api/v1/operations/${operation.id}`, company.key)).body,
    ({ status }) => status !== 'queued' && status !== 'processing',
  )
}

export async function issueCard(
  server: TestServer,
  company: TestCompany,
  { amount = '100.00', name = 'Travel' }: { amount?: string; name?: string } = {},
): Promise<WireCard> {
  const holderId = await createHolder(server, company)
  const operation = await operate(server, company, {
    type: 'issue',
    productId: 'prod_card_virtual',
    amount,
    holderId,
    name,
  })
  const { result } = await settled(server, company, operation)
  return readCard(server, company, result.cardId ?? '')
}

export async function readCard(server: TestServer, company: TestCompany, id: string): Promise<WireCard> {
  return (await server.get<WireCard>(`/api/v1/cards/${id}`, company.key)).body
}

export async function readBalance(server: TestServer, company: TestCompany): Promise<string> {
  return (await server.get<{ total: string }>('/api/v1/balance', company.key)).body.total
}

/** Expects a clean ledger, and that every card knows what is left of what was loaded, after its payments and what was returned. */
export async function expectBooksRight(server: TestServer): Promise<void> {
  expect(await findDifferences(server.db)).toEqual([])
  const wrong = await server.db.many(sql`
    select c.id, c.balance, l.loaded, t.applied, r.returned from card c
    cross join lateral (
      select coalesce(sum(o.amount), 0) as loaded from operation o
      where o.company_id = c.company_id and o.environment = c.environment and o.card_id = c.id and o.status = 'completed') l
    cross join lateral (
      select coalesce(sum(t.applied), 0) as applied from transaction t
      where t.company_id = c.company_id and t.environment = c.environment and t.card_id = c.id) t
    cross join lateral (
      select coalesce(sum(e.available_delta), 0) as returned from entry e
      where e.company_id = c.company_id and e.environment = c.environment and e.kind = 'adjustment' and (
        e.reference = c.id
        or e.reference in (select x.id from transaction x where x.company_id = c.company_id and x.environment = c.environment and x.card_id = c.id)
        or e.reference in (select x.id from operation x where x.company_id = c.company_id and x.environment = c.environment and x.card_id = c.id))) r
    where c.balance + coalesce(c.unreported, 0) <> l.loaded + t.applied - r.returned`)
  expect(wrong).toEqual([])
}
