// Following what happens at Stripe: nothing is lost or invented, whatever the order, the number and the age of the events.
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { CardProvider, ProviderEvent } from '../../../src/adapter/provider.ts'
import { EVENTS_KEPT_S, OVERLAP_S } from '../../../src/adapter/providers/stripe/poll.ts'
import { CAPTURES_SETTLE_S } from '../../../src/adapter/providers/stripe/transactions.ts'
import { updateCard } from '../../../src/adapter/simulators/stripe/api-calls.ts'
import { setEvents } from '../../../src/adapter/simulators/kit/behaviour.ts'
import * as payments from '../../../src/adapter/simulators/stripe/payments.ts'
import { transmit } from '../../../src/issuer/http/transmit.ts'
import { must } from '../../../src/lib/invariant.ts'
import { StripeWorld } from './world.ts'

const stripe = await StripeWorld.start()
afterAll(() => stripe.stop())
const { world, clock } = stripe
const { id, providerId: card } = await stripe.card('1000.00')

/** As the kernel: stores each event once, by its id, together with the cursor. */
class Follower {
  readonly stored = new Map<string, ProviderEvent>()
  readonly provider: CardProvider
  cursor = ''

  private constructor(provider: CardProvider) {
    this.provider = provider
  }

  static async start(provider = stripe.createProvider()): Promise<Follower> {
    const follower = new Follower(provider)
    follower.cursor = (await provider.poll(undefined)).cursor
    return follower
  }

  /** Polls until there is no more. Returns what was new. */
  async poll(): Promise<ProviderEvent[]> {
    const fresh: ProviderEvent[] = []
    for (;;) {
      const { events, cursor, isMore } = await this.provider.poll(this.cursor)
      fresh.push(...events.filter((event) => !this.stored.has(event.id)))
      for (const event of events) this.stored.set(event.id, event)
      this.cursor = cursor
      if (!isMore) return fresh
    }
  }

  /** The same when the captures that were made are no longer early. */
  pollLater(): Promise<ProviderEvent[]> {
    clock.advance((CAPTURES_SETTLE_S + 1) * 1000)
    return this.poll()
  }
}

const statesOf = (events: readonly ProviderEvent[]) =>
  events.map((event) =>
    event.kind === 'transaction' ? `${event.transaction.status} ${event.transaction.amount}` : 'card',
  )
/** The same with the id under which each is recorded. */
const recordsOf = (events: readonly ProviderEvent[]) =>
  events.map((event) =>
    event.kind === 'transaction'
      ? `${event.transaction.transactionId} ${event.transaction.type} ${event.transaction.status} ${event.transaction.amount}`
      : 'card',
  )

let follower: Follower
beforeEach(async () => {
  setEvents(world, { mode: 'normal', lose: false, withhold: false })
  clock.advance(2 * OVERLAP_S * 1000)
  follower = await Follower.start()
})

test('a payment is reported in each of its states, always with the same id', async () => {
  const { id: payment } = payments.authorise(world, { card, amount: 500n, name: 'SQ *SOMA EATS' })
  const time = new Date(world.now() * 1000).toISOString()
  const [event] = await follower.poll()
  expect(event).toEqual({
    kind: 'transaction',
    id: `${payment}:pending:-5.00`,
    providerCardId: card,
    createdAt: time,
    transaction: {
      transactionId: payment,
      type: 'purchase',
      status: 'pending',
      amount: '-5.00',
      currency: 'USD',
      merchant: 'SQ *SOMA EATS',
      country: 'US',
      merchantCategory: '5812',
      occurredAt: time,
    },
  })
  clock.advance(60_000)
  // The merchant captures more than was authorised, such as with a tip.
  payments.capture(world, payment, 650n)
  expect(recordsOf(await follower.pollLater())).toEqual([`${payment} purchase settled -6.50`])
  expect(await follower.poll()).toEqual([])
})

test.each(['reversed', 'expired'] as const)('a payment that is %s keeps its amount', async (status) => {
  const { id: payment } = payments.authorise(world, { card, amount: 500n })
  await follower.poll()
  clock.advance(60_000)
  payments.end(world, payment, status)
  const [event] = await follower.poll()
  expect(event).toMatchObject({ transaction: { transactionId: payment, status, amount: '-5.00', type: 'purchase' } })
  expect(event?.createdAt).toBe(new Date(world.now() * 1000).toISOString())
})

