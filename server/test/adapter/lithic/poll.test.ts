// Following what happens at Lithic: nothing is lost or invented, whatever the order, the number and the time of the events.
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { CardProvider, ProviderEvent } from '../../../src/adapter/provider.ts'
import { OVERLAP_MS } from '../../../src/adapter/providers/lithic/poll.ts'
import { setEvents } from '../../../src/adapter/simulators/kit/behaviour.ts'
import { updateCard } from '../../../src/adapter/simulators/lithic/api-calls.ts'
import * as payments from '../../../src/adapter/simulators/lithic/payments.ts'
import { transmit } from '../../../src/issuer/http/transmit.ts'
import { must } from '../../../src/lib/invariant.ts'
import { LithicWorld } from './world.ts'

const lithic = await LithicWorld.start()
afterAll(() => lithic.stop())
const { world, clock } = lithic
const { id, providerId: card } = await lithic.card('1000.00')

/** As the kernel: stores each event once, by its id, together with the cursor. */
class Follower {
  readonly stored = new Map<string, ProviderEvent>()
  readonly provider: CardProvider
  cursor = ''

  private constructor(provider: CardProvider) {
    this.provider = provider
  }

  static async start(provider = lithic.createProvider()): Promise<Follower> {
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
}

const statesOf = (events: readonly ProviderEvent[]) =>
  events.map((event) =>
    event.kind === 'transaction' ? `${event.transaction.status} ${event.transaction.amount}` : 'card',
  )

let follower: Follower
beforeEach(async () => {
  setEvents(world, { mode: 'normal', lose: false, withhold: false })
  clock.advance(2 * OVERLAP_MS)
  follower = await Follower.start()
})

test('a payment is reported in each of its states, always with the same id', async () => {
  const { token } = payments.purchase(world, { card, amount: 500n, descriptor: 'SQ *SOMA EATS' })
  const [event] = await follower.poll()
  expect(event).toEqual({
    kind: 'transaction',
    id: `${token}:pending:-5.00`,
    providerCardId: card,
    createdAt: clock.now().toISOString(),
    transaction: {
      transactionId: token,
      type: 'purchase',
      status: 'pending',
      amount: '-5.00',
      currency: 'USD',
      merchant: 'SQ *SOMA EATS',
      country: 'US',
      merchantCategory: '5812',
      occurredAt: clock.now().toISOString(),
    },
  })
  clock.advance(60_000)
  payments.settle(world, token, { amount: 650n })
  expect(statesOf(await follower.poll())).toEqual(['settled -6.50'])
  expect(await follower.poll()).toEqual([])
})

test('a payment that expired and settles afterwards is reported as settled', async () => {
  const { token } = payments.purchase(world, { card, amount: 500n })
  await follower.poll()
  payments.expire(world, token)
  expect(statesOf(await follower.poll())).toEqual(['expired -5.00'])
  payments.settle(world, token, { amount: 500n })
  expect(statesOf(await follower.poll())).toEqual(['settled -5.00'])
})

test('events of one millisecond, before and after a poll, are all reported', async () => {
  payments.purchase(world, { card, amount: 100n })
  expect(await follower.poll()).toHaveLength(1)
  payments.purchase(world, { card, amount: 200n })
  payments.purchase(world, { card, amount: 300n })
  expect(statesOf(await follower.poll())).toEqual(['pending -2.00', 'pending -3.00'])
  expect(await follower.poll()).toEqual([])
})

test('an event that becomes visible after later ones is reported', async () => {
  setEvents(world, { withhold: true })
  payments.purchase(world, { card, amount: 111n })
  setEvents(world, { withhold: false })
  const [late] = world.events.splice(-1)
  clock.advance(OVERLAP_MS / 2)
  payments.purchase(world, { card, amount: 222n })
  expect(statesOf(await follower.poll())).toEqual(['pending -2.22'])
  if (late !== undefined) world.events.push(late)
  expect(statesOf(await follower.poll())).toEqual(['pending -1.11'])
})

test.each(['repeated', 'reordered'] as const)('events that are %s change nothing', async (mode) => {
  setEvents(world, { mode })
  const { token } = payments.purchase(world, { card, amount: 500n })
  payments.settle(world, token, { amount: 500n })
  payments.refund(world, { card, amount: 100n })
  expect(statesOf(await follower.poll()).toSorted()).toEqual(['settled -5.00', 'settled 1.00'])
  expect(await follower.poll()).toEqual([])
})

test('a lost event is made up for by the next one of the same payment', async () => {
  setEvents(world, { lose: true })
  const { token } = payments.purchase(world, { card, amount: 500n })
  setEvents(world, { lose: false })
  expect(await follower.poll()).toEqual([])
  payments.settle(world, token, { amount: 500n })
  expect(statesOf(await follower.poll())).toEqual(['settled -5.00'])
})

test('what was reported and not stored is reported again', async () => {
  payments.purchase(world, { card, amount: 500n })
  const first = await follower.provider.poll(follower.cursor)
  expect(first.events).toHaveLength(1)
  // The kernel could not store it, and asks again with the cursor that it has.
  expect((await follower.provider.poll(follower.cursor)).events).toEqual(first.events)
  expect(await (await Follower.start()).provider.poll(first.cursor)).toMatchObject({ events: first.events })
})

test('what was stored is not read again with every poll', async () => {
  payments.purchase(world, { card, amount: 500n })
  await follower.poll()
  const before = lithic.calls('readTransaction')
  await follower.poll()
  await follower.poll()
  expect(lithic.calls('readTransaction')).toBe(before)
})

test('more events than one poll reads are all reported, once', async () => {
  for (let made = 0; made < 230; made += 1) {
    payments.purchase(world, { card, amount: 1n })
    if (made % 100 === 0) clock.advance(1)
  }
  clock.advance(OVERLAP_MS)
  const found = await follower.poll()
  expect(new Set(found.map((event) => event.id)).size).toBe(230)
  expect(found).toHaveLength(230)
  expect(await follower.poll()).toEqual([])
})

test('a time with too many events is read in parts', async () => {
  payments.purchase(world, { card, amount: 100n })
  clock.advance(3_600_000)
  payments.purchase(world, { card, amount: 200n })
  const ends = new Set<string>()
  let made = 0
  const provider = lithic.createProvider({
    transmit: async (outgoing) => {
      if (!outgoing.path.startsWith('/v1/events')) return transmit(outgoing)
      const query = new URL(outgoing.path, outgoing.origin).searchParams
      const spanMs = Date.parse(query.get('end') ?? clock.now().toISOString()) - Date.parse(query.get('begin') ?? '')
      ends.add(query.get('end') ?? 'none')
      if (spanMs < 3_600_000) return transmit(outgoing)
      made += 1
      const event = {
        token: `msg_${made}`,
        created: clock.now().toISOString(),
        event_type: 'card.created',
        payload: {},
      }
      return { kind: 'answered', status: 200, headers: {}, body: JSON.stringify({ data: [event], has_more: true }) }
    },
  })
  const first = await provider.poll(follower.cursor)
  expect(statesOf(first.events)).toEqual(['pending -1.00'])
  expect(first.isMore).toBe(true)
  expect(ends.size).toBe(2)
  expect(statesOf((await provider.poll(first.cursor)).events)).toEqual(['pending -2.00'])
})

test('after a failure in between, the poll goes on where it was', async () => {
  for (const amount of [100n, 200n, 300n]) payments.purchase(world, { card, amount })
  let reads = 0
  const provider = lithic.createProvider({
    transmit: async (outgoing) => {
      if (outgoing.path.startsWith('/v1/transactions/')) reads += 1
      // The second and the third read of a payment are throttled.
      if (outgoing.path.startsWith('/v1/transactions/') && (reads === 2 || reads === 3)) {
        return { kind: 'answered', status: 429, headers: {}, body: '{}' }
      }
      return transmit(outgoing)
    },
  })
  const first = await provider.poll(follower.cursor)
  expect(first).toMatchObject({ isMore: true })
  expect(first.events).toHaveLength(1)
  await expect(provider.poll(first.cursor)).rejects.toThrow('throttles')
  const rest = await provider.poll(first.cursor)
  expect(statesOf([...first.events, ...rest.events]).toSorted()).toEqual([
    'pending -1.00',
    'pending -2.00',
    'pending -3.00',
  ])
})

test('a page that is too long is asked for in smaller ones', async () => {
  for (const amount of [100n, 200n, 300n]) payments.purchase(world, { card, amount })
  const sizes: string[] = []
  const provider = lithic.createProvider({
    transmit: async (outgoing) => {
      const size = /page_size=(\d+)/.exec(outgoing.path)?.[1] ?? ''
      if (outgoing.path.startsWith('/v1/events')) sizes.push(size)
      if (size === '50')
        return { kind: 'unknown', reason: 'UND_ERR_RES_EXCEEDED_MAX_SIZE: Response content exceeded max size' }
      return transmit(outgoing)
    },
  })
  expect((await provider.poll(follower.cursor)).events).toHaveLength(3)
  expect(sizes).toEqual(['50', '5'])
})

test.each(['500', '429', 'garbage', 'unfit', 'cut'] as const)(
  'events that cannot be read (%s) are an error, never nothing',
  async (mode) => {
    payments.purchase(world, { card, amount: 500n })
    lithic.behave('listEvents', mode)
    await expect(follower.poll()).rejects.toThrow('The events of Lithic cannot be read')
    lithic.behave('readTransaction', mode)
    await expect(follower.poll()).rejects.toThrow('cannot be read at Lithic')
    expect(await follower.poll()).toHaveLength(1)
  },
)

test('the first poll begins now', async () => {
  payments.purchase(world, { card, amount: 500n })
  clock.advance(2 * OVERLAP_MS)
  const first = await lithic.provider.poll(undefined)
  expect(first).toMatchObject({ events: [], isMore: false })
  expect(await lithic.provider.poll(first.cursor)).toMatchObject({ events: [] })
})

test('a cursor of somebody else is refused', async () => {
  await expect(lithic.provider.poll('msg_1')).rejects.toThrow('cursor')
})

test('a card that somebody changes is reported, and read', async () => {
  const read = () => lithic.provider.readCard(must(lithic.objects.get(id)))
  updateCard(world, card, { state: 'PAUSED' })
  expect(await follower.poll()).toMatchObject([{ kind: 'card_status', providerCardId: card }])
  expect(await read()).toMatchObject({ providerId: card, status: 'frozen' })
  updateCard(world, card, { state: 'OPEN' })
  expect(await follower.poll()).toMatchObject([{ kind: 'card_status', providerCardId: card }])
  expect(await read()).toMatchObject({ status: 'active' })
  await lithic.run(lithic.topUp(id))
  expect(await follower.poll()).toEqual([])
})
