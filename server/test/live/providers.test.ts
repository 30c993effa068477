// Each provider behind the real kernel and a real server, with its simulator: the whole way of a card, and all books agree at the end.
import { afterEach, expect, test } from 'vitest'
import { productList, VIRTUAL_PRODUCTS } from '../../src/adapter/provider-kit/products.ts'
import type { CardProvider, HolderDetails } from '../../src/adapter/provider.ts'
import { createLithic } from '../../src/adapter/providers/lithic/lithic.ts'
import { createStripe } from '../../src/adapter/providers/stripe/stripe.ts'
import { UnreachableError } from '../../src/adapter/set-up-error.ts'
import * as atLithic from '../../src/adapter/simulators/lithic/api-calls.ts'
import * as lithicPayments from '../../src/adapter/simulators/lithic/payments.ts'
import { startLithicSimulator } from '../../src/adapter/simulators/lithic/start.ts'
import * as atStripe from '../../src/adapter/simulators/stripe/api-calls.ts'
import * as stripePayments from '../../src/adapter/simulators/stripe/payments.ts'
import { startStripeSimulator } from '../../src/adapter/simulators/stripe/start.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { must } from '../../src/lib/invariant.ts'
import { createLog } from '../../src/lib/log.ts'
import { API_KEY, DETAILS as LITHIC_DETAILS, FUNDING } from '../adapter/lithic/world.ts'
import { DETAILS as STRIPE_DETAILS, SECRET_KEY } from '../adapter/stripe/world.ts'
import { Bank } from '../adapter/kernel/bank.ts'
import { createExampleProvider } from '../adapter/kernel/example-provider.ts'
import { addHolder } from '../api/rows.ts'
import { AdapterWorld } from '../support/adapter.ts'
import type { TestCompany } from '../support/harness.ts'
import { until } from '../support/wait.ts'

let world: AdapterWorld
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await world.stop()
  for (const stop of stops.splice(0)) await stop()
})

interface Outside {
  readonly provider: CardProvider
  /** Pays 5.00 with the only card, and has it settled. */
  pay(): void
  /** Closes the only card by hand. A limit is changed before, so that it says nothing about what is left. */
  closeByHand(): void
}

const shared = (clock: Clock) => ({
  clock,
  log: createLog({ level: 'silent' }),
  host: '127.0.0.1',
  port: 0,
  controlPort: 0,
  float: 10_000_000n,
})

const virtualProducts = productList(VIRTUAL_PRODUCTS)

async function startLithic(clock: Clock, mode: 'balance' | 'limit'): Promise<Outside> {
  const options = { ...shared(clock), apiKey: API_KEY, mode, fundingAccount: FUNDING }
  const { url, world: outside, stop } = await startLithicSimulator(options)
  stops.push(stop)
  const settings = { url, apiKey: API_KEY, mode, fundingAccount: FUNDING, transferSubtype: 'CUSTOM', timeoutMs: 60_000 }
  const provider = createLithic({
    ...settings,
    cardProgram: undefined,
    physicalProducts: new Map(),
    virtualProducts,
    clock,
  })
  const pay = () => {
    const card = must([...outside.cards.keys()][0])
    const { token } = lithicPayments.purchase(outside, { card, amount: 500n })
    lithicPayments.settle(outside, token, { amount: 500n })
  }
  const closeByHand = () => {
    const card = must([...outside.cards.keys()][0])
    if (mode === 'limit') atLithic.updateCard(outside, card, { spend_limit: 100 })
    atLithic.updateCard(outside, card, { state: 'CLOSED' })
  }
  return { provider, pay, closeByHand }
}

async function startStripe(clock: Clock): Promise<Outside> {
  const { url, world: outside, stop } = await startStripeSimulator({ ...shared(clock), secretKey: SECRET_KEY })
  stops.push(stop)
  const pay = () => {
    const card = must([...outside.cards.keys()][0])
    const { id } = stripePayments.authorise(outside, { card, amount: 500n })
    stripePayments.capture(outside, id, 500n)
  }
  const closeByHand = () => {
    const card = must([...outside.cards.keys()][0])
    atStripe.updateCard(outside, card, { spending_controls: { spending_limits: [] } })
    atStripe.updateCard(outside, card, { status: 'canceled' })
  }
  const provider = createStripe({ url, secretKey: SECRET_KEY, virtualProducts, clock, timeoutMs: 60_000 })
  return { provider, pay, closeByHand }
}