test('a payment that the card cannot pay is declined, and a capture of it is recorded on its own', async () => {
  const { id: payment } = payments.authorise(world, { card, amount: 999_999n })
  const declined = await follower.poll()
  expect(recordsOf(declined)).toEqual([`${payment} purchase declined -9999.99`])
  expect(declined).toMatchObject([{ transaction: { description: 'Spending controls' } }])
  const forced = payments.capture(world, payment, 100n)
  expect(recordsOf(await follower.pollLater())).toEqual([`${forced.id} purchase settled -1.00`])
})

test('each further capture is a payment of its own', async () => {
  const { id: payment } = payments.authorise(world, { card, amount: 900n })
  payments.capture(world, payment, 400n)
  expect(recordsOf(await follower.pollLater())).toEqual([`${payment} purchase settled -4.00`])
  clock.advance(60_000)
  const second = payments.capture(world, payment, 500n)
  expect(recordsOf(await follower.pollLater())).toEqual([`${second.id} purchase settled -5.00`])
})

test('two captures of one second are reported together, so that the first one stays the first', async () => {
  const { id: payment } = payments.authorise(world, { card, amount: 900n })
  const first = payments.capture(world, payment, 400n)
  expect(await follower.poll()).toEqual([])
  const second = payments.capture(world, payment, 500n)
  expect(second.created).toBe(first.created)
  // By id, because Stripe says no more about their order.
  const [one, other] = [first, second].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const amount = (capture: typeof one) => (capture?.amount === -400n ? '-4.00' : '-5.00')
  const records = [`${payment} purchase settled ${amount(one)}`, `${other?.id} purchase settled ${amount(other)}`]
  expect(recordsOf(await follower.pollLater())).toEqual(records)
  expect(await follower.pollLater()).toEqual([])
})

test('a capture after a reversal is a payment of its own, because a reversed one is over', async () => {
  const { id: payment } = payments.authorise(world, { card, amount: 500n })
  payments.end(world, payment, 'reversed')
  await follower.poll()
  clock.advance(3_600_000)
  const late = payments.capture(world, payment, 500n)
  const found = await follower.pollLater()
  expect(recordsOf(found)).toContain(`${late.id} purchase settled -5.00`)
  expect(recordsOf(found)).not.toContain(`${payment} purchase settled -5.00`)
  expect(follower.stored.get(`${payment}:reversed:-5.00`)).toBeDefined()
})

test('a capture and a refund without an authorization are payments of their own', async () => {
  const forced = payments.forceCapture(world, { card, amount: 300n, mcc: '6011' })
  const given = payments.refund(world, { card, amount: 200n })
  const taken = payments.refund(world, { card, amount: -200n })
  expect(recordsOf(await follower.poll())).toEqual([
    `${forced.id} withdrawal settled -3.00`,
    `${given.id} refund settled 2.00`,
    `${taken.id} adjustment settled -2.00`,
  ])
})

test('a refund that is linked to a payment does not change it', async () => {
  const { id: payment } = payments.authorise(world, { card, amount: 500n })
  payments.capture(world, payment, 500n)
  await follower.pollLater()
  const given = payments.refund(world, { card, authorization: payment, amount: 500n })
  expect(recordsOf(await follower.poll())).toEqual([`${given.id} refund settled 5.00`])
})

test('a capture after the card was canceled is reported', async () => {
  const other = await stripe.card('25.00')
  const { id: payment } = payments.authorise(world, { card: other.providerId, amount: 500n })
  await stripe.run(stripe.setStatus(other.id, 'closed'))
  await follower.poll()
  payments.capture(world, payment, 600n)
  expect(recordsOf(await follower.pollLater())).toEqual([`${payment} purchase settled -6.00`])
})

test('a payment in another currency has both amounts, also one without decimals', async () => {
  payments.authorise(world, { card, amount: 700n, merchantAmount: 1_000n, currency: 'jpy', country: 'JP' })
  payments.forceCapture(world, { card, amount: 700n, merchantAmount: 650n, currency: 'eur', country: 'DE' })
  const found = await follower.poll()
  expect(found).toMatchObject([
    { transaction: { amount: '-1000.00', currency: 'JPY', cardAmount: '-7.00', country: 'JP' } },
    { transaction: { amount: '-6.50', currency: 'EUR', cardAmount: '-7.00', country: 'DE' } },
  ])
})

