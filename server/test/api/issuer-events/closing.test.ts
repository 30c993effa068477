// What returns to the card account when a card is closed while the issuer knows of money that it has not reported yet. Whatever the order of
// its reports, each cent returns once.
import { afterEach, expect, it } from 'vitest'
import { findId } from '../../../src/lib/ids.ts'
import { expectError } from '../expect-error.ts'
import { expectSoundLedger, resolve } from '../../support/invoices.ts'
import { until } from '../../support/wait.ts'
import { LOOK_UP_DELAY_MS, startWorld } from './world.ts'

const { world, company, holderId, events } = await startWorld()
afterEach(async () => {
  await world.behave('all', 'normal')
  await expectSoundLedger(world.server)
})

const BALANCE = 2_100

async function order(body: object): Promise<string> {
  return (await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)).body.id
}
/** Returns a card with 21.00. */
async function issue(): Promise<string> {
  const id = await order({ type: 'issue', productId: 'prod_card_virtual', amount: '21', holderId })
  const { result } = await world.waitForOperation(company, id, 'completed')
  return (result as { cardId: string }).cardId
}
const centsOf = (amount: string) => Number(amount.replace('.', ''))
const readAvailable = async () =>
  centsOf((await world.server.get<{ available: string }>('/api/v1/balance', company.key)).body.available)
const readCard = async (id: string) =>
  (await world.server.get<{ status: string; balance: string }>(`/api/v1/cards/${id}`, company.key)).body

const close = (card: string, balance?: string) =>
  events.send({
    type: 'card.status',
    data: { cardId: card, status: 'closed', ...(balance === undefined ? {} : { balance }) },
  })
const pay = (card: string, id: string, status: string, amount: string) =>
  events.send({
    type: 'card.transaction',
    data: {
      cardId: card,
      transactionId: `${id} of ${card}`,
      type: amount.startsWith('-') ? 'purchase' : 'refund',
      status,
      amount,
      currency: 'USD',
      occurredAt: world.server.clock.now().toISOString(),
    },
  })
const expectTaken = async (answer: ReturnType<typeof events.send>) => expect((await answer).status).toBe(200)

/** Orders a top-up of 30.00 that the issuer carries out. Its answer is lost, and comes as an event. */
async function topUpUnanswered(card: string) {
  await world.behave('all', 'fail', { times: 1 })
  const topUp = await order({ type: 'topup', amount: '30', cardId: card })
  const token = findId('op', topUp)
  const lookUpAt = new Date(world.server.clock.now().getTime() + LOOK_UP_DELAY_MS)
  await until('its look-up is planned', async () =>
    world.server.db.find({
      name: undefined,
      text: 'select id from issuer_request where company_id = $1 and id = $2 and due_at >= $3',
      values: [company.id, token, lookUpAt],
    }),
  )
  const { fee } = (await world.server.get<{ fee: string }>(`/api/v1/operations/${topUp}`, company.key)).body
  const data = { token, kind: 'topup', amount: '30.00', receipt: 'R-1' }
  return { fee: centsOf(fee), confirm: () => events.send({ type: 'operation.completed', data }) }
}

/** Begins a change whose answer is lost, and returns its token. */
async function changeUnanswered(card: string, action: 'freeze' | 'close'): Promise<string> {
  await world.behave('all', 'fail', { times: 1 })
  expect((await world.server.post(`/api/v1/cards/${card}/${action}`, company.key)).status).toBe(202)
  const row = await world.server.db.find<{ id: string }>({
    name: undefined,
    text: 'select id from card_change where company_id = $1 and card_id = $2',
    values: [company.id, findId('card', card)],
  })
  return row?.id ?? ''
}

it('a payment that was reversed before the close, and is reported after it, returns once', async () => {
  const card = await issue()
  const before = await readAvailable()
  await expectTaken(pay(card, 'a', 'pending', '-15.00'))
  // The issuer has the reversal already.
  await expectTaken(close(card, '21.00'))
  expect((await readAvailable()) - before).toBe(BALANCE - 1_500)
  await expectTaken(pay(card, 'a', 'reversed', '-15.00'))
  await expectTaken(pay(card, 'a', 'reversed', '-15.00'))
  expect((await readAvailable()) - before).toBe(BALANCE)
})

it('a refund from before the close, and reported after it, returns once', async () => {
  const card = await issue()
  const before = await readAvailable()
  await expectTaken(close(card, '25.00'))
  await expectTaken(pay(card, 'a', 'settled', '4.00'))
  expect((await readAvailable()) - before).toBe(BALANCE + 400)
})

it('a payment from before the close, and reported after it, returns when it is reversed', async () => {
  const card = await issue()
  const before = await readAvailable()
  await expectTaken(close(card, '11.00'))
  expect(await readCard(card)).toMatchObject({ status: 'closed', balance: '0.00' })
  await expectTaken(pay(card, 'a', 'pending', '-10.00'))
  expect((await readAvailable()) - before).toBe(1_100)
  await expectTaken(pay(card, 'a', 'reversed', '-10.00'))
  expect((await readAvailable()) - before).toBe(BALANCE)
})

