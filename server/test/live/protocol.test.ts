// Protocol 1.1: the issuer is told the id of a card before the card exists, and says what it can do. An issuer of 1.0 keeps working.
import { afterEach, expect, it } from 'vitest'
import { findId, formatId } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import { cardIdOf } from '../../src/cards/card-id.ts'
import { expectError } from '../api/expect-error.ts'
import { addHolder } from '../api/rows.ts'
import type { TestCompany } from '../support/harness.ts'
import { expectSoundLedger, INVOICES } from '../support/invoices.ts'
import { EventSender } from '../support/issuer-events.ts'
import { LiveWorld } from '../support/live.ts'
import { until } from '../support/wait.ts'

const OPERATIONS = '/api/v1/operations'
const SERVICE = { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'a@example.com' }
const LOOK_UP_DELAY_MS = 3_600_000

let world: LiveWorld
let company: TestCompany
let holderId: string

afterEach(async () => {
  await expectSoundLedger(world.server)
  await world.stop()
})

async function start(about: Parameters<typeof LiveWorld.start>[2] = {}): Promise<void> {
  world = await LiveWorld.start([LOOK_UP_DELAY_MS], {}, about)
  company = await world.createCompany()
  holderId = await addHolder(world.server, company.scope)
}

async function order(body: object): Promise<string> {
  const answer = await world.server.post<{ id: string }>(OPERATIONS, company.key, body)
  expect(answer.status).toBe(201)
  return answer.body.id
}
const issue = () => order({ type: 'issue', productId: 'prod_card_virtual', amount: '21', holderId })
const cardOf = (operationId: string) => formatId('card', cardIdOf(must(findId('op', operationId))))
async function contentOf(operationId: string): Promise<Record<string, unknown>> {
  const { requests } = await world.control<{ requests: { token: string; content: Record<string, unknown> }[] }>(
    'GET',
    'book',
  )
  return must(requests.find(({ token }) => token === findId('op', operationId))).content
}
const pay = (card: string) => world.control<{ eventId: string }>('POST', `cards/${card}/payments`, { amount: '5.00' })
async function eventStatus(id: string): Promise<{ status: string; attempts: number }> {
  return must((await world.book()).events.find((event) => event.id === id))
}

it('the issuer is told the id of the card and who gets it, and names the card by that id ever after', async () => {
  await start()
  await world.fund(company, '1000')
  const id = await issue()
  const { result } = await world.waitForOperation(company, id, 'completed')
  expect(result).toMatchObject({ cardId: cardOf(id) })
  const { body: holder } = await world.server.get(`/api/v1/holders/${holderId}`, company.key)
  const { name, email, kind } = holder as Record<string, string>
  expect(await contentOf(id)).toMatchObject({ cardId: cardOf(id), holderId, holder: { name, email, kind } })
  const topup = await order({ type: 'topup', amount: '10', cardId: cardOf(id) })
  await world.waitForOperation(company, topup, 'completed')
  expect(await contentOf(topup)).toMatchObject({ cardId: cardOf(id) })
  await pay('newest')
  await until('the payment is listed', async () => {
    const { body } = await world.server.get<{ data: object[] }>(
      `/api/v1/transactions?cardId=${cardOf(id)}`,
      company.key,
    )
    return body.data.length === 1
  })
})

it('a payment with a card whose issue is still open waits, and is taken when the card exists', async () => {
  await start()
  await world.fund(company, '1000')
  await world.behave('issue', 'act_then_fail', { times: 1 })
  const id = await issue()
  await until('the answer was lost', async () => (await world.arrivalsOf(id)) === 1)
  const { eventId } = await pay(cardOf(id))
  await until('the event was not taken', async () => (await eventStatus(eventId)).attempts > 0)
  expect(await eventStatus(eventId)).toMatchObject({ status: 'waiting' })
  world.server.clock.advance(LOOK_UP_DELAY_MS)
  await world.waitForOperation(company, id, 'completed')
  // The longest pause before the issuer sends an event again.
  world.server.clock.advance(60_000)
  await until('the payment was taken', async () => (await eventStatus(eventId)).status === 'delivered')
  const { body } = await world.server.get<{ data: object[] }>(`/api/v1/transactions?cardId=${cardOf(id)}`, company.key)
  expect(body.data).toHaveLength(1)
})

it('a payment with a card whose issue failed is refused and recorded as a contradiction', async () => {
  await start()
  await world.fund(company, '1000')
  await world.behave('issue', 'refuse', { times: 1 })
  const id = await issue()
  await world.waitForOperation(company, id, 'failed')
  const data = {
    cardId: cardOf(id),
    transactionId: 't-1',
    type: 'purchase',
    status: 'settled',
    amount: '-5.00',
    currency: 'USD',
    occurredAt: world.server.clock.now().toISOString(),
  }
  const event = { type: 'card.transaction', companyId: formatId('co', company.id), data }
  const sent = await world.control<{ id: string }>('POST', 'events', { event })
  await until('the event is refused', async () => (await eventStatus(sent.id)).status === 'refused')
  expect(await new EventSender(world, company).auditOf(id)).toEqual(['issuer.contradiction'])
})

it('a decision in live cannot give the card another id than the issuer was told', async () => {
  await start()
  await world.fund(company, '1000')
  await world.behave('issue', 'fail')
  await world.behave('look_up', 'fail')
  const id = await issue()
  await world.waitForReview(company, `${OPERATIONS}/${id}`)
  const decide = (cardId: string) =>
    world.server.request('POST', `/admin/v1/reviews/${id}/resolve`, {
      token: world.server.operatorToken,
      body: { outcome: 'completed', reason: 'The issuer has the card.', last4: '4242', cardId },
    })
  const refused = await decide('card_019cd79e46007002a1b2c3d4e5f60718')
  expectError(refused, 'validation_failed')
  expect(refused.body).toMatchObject({ message: expect.stringContaining(cardOf(id)) })
  expect((await decide(cardOf(id))).body).toMatchObject({ status: 'completed', result: { cardId: cardOf(id) } })
})

it('what the issuer does not offer is refused when it is ordered or quoted, and moves nothing', async () => {
  await start({ kinds: ['issue', 'topup', 'card_status', 'service'] })
  const first = await world.server.post(OPERATIONS, company.key, SERVICE)
  // Nothing is reserved while nobody knows what the issuer can do: the order is refused for its funds.
  expectError(first, 'insufficient_funds')
  await world.control('PUT', 'about', { kinds: ['issue', 'topup', 'card_status'] })
  await until('the server knows what the issuer can do', async () => {
    world.server.clock.advance(700_000)
    const { body } = await world.server.request('POST', '/api/v1/quotes', { token: company.key, body: SERVICE })
    return JSON.stringify(body).includes('service_not_available')
  })
  expectError(await world.server.post(OPERATIONS, company.key, SERVICE), 'service_not_available')
  expectError(await world.server.post(INVOICES, company.key, { amount: '100' }), 'not_offered')
  expect((await world.book()).requests).toEqual([])
})

it('an issuer of protocol 1.0 keeps working, and gets nothing that it does not know', async () => {
  await start({ protocol: '1.0' })
  await world.fund(company, '1000')
  const id = await issue()
  const { result } = await world.waitForOperation(company, id, 'completed')
  expect(result).toMatchObject({ cardId: cardOf(id) })
  expect(Object.keys(await contentOf(id)).toSorted()).toEqual([
    'amount',
    'companyId',
    'holderId',
    'kind',
    'name',
    'productId',
  ])
})