// Stripe differs from ISO 4217 for the last three.
test.each([
  ['RSD', '-12.00'],
  ['IDR', '-12.00'],
  ['HUF', '-12.00'],
  ['JPY', '-1200.00'],
  ['KWD', '-1.20'],
  ['EUR', '-12.00'],
  ['ISK', '-12.00'],
  ['UGX', '-12.00'],
  ['MGA', '-1200.00'],
])('1200 of the smallest unit of %s are %s', async (currency, amount) => {
  payments.forceCapture(world, { card, amount: 700n, merchantAmount: 1_200n, currency: currency.toLowerCase() })
  expect(await follower.poll()).toMatchObject([{ transaction: { amount, currency, cardAmount: '-7.00' } }])
})

test('a card that is only checked is a verification', async () => {
  payments.authorise(world, { card, amount: 0n })
  expect(await follower.poll()).toMatchObject([{ transaction: { type: 'verification', amount: '0.00' } }])
})

test('events of one second, before and after a poll, are all reported', async () => {
  payments.authorise(world, { card, amount: 100n })
  expect(await follower.poll()).toHaveLength(1)
  payments.authorise(world, { card, amount: 200n })
  payments.authorise(world, { card, amount: 300n })
  expect(statesOf(await follower.poll())).toEqual(['pending -2.00', 'pending -3.00'])
  expect(await follower.poll()).toEqual([])
})

test('an event that becomes visible after later ones is reported', async () => {
  payments.authorise(world, { card, amount: 111n })
  const late = world.events.splice(-1)
  clock.advance(OVERLAP_S * 500)
  payments.authorise(world, { card, amount: 222n })
  expect(statesOf(await follower.poll())).toEqual(['pending -2.22'])
  world.events.push(...late)
  expect(statesOf(await follower.poll())).toEqual(['pending -1.11'])
})

test.each(['repeated', 'reordered'] as const)('events that are %s change nothing', async (mode) => {
  setEvents(world, { mode })
  const { id: payment } = payments.authorise(world, { card, amount: 500n })
  payments.capture(world, payment, 500n)
  payments.refund(world, { card, amount: 100n })
  expect(statesOf(await follower.pollLater()).toSorted()).toEqual(['settled -5.00', 'settled 1.00'])
  expect(await follower.poll()).toEqual([])
})

test('what Stripe no longer has as events is read from the payments themselves', async () => {
  const open = payments.authorise(world, { card, amount: 100n })
  const before = payments.authorise(world, { card, amount: 150n })
  await follower.poll()
  clock.advance(86_400_000)
  // The follower goes on, so that the two are older than what it reads again.
  payments.authorise(world, { card, amount: 1n })
  await follower.poll()
  clock.advance(1_000)
  payments.capture(world, open.id, 100n)
  payments.end(world, before.id, 'expired')
  const late = payments.authorise(world, { card, amount: 200n })
  const given = payments.refund(world, { card, amount: 300n })
  // The adapter was stopped. Stripe has no event of all this any more.
  clock.advance(40 * 86_400_000)
  const recent = payments.authorise(world, { card, amount: 400n })
  const found = await follower.poll()
  expect(recordsOf(found)).toEqual(
    expect.arrayContaining([
      `${open.id} purchase settled -1.00`,
      `${before.id} purchase expired -1.50`,
      `${late.id} purchase pending -2.00`,
      `${given.id} refund settled 3.00`,
      `${recent.id} purchase pending -4.00`,
    ]),
  )
  expect(found).toContainEqual(expect.objectContaining({ kind: 'card_status', providerCardId: card }))
  expect(EVENTS_KEPT_S).toBeLessThan(30 * 86_400)
  payments.authorise(world, { card, amount: 500n })
  expect(statesOf(await follower.poll())).toEqual(['pending -5.00'])
})

test('what was reported and not stored is reported again', async () => {
  payments.authorise(world, { card, amount: 500n })
  const first = await follower.provider.poll(follower.cursor)
  expect(first.events).toHaveLength(1)
  // The kernel could not store it, and asks again with the cursor that it has.
  expect((await follower.provider.poll(follower.cursor)).events).toEqual(first.events)
  expect(await (await Follower.start()).provider.poll(first.cursor)).toMatchObject({ events: first.events })
})

test('what was stored is not read again with every poll', async () => {
  payments.authorise(world, { card, amount: 500n })
  await follower.poll()
  const before = stripe.calls('readAuthorization')
  await follower.poll()
  expect(stripe.calls('readAuthorization')).toBe(before)
})