it('a payment that nothing had been kept for returns nothing when it is reversed', async () => {
  const card = await issue()
  const before = await readAvailable()
  await expectTaken(close(card, '11.00'))
  await expectTaken(pay(card, 'a', 'settled', '-10.00'))
  await expectTaken(pay(card, 'b', 'pending', '-10.00'))
  await expectTaken(pay(card, 'b', 'reversed', '-10.00'))
  expect((await readAvailable()) - before).toBe(1_100)
  expect(await readCard(card)).toMatchObject({ status: 'closed', balance: '0.00' })
})

it('a reversed payment does not return what another payment took before the close', async () => {
  const card = await issue()
  const before = await readAvailable()
  await expectTaken(pay(card, 'a', 'pending', '-21.00'))
  // The first payment was reversed, and a second one took the money again.
  await expectTaken(close(card, '0.00'))
  await expectTaken(pay(card, 'b', 'settled', '-21.00'))
  await expectTaken(pay(card, 'a', 'reversed', '-21.00'))
  expect((await readAvailable()) - before).toBe(0)
})

it('a top-up that was carried out before the issuer closed the card returns once', async () => {
  const card = await issue()
  const before = await readAvailable()
  const topUp = await topUpUnanswered(card)
  await expectTaken(close(card, '51.00'))
  await expectTaken(topUp.confirm())
  expect((await readAvailable()) - before).toBe(BALANCE - topUp.fee)
})

it('a top-up does not return what a payment took of it before the close', async () => {
  const card = await issue()
  const before = await readAvailable()
  const topUp = await topUpUnanswered(card)
  // The card had 51.00, and the payment took 30.00 of them.
  await expectTaken(close(card, '21.00'))
  await expectTaken(pay(card, 'a', 'settled', '-30.00'))
  await expectTaken(topUp.confirm())
  // The top-up was paid from the account, and the payment took it.
  expect((await readAvailable()) - before).toBe(BALANCE - 3_000 - topUp.fee)
  await expectTaken(pay(card, 'b', 'settled', '5.00'))
  expect((await readAvailable()) - before).toBe(BALANCE - 3_000 - topUp.fee + 500)
})

it('a payment that a refund or a top-up paid for, and that is reported before them, leaves no more than is left', async () => {
  const card = await issue()
  const topUp = await topUpUnanswered(card)
  await expectTaken(pay(card, 'a', 'settled', '-60.00'))
  expect(await readCard(card)).toMatchObject({ balance: '0.00' })
  await expectTaken(pay(card, 'b', 'settled', '20.00'))
  expect(await readCard(card)).toMatchObject({ balance: '0.00' })
  await expectTaken(topUp.confirm())
  expect(await readCard(card)).toMatchObject({ balance: '11.00' })
  const before = await readAvailable()
  await expectTaken(close(card))
  expect((await readAvailable()) - before).toBe(1_100)
})

it('the reversal of a payment that took more than the card had returns it whole', async () => {
  const card = await issue()
  await expectTaken(pay(card, 'a', 'pending', '-30.00'))
  await expectTaken(pay(card, 'b', 'settled', '4.00'))
  await expectTaken(pay(card, 'a', 'reversed', '-30.00'))
  expect(await readCard(card)).toMatchObject({ balance: '25.00' })
})

it('a close that the issuer reported by itself before it was confirmed says what it returned, once', async () => {
  const card = await issue()
  const before = await readAvailable()
  const token = await changeUnanswered(card, 'close')
  await expectTaken(close(card, '11.00'))
  await expectTaken(
    events.send({ type: 'card.status', data: { token, cardId: card, status: 'closed', balance: '11.00' } }),
  )
  expect((await readAvailable()) - before).toBe(1_100)
  const { data } = (await world.server.get<{ data: object[] }>(`/api/v1/cards/${card}/changes`, company.key)).body
  expect(data).toMatchObject([{ status: 'completed', returnedAmount: '11.00' }])
})

it('an operator cannot return more than the card has here', async () => {
  const card = await issue()
  const before = await readAvailable()
  const id = `chg_${(await changeUnanswered(card, 'close')).replaceAll('-', '')}`
  const decide = (receivedAmount: string) => resolve(world.server, id, { outcome: 'completed', receivedAmount })
  world.server.clock.advance(LOOK_UP_DELAY_MS)
  await until('the close is in review', async () => {
    const { status } = await world.server.get(`/admin/v1/reviews/${id}`, world.server.operatorToken)
    return status === 200
  })
  const refused = await decide('21.01')
  expectError(refused, 'validation_failed')
  expect(refused.body).toMatchObject({ param: 'receivedAmount', message: expect.stringContaining('the 21.00 USD') })
  expect((await decide('20.00')).body).toMatchObject({ status: 'completed', returnedAmount: '20.00' })
  expect((await readAvailable()) - before).toBe(2_000)
})

it('a block that the issuer reported stays when the company’s earlier change is confirmed late', async () => {
  const card = await issue()
  const token = await changeUnanswered(card, 'freeze')
  await expectTaken(events.send({ type: 'card.status', data: { cardId: card, status: 'blocked' } }))
  await expectTaken(events.send({ type: 'card.status', data: { token, cardId: card, status: 'frozen' } }))
  expect(await readCard(card)).toMatchObject({ status: 'blocked' })
  expect(await readCard(card)).toEqual(expect.not.objectContaining({ pendingStatus: expect.anything() }))
})
