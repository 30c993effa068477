// card.updated: one event for each change of a card's status or balance, and none for anything else.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { reportCardStatus } from '../../../src/card-changes/queries.ts'
import { findId } from '../../../src/lib/ids.ts'
import {
  eventually,
  expectBooksRight,
  fund,
  issueCard,
  operate,
  readBalance,
  readCard,
  settled,
  type WireCard,
} from '../../books/steps.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

let server: TestServer
let company: TestCompany

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  await fund(server, company, '10000')
})
afterEach(() => expectBooksRight(server))
afterAll(() => server.stop())

interface CardEvent {
  type: string
  sequence: number
  data: WireCard
}

const change = (card: WireCard, action: string) => server.post(`/api/v1/cards/${card.id}/${action}`, company.key)
const pay = (card: WireCard, amount: string, status = 'settled') =>
  server.post('/api/v1/sandbox/transactions', company.key, { cardId: card.id, type: 'purchase', amount, status })
const report = (card: WireCard, status: string, balance: bigint | null = null) =>
  reportCardStatus(server.db, company.scope, {
    cardId: findId('card', card.id) ?? '',
    status,
    balance,
    now: server.clock.now(),
  })
const topUp = async (card: WireCard, amount: string) =>
  settled(server, company, await operate(server, company, { type: 'topup', cardId: card.id, amount }))

async function updatesOf(card: WireCard): Promise<string[]> {
  const { body } = await server.get<{ data: CardEvent[] }>('/api/v1/events?limit=100', company.key)
  const mine = body.data.filter(({ type, data }) => type.startsWith('card.') && data.id === card.id).toReversed()
  expect(mine.map(({ sequence }) => sequence)).toEqual(mine.map((_, index) => index + 1))
  return mine.slice(1).map(({ data }) => `${data.status} ${data.balance} ${data.pendingStatus ?? '-'}`)
}

async function reviewOf(card: WireCard): Promise<string> {
  const read = async () => {
    const { body } = await server.get<{ data: { id: string; dossier: { request: { cardId?: string } } }[] }>(
      '/admin/v1/reviews?limit=100',
      server.operatorToken,
    )
    return body.data.find(({ dossier }) => dossier.request.cardId === card.id)?.id
  }
  return (await eventually(read, (id) => id !== undefined)) ?? ''
}

const decide = (id: string, decision: object) =>
  server.post(`/admin/v1/reviews/${id}/resolve`, server.operatorToken, { reason: 'test', ...decision })

test('each change of status or balance causes one event with the card at that time', async () => {
  const card = await issueCard(server, company, { amount: '100.00' })
  await topUp(card, '20.00')
  await pay(card, '5.00')
  await change(card, 'freeze')
  await change(card, 'unfreeze')
  await report(card, 'blocked')
  await change(card, 'close')
  expect(await updatesOf(card)).toEqual([
    'active 120.00 -',
    'active 115.00 -',
    'frozen 115.00 -',
    'active 115.00 -',
    'blocked 115.00 -',
    'closed 0.00 -',
  ])
})

test('a request, payment or report that does not change the card causes no event', async () => {
  const card = await issueCard(server, company, { amount: '10.00' })
  await change(card, 'unfreeze')
  await pay(card, '99.00')
  await report(card, 'active')
  expect(await updatesOf(card)).toEqual([])

  const refused = await issueCard(server, company, { name: 'change fail' })
  await change(refused, 'freeze')
  expect(await updatesOf(refused)).toEqual([])
})

test('a change with an unknown outcome causes its event when the outcome is known, and none if it failed', async () => {
  const card = await issueCard(server, company, { amount: '10.00', name: 'change unknown' })
  expect((await change(card, 'freeze')).status).toBe(202)
  expect(await updatesOf(card)).toEqual([])
  await decide(await reviewOf(card), { outcome: 'failed' })
  expect(await updatesOf(card)).toEqual([])
  await change(card, 'freeze')
  await decide(await reviewOf(card), { outcome: 'completed' })
  expect(await updatesOf(card)).toEqual(['frozen 10.00 -'])
})

test('a close that the issuer reports first and confirms later returns the balance once, with one event', async () => {
  const card = await issueCard(server, company, { amount: '40.00', name: 'change unknown' })
  const before = Number(await readBalance(server, company))
  await change(card, 'close')
  await report(card, 'closed', 4_000n)
  await decide(await reviewOf(card), { outcome: 'completed', receivedAmount: '40.00' })
  expect(Number(await readBalance(server, company))).toBe(before + 40)
  expect(await readCard(server, company, card.id)).toEqual({ ...card, status: 'closed', balance: '0.00' })
  expect(await updatesOf(card)).toEqual(['closed 0.00 closed'])
})

test('a freeze that is confirmed after the issuer closed the card leaves it closed', async () => {
  const card = await issueCard(server, company, { amount: '40.00', name: 'change unknown' })
  await change(card, 'freeze')
  await report(card, 'closed')
  await decide(await reviewOf(card), { outcome: 'completed' })
  expect(await readCard(server, company, card.id)).toEqual({ ...card, status: 'closed', balance: '0.00' })
})
