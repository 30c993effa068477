// Fills a company with objects of every kind, in states that something could change.
import { expect } from 'vitest'
import { issueCard, type WireCard } from '../books/steps.ts'
import { createHolder, fund, issueBody, perform, serviceBody, topupBody } from './operations.ts'
import { ENDPOINTS, register, waitForAttempts } from './webhooks.ts'
import type { TestAnswer, TestCompany, TestServer } from './harness.ts'
import { complete, openInvoice, pay } from './invoices.ts'

export interface Furniture {
  readonly cards: readonly WireCard[]
  readonly reviews: readonly string[]
  readonly transactionId: string
  /** It failed once, and waits for its retry. */
  readonly endpointId: string
}

/** The URL is that of a receiver that fails. */
export async function furnish(server: TestServer, company: TestCompany, failingUrl: string): Promise<Furniture> {
  await fund(server, company, '5000.00')
  const holderId = await createHolder(server, company)
  const customer = { ...company, holderId }
  // Nothing here emits this type, so that its queue rests after the ping.
  const endpoint = await register(server, company, failingUrl, ['api_key.expiring'])
  const ping = await expectDone(server.post<{ id: string }>(`${ENDPOINTS}/${endpoint.id}/ping`, company.key))
  await waitForAttempts(server, company, ping.id, 1)
  const cards = [await issueCard(server, company), await issueCard(server, company)]
  const [card = { id: '' }, second = { id: '' }] = cards
  await expectDone(server.post(`/api/v1/cards/${second.id}/freeze`, company.key))
  await perform(server, customer, topupBody(card.id))
  await perform(server, customer, serviceBody({ recipient: 'fail' }))
  const reviews: string[] = []
  for (const body of [
    issueBody(customer, { name: 'unknown' }),
    topupBody(card.id, { amount: '10.77' }),
    serviceBody({ recipient: 'unknown' }),
  ])
    reviews.push((await perform(server, customer, body)).id)
  const purchase = { cardId: card.id, type: 'purchase', amount: '1.00' }
  await expectDone(server.post('/api/v1/sandbox/transactions', company.key, purchase))
  const pending = { ...purchase, status: 'pending' }
  const made = await expectDone(server.post<{ id: string }>('/api/v1/sandbox/transactions', company.key, pending))
  const { id } = await openInvoice(server, company)
  await expectDone(complete(server, company, id))
  for (const amount of ['7', '8']) await expectDone(pay(server, company, id, { amount }))
  return { cards, reviews, transactionId: made.id, endpointId: endpoint.id }
}

export async function expectDone<Body>(answering: Promise<TestAnswer<Body>>): Promise<Body> {
  const { status, text, body } = await answering
  expect(status, text).toBeLessThan(300)
  return body
}