test('more events than one poll reads are all reported, once', async () => {
  for (let made = 0; made < 230; made += 1) payments.authorise(world, { card, amount: 1n })
  const found = await follower.poll()
  expect(new Set(found.map((event) => event.id)).size).toBe(230)
  expect(found).toHaveLength(230)
  expect(await follower.poll()).toEqual([])
})

test('a time with too many events is read in parts', async () => {
  payments.authorise(world, { card, amount: 100n })
  clock.advance(3_600_000)
  payments.authorise(world, { card, amount: 200n })
  let made = 0
  const provider = stripe.createProvider({
    transmit: async (outgoing) => {
      if (!outgoing.path.startsWith('/v1/events')) return transmit(outgoing)
      const query = new URL(outgoing.path, outgoing.origin).searchParams
      const span = Number(query.get('created[lte]') ?? world.now()) - Number(query.get('created[gte]'))
      if (span < 3_600) return transmit(outgoing)
      made += 1
      const object = { id: card, object: 'issuing.card' }
      const event = { id: `evt_${made}`, created: world.now(), type: 'issuing_card.updated', data: { object } }
      return { kind: 'answered', status: 200, headers: {}, body: JSON.stringify({ data: [event], has_more: true }) }
    },
  })
  const first = await provider.poll(follower.cursor)
  expect(statesOf(first.events)).toEqual(['pending -1.00'])
  expect(first.isMore).toBe(true)
  expect(statesOf((await provider.poll(first.cursor)).events)).toEqual(['pending -2.00'])
})

test('after a failure in between, the poll goes on where it was', async () => {
  for (const amount of [100n, 200n, 300n]) payments.authorise(world, { card, amount })
  let reads = 0
  const provider = stripe.createProvider({
    transmit: async (outgoing) => {
      if (!outgoing.path.startsWith('/v1/issuing/authorizations/')) return transmit(outgoing)
      reads += 1
      // The second and the third read of a payment are throttled.
      return reads === 2 || reads === 3
        ? { kind: 'answered', status: 429, headers: {}, body: '{}' }
        : transmit(outgoing)
    },
  })
  const first = await provider.poll(follower.cursor)
  expect(first).toMatchObject({ isMore: true })
  await expect(provider.poll(first.cursor)).rejects.toThrow('throttles')
  const rest = await provider.poll(first.cursor)
  expect(statesOf([...first.events, ...rest.events])).toEqual(['pending -1.00', 'pending -2.00', 'pending -3.00'])
})

test('a page that is too long is asked for in smaller ones', async () => {
  for (const amount of [100n, 200n, 300n]) payments.authorise(world, { card, amount })
  const sizes: string[] = []
  const provider = stripe.createProvider({
    transmit: async (outgoing) => {
      const size = /limit=(\d+)/.exec(outgoing.path)?.[1] ?? ''
      if (outgoing.path.startsWith('/v1/events')) sizes.push(size)
      if (size === '100')
        return { kind: 'unknown', reason: 'UND_ERR_RES_EXCEEDED_MAX_SIZE: Response content exceeded max size' }
      return transmit(outgoing)
    },
  })
  expect((await provider.poll(follower.cursor)).events).toHaveLength(3)
  expect(sizes).toEqual(['100', '10'])
})

test.each(['500', '429', 'garbage', 'unfit', 'cut'] as const)(
  'events that cannot be read (%s) are an error, never nothing',
  async (mode) => {
    payments.authorise(world, { card, amount: 500n })
    stripe.behave('listEvents', mode)
    await expect(follower.poll()).rejects.toThrow('The events of Stripe cannot be read')
    stripe.behave('readAuthorization', mode)
    await expect(follower.poll()).rejects.toThrow('cannot be read at Stripe')
    expect(await follower.poll()).toHaveLength(1)
  },
)

test('a cursor of somebody else is refused', async () => {
  await expect(stripe.provider.poll('2026-01-01T00:00:00.000Z/1')).rejects.toThrow('cursor')
})

test('a card that somebody changes is reported, and read', async () => {
  const read = () => stripe.provider.readCard(must(stripe.objects.get(id)))
  updateCard(world, card, { status: 'inactive' })
  expect(await follower.poll()).toMatchObject([{ kind: 'card_status', providerCardId: card }])
  expect(await read()).toMatchObject({ providerId: card, status: 'frozen' })
  updateCard(world, card, { status: 'active' })
  await follower.poll()
  expect(await read()).toMatchObject({ status: 'active' })
  await stripe.run(stripe.topUp(id))
  expect(await read()).toMatchObject({ amount: 101_000n, mode: 'limit' })
})
