// The first steps of tests about funding invoices.
import { expect } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import { findId } from '../../src/lib/ids.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { findDifferences } from './books.ts'
import type { TestAnswer, TestCompany, TestServer } from './harness.ts'

export const INVOICES = '/api/v1/card-account/invoices'

export async function openInvoice(
  server: TestServer,
  company: Pick<TestCompany, 'key'>,
  amount = '100',
): Promise<Invoice> {
  const answer = await server.post<Invoice>(INVOICES, company.key, { amount })
  expect({ status: answer.status, invoice: answer.body.status, text: answer.text }).toMatchObject({
    status: 201,
    invoice: 'pending',
  })
  return answer.body
}

export const complete = (server: TestServer, company: Pick<TestCompany, 'key'>, id: string) =>
  server.request<Invoice>('POST', `/api/v1/sandbox/invoices/${id}/complete`, { token: company.key })

export const pay = (
  server: TestServer,
  company: Pick<TestCompany, 'key'>,
  id: string,
  body: { amount: string; at?: string },
) => server.request<Invoice>('POST', `/api/v1/sandbox/invoices/${id}/payments`, { token: company.key, body })

export const readInvoice = (server: TestServer, company: TestCompany, id: string) =>
  server.get<Invoice>(`${INVOICES}/${id}`, company.key)

export async function resolve<Body = Invoice>(
  server: TestServer,
  id: string,
  decision: Record<string, unknown>,
): Promise<TestAnswer<Body>> {
  return server.post<Body>(`/admin/v1/reviews/${id}/resolve`, server.operatorToken, {
    reason: 'seen in the wallet',
    ...decision,
  })
}

export async function balanceOf(server: TestServer, company: TestCompany): Promise<string> {
  const answer = await server.get<{ available: string; held: string }>('/api/v1/balance', company.key)
  expect(answer.body.held).toBe('0.00')
  return answer.body.available
}

export interface EntryLine {
  kind: string
  available_delta: bigint
}

export async function entriesOf(server: TestServer, scope: Scope, wireId: string): Promise<EntryLine[]> {
  const prefix = wireId.startsWith('rev_') ? 'rev' : 'inv'
  return server.db.many<EntryLine>({
    name: undefined,
    text: `select kind, available_delta from entry
           where company_id = $1 and environment = $2 and reference = $3 order by number`,
    values: [scope.companyId, scope.environment, findId(prefix, wireId)],
  })
}

export async function expectSoundLedger(server: TestServer): Promise<void> {
  expect(await findDifferences(server.db)).toEqual([])
}