const order = async (company: TestCompany, body: object) => {
  const answer = await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)
  expect(answer.status, answer.text).toBe(201)
  await until('the operation is completed', async () => {
    world.server.clock.advance(1_000)
    const { body: found } = await world.server.get<{ status: string }>(
      `/api/v1/operations/${answer.body.id}`,
      company.key,
    )
    return found.status === 'completed'
  })
}

/** Issues a card with 50.00, tops it up with 20.00, and pays 5.00 with it. */
async function issueAndPay(start: (clock: Clock) => Promise<Outside>, details: HolderDetails) {
  let outside!: Outside
  world = await AdapterWorld.start({
    async createProvider(clock) {
      outside = await start(clock)
      return outside.provider
    },
  })
  const company = await world.createCompany()
  const holderId = await addHolder(world.server, company.scope)
  const linked = await world.control('PUT', `holders/${holderId}/details`, { by: 'Ada', details })
  expect(linked.status, linked.text).toBe(200)
  await order(company, { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '50', name: 'Travel' })
  const cards = await world.server.get<{ data: { id: string }[] }>('/api/v1/cards', company.key)
  const cardId = must(cards.body.data[0]).id
  await order(company, { type: 'topup', cardId, amount: '20' })
  outside.pay()
  await until('the payment is seen', async () => {
    world.server.clock.advance(10_000)
    const path = `/api/v1/transactions?cardId=${cardId}`
    const found = await world.server.get<{ data: { amount: string; status: string }[] }>(path, company.key)
    return found.body.data.some(({ amount, status }) => amount === '-5.00' && status === 'settled')
  })
  return { outside, company, cardId }
}

const PROVIDERS: [string, (clock: Clock) => Promise<Outside>, HolderDetails][] = [
  ['Lithic with balances', (clock) => startLithic(clock, 'balance'), LITHIC_DETAILS],
  ['Lithic with limits', (clock) => startLithic(clock, 'limit'), LITHIC_DETAILS],
  ['Stripe', startStripe, STRIPE_DETAILS],
]

test.each(PROVIDERS)(
  '%s: a card is issued, topped up, paid with, frozen and closed, and every book agrees',
  async (_name, start, details) => {
    const { outside, company, cardId } = await issueAndPay(start, details)
    // While the adapter reads a card that its provider says has changed, a request about it waits.
    const change = async (what: string, wanted: string) => {
      const path = `/api/v1/cards/${cardId}`
      const answer = await world.server.post(`${path}/${what}`, company.key, {})
      expect([200, 202], answer.text).toContain(answer.status)
      await until(`the card is ${wanted}`, async () => {
        const { body } = await world.server.get<{ status: string }>(path, company.key)
        if (body.status !== wanted) world.server.clock.advance(1_000)
        return body.status === wanted
      })
    }
    await change('freeze', 'frozen')
    const theirs: unknown[] = []
    const { provider } = outside
    for await (const card of provider.listCards(() => provider.about.cardMode)) theirs.push(card.status)
    expect(theirs).toEqual(['frozen'])
    await change('unfreeze', 'active')
    const agree = async () => {
      const { body } = await world.control<{ differences: unknown[] }>('POST', 'cards/reconcile', {})
      expect(body.differences).toEqual([])
      const server = await world.server.get<{ differences: unknown[] }>(
        '/admin/v1/reconciliation',
        world.server.operatorToken,
      )
      expect(server.body.differences).toEqual([])
    }
    await agree()
    await change('close', 'closed')
    await agree()
  },
)

test.each(PROVIDERS)('%s: a card that somebody closed there gives back what is left', async (_name, start, details) => {
  const { outside, company, cardId } = await issueAndPay(start, details)
  const { server } = world
  const available = async () =>
    Number((await server.get<{ available: string }>('/api/v1/balance', company.key)).body.available)
  const before = await available()
  outside.closeByHand()
  await until('the card is closed', async () => {
    server.clock.advance(10_000)
    const { body } = await server.get<{ status: string }>(`/api/v1/cards/${cardId}`, company.key)
    return body.status === 'closed'
  })
  expect((await available()) - before).toBe(65)
})

test('a provider that does not answer when the adapter starts delays requests, and nothing else', async () => {
  const bank = new Bank()
  let isDown = true
  world = await AdapterWorld.start({
    async createProvider() {
      const example = createExampleProvider(bank)
      const check = async () => {
        if (isDown) throw new UnreachableError('It does not answer.')
      }
      return { ...example, check }
    },
  })
  const state = await world.server.get<{ isAnswering: boolean }>('/admin/v1/issuer', world.server.operatorToken)
  expect(state.body.isAnswering).toBe(true)
  isDown = false
  const company = await world.createCompany()
  const holderId = await addHolder(world.server, company.scope)
  await order(company, { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '50', name: 'Travel' })
})
