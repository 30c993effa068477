// Issuing a card at Lithic: the holder, the card, the transfer; and what becomes of each when its answer is lost or refused.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { formatId } from '../../../src/lib/ids.ts'
import { holderSubject, moneySubject, statusSubject } from '../../../src/adapter/provider.ts'
import { must } from '../../../src/lib/invariant.ts'
import { DETAILS, factsOf, FUNDING, LithicWorld, SHORT_TIMEOUT_MS } from './world.ts'

const lithic = await LithicWorld.start()
afterAll(() => lithic.stop())
beforeEach(() => {
  must(lithic.world.accounts.get(FUNDING)).total = 1_000_000n
})

test('a card is made with its holder, gets its money, and its last four digits are answered', async () => {
  const request = lithic.issue({ amount: '25.00' })
  const { outcome, steps } = await lithic.run(request)
  expect(steps).toEqual(['settings', 'holder_search', 'holder', 'card', 'transfer'])
  const card = must([...lithic.world.cards.values()].at(-1))
  expect(outcome).toEqual({ kind: 'done', receipt: card.token, last4: card.pan.slice(-4) })
  expect(card).toMatchObject({ memo: request.token, state: 'OPEN', limit: 0n, type: 'VIRTUAL' })
  expect(lithic.available(card.token)).toBe('25.00')
  expect(lithic.available(FUNDING)).toBe('9975.00')
  expect(lithic.objects.get(must(request.body.cardId))).toMatchObject({ kind: 'card', providerId: card.token })
})

test('a product that the settings do not name is refused, and nothing is made', async () => {
  const before = lithic.world.cards.size
  const { outcome, steps } = await lithic.run(lithic.issue({ productId: 'prod_card_metal' }))
  expect(outcome).toMatchObject({
    code: 'product_not_offered',
    message: expect.stringMatching(/prod_card_metal.* LITHIC_VIRTUAL_PRODUCTS or LITHIC_PHYSICAL_PRODUCTS/),
  })
  expect(steps).toEqual([])
  expect(lithic.world.cards.size).toBe(before)
})

test('a holder who is known is not enrolled again', async () => {
  const holderId = formatId('hld', randomUUID())
  await lithic.run(lithic.issue({ holderId }))
  const { outcome, steps } = await lithic.run(lithic.issue({ holderId, details: undefined }))
  expect(outcome.kind).toBe('done')
  expect(steps).toEqual(['settings', 'card', 'transfer'])
})

test('a holder whom Lithic has already, such as after the loss of the adapter database, is not enrolled again', async () => {
  const holderId = formatId('hld', randomUUID())
  await lithic.run(lithic.issue({ holderId }))
  lithic.objects.delete(holderId)
  const before = lithic.world.holders.length
  const { steps } = await lithic.run(lithic.issue({ holderId }))
  expect(steps).toEqual(['settings', 'holder_search', 'card', 'transfer'])
  expect(lithic.world.holders).toHaveLength(before)
  expect(lithic.objects.get(holderId)?.facts).toMatchObject({ status: 'ACCEPTED' })
})

test('a holder who was enrolled twice is always the same one', async () => {
  const request = lithic.issue()
  const enrol = await lithic.actionOf(request, 'holder')
  const first = factsOf(await enrol.send())
  lithic.clock.advance(1_000)
  await enrol.send()
  expect(factsOf(await enrol.lookUp())).toEqual(first)
  lithic.objects.clear()
  const { history } = await lithic.run(lithic.issue({ holderId: request.body.holderId }))
  expect(history['holder_search']).toMatchObject({ facts: first })
})

test('details of the holder that are missing or wrong are named, and nothing is made', async () => {
  const before = lithic.world.holders.length
  const { country: _, ...rest } = DETAILS
  const { outcome } = await lithic.run(lithic.issue({ details: { ...rest, phone_number: '555' } }))
  expect(outcome).toMatchObject({ kind: 'refused', code: 'holder_details_missing' })
  expect(outcome).toMatchObject({
    message: expect.stringMatching(/phone_number, country.*holder's page/),
  })
  expect(await lithic.run(lithic.issue({ details: undefined }))).toMatchObject({
    outcome: { code: 'holder_details_missing' },
  })
  expect(lithic.world.holders).toHaveLength(before)
})

test('a holder whom Lithic has not accepted gets no card until it has', async () => {
  const request = lithic.issue()
  await lithic.take(await lithic.actionOf(request, 'holder'))
  const holder = must(lithic.world.holders.at(-1))
  holder.status = 'PENDING_REVIEW'
  const object = { kind: 'holder' as const, id: request.body.holderId, providerId: holder.token, facts: {} }
  lithic.objects.set(request.body.holderId, object)
  const refused = await lithic.run(request)
  expect(refused).toMatchObject({ steps: ['settings', 'holder_status'], outcome: { code: 'holder_not_accepted' } })
  holder.status = 'ACCEPTED'
  expect((await lithic.run(lithic.issue({ holderId: request.body.holderId }))).outcome.kind).toBe('done')
})

describe('if the answer to a step is lost', () => {
  test.each(['lost', 'acted_500', 'garbage', 'unfit'] as const)('it is found by looking up (%s)', async (mode) => {
    const request = lithic.issue()
    for (const route of ['createHolder', 'createCard', 'createTransfer'] as const) lithic.behave(route, mode)
    const before = { cards: lithic.world.cards.size, transfers: lithic.world.transfers.size }
    const { outcome } = await lithic.run(request)
    expect(outcome).toMatchObject({ kind: 'done', last4: expect.stringMatching(/^\d{4}$/) })
    expect(lithic.world.cards.size).toBe(before.cards + 1)
    expect(lithic.world.transfers.size).toBe(before.transfers + 1)
    expect(lithic.available(FUNDING)).toBe('9975.00')
  })

  test.each(['cut', '500', '503', '409'] as const)('it is absent if it was not carried out (%s)', async (mode) => {
    for (const [route, step] of [
      ['createHolder', 'holder'],
      ['createCard', 'card'],
      ['createTransfer', 'transfer'],
    ] as const) {
      lithic.behave(route, mode)
      const { outcome } = await lithic.run(lithic.issue())
      expect(outcome).toMatchObject({ kind: 'stuck', step, found: { kind: 'absent' } })
    }
  })
})

test('a call that hangs ends at its deadline and is unknown', async () => {
  const provider = lithic.createProvider({ timeoutMs: SHORT_TIMEOUT_MS })
  const request = lithic.issue()
  await lithic.run(request)
  lithic.behave('createCard', 'hang')
  const action = await lithic.actionOf(lithic.issue({ holderId: request.body.holderId }), 'card', provider)
  expect(await action.send()).toMatchObject({ kind: 'unknown' })
})

test.each([
  ['401', /LITHIC_API_KEY/],
  ['403', /LITHIC_API_KEY/],
  ['429', /throttles/],
] as const)('%s had no effect and may be sent again', async (mode, reason) => {
  for (const [route, name] of [
    ['createHolder', 'holder'],
    ['createCard', 'card'],
    ['createTransfer', 'transfer'],
  ] as const) {
    const action = await lithic.actionOf(lithic.issue(), name)
    lithic.behave(route, mode)
    const sent = await action.send()
    expect(sent).toMatchObject({ kind: 'not_sent', reason: expect.stringMatching(reason) })
    expect(await action.send()).toMatchObject({ kind: 'done' })
  }
})

test('a server that cannot be reached was not sent anything', async () => {
  const provider = lithic.createProvider({ url: 'http://127.0.0.1:9' })
  const request = lithic.issue()
  await lithic.run(request)
  const action = await lithic.actionOf(lithic.issue({ holderId: request.body.holderId }), 'card', provider)
  expect(await action.send()).toMatchObject({ kind: 'not_sent' })
  expect(await action.lookUp()).toMatchObject({ kind: 'unknown' })
})

test('what Lithic does not accept is refused, with its message', async () => {
  lithic.behave('createHolder', '400')
  expect(await lithic.run(lithic.issue())).toMatchObject({ outcome: { kind: 'refused', code: 'lithic_400' } })
  lithic.behave('createCard', '422')
  const { outcome } = await lithic.run(lithic.issue())
  expect(outcome).toEqual({ kind: 'refused', code: 'lithic_422', message: 'Lithic answered 422: Told to refuse.' })
})

test('a card whose transfer is declined for funds is closed, and the order refused', async () => {
  must(lithic.world.accounts.get(FUNDING)).total = 2_499n
  const { outcome, steps } = await lithic.run(lithic.issue())
  expect(steps.slice(-2)).toEqual(['transfer', 'discard'])
  expect(outcome).toMatchObject({ kind: 'refused', code: 'insufficient_float' })
  expect([...lithic.world.cards.values()].at(-1)?.state).toBe('CLOSED')
  expect(lithic.available(FUNDING)).toBe('24.99')
})

test('a card without money that cannot be closed is named in the refusal', async () => {
  must(lithic.world.accounts.get(FUNDING)).total = 0n
  lithic.behave('updateCard', '400')
  const { outcome } = await lithic.run(lithic.issue())
  const card = must([...lithic.world.cards.values()].at(-1))
  expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringContaining(card.token) })
})

test('the look-up compares memos exactly and goes through all pages', async () => {
  const request = lithic.issue()
  const action = await lithic.actionOf(request, 'card')
  await action.send()
  const own = must([...lithic.world.cards.values()].at(-1))
  // Newer cards whose memos contain the token, more than two pages of them.
  for (let made = 0; made < 230; made += 1) {
    const token = lithic.world.newToken()
    lithic.world.cards.set(token, { ...own, token, memo: `copy ${made} of ${request.token}` })
  }
  const before = lithic.calls('listCards')
  expect(factsOf(await action.lookUp())).toMatchObject({ card: own.token })
  expect(lithic.calls('listCards') - before).toBe(3)
  own.memo = 'another'
  expect(await action.lookUp()).toMatchObject({ kind: 'absent' })
})

test('a card with the memo in another account is left to a person', async () => {
  const action = await lithic.actionOf(lithic.issue(), 'card')
  await action.send()
  const own = must([...lithic.world.cards.values()].at(-1))
  lithic.world.cards.set(own.token, { ...own, accountToken: randomUUID() })
  expect(await action.lookUp()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining(own.token) })
})

test('two cards with the same memo are left to a person', async () => {
  const action = await lithic.actionOf(lithic.issue(), 'card')
  await action.send()
  lithic.world.keys.clear()
  await action.send()
  expect(await action.lookUp()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('2 cards') })
})

test('a card that is sent once more with its key is not made twice', async () => {
  const action = await lithic.actionOf(lithic.issue(), 'card')
  expect(action.isRepeatable).toBe(true)
  const first = factsOf(await action.send())
  const before = lithic.world.cards.size
  expect(factsOf(await action.send())).toEqual(first)
  expect(lithic.world.cards.size).toBe(before)
})

test('a refusal of a repeated request does not hide that the first one was carried out', async () => {
  for (const [route, name] of [
    ['createCard', 'card'],
    ['createTransfer', 'transfer'],
  ] as const) {
    const action = await lithic.actionOf(lithic.issue(), name)
    lithic.behave(route, 'lost')
    expect(await action.send()).toMatchObject({ kind: 'unknown' })
    lithic.behave(route, '400')
    expect(await action.send()).toMatchObject({ kind: 'done' })
  }
})

test('a transfer is found exactly, and is not made twice', async () => {
  const request = lithic.issue()
  const action = await lithic.actionOf(request, 'transfer')
  expect(await action.lookUp()).toMatchObject({ kind: 'absent' })
  await action.send()
  await action.send()
  expect(lithic.available(FUNDING)).toBe('9975.00')
  expect(await action.lookUp()).toMatchObject({ kind: 'done' })
  expect(action.shows['token']).not.toBe(request.token)
  expect((await lithic.actionOf(lithic.issue(), 'transfer')).shows['token']).not.toBe(action.shows['token'])
})

test('a request goes on as it began, whatever the settings and the holder are by then', async () => {
  const request = lithic.issue()
  const { history } = await lithic.run(request)
  const other = lithic.createProvider({ mode: 'limit', fundingAccount: undefined })
  const { transfer: _, ...funding } = history
  lithic.objects.clear()
  const next = other.next({ ...request, holderDetails: undefined }, funding)
  expect(next).toMatchObject({ kind: 'step', step: { name: 'transfer', shows: { from: FUNDING, amount: '25.00' } } })
  const { card: __, ...before } = funding
  const step = other.next(request, before)
  if (step.kind !== 'step' || step.step.type !== 'action') throw new Error('the card comes next')
  expect(factsOf(await step.step.lookUp())).toMatchObject({ mode: 'balance' })
})

describe('a physical card', () => {
  const provider = lithic.createProvider({ physicalProducts: new Map([['plastic', '12']]) })

  test('is sent to the address of its holder', async () => {
    const { outcome } = await lithic.run(lithic.issue({ productId: 'plastic' }), provider)
    expect(outcome.kind).toBe('done')
    const card = must([...lithic.world.cards.values()].at(-1))
    expect(card).toMatchObject({ type: 'PHYSICAL', productId: '12', state: 'PENDING_FULFILLMENT' })
  })

  test('is refused without an address, or with one that cannot be printed', async () => {
    const first = lithic.issue({ productId: 'plastic' })
    await lithic.run(first, provider)
    const { holderId } = first.body
    const without = lithic.issue({ holderId, productId: 'plastic', details: undefined })
    expect(await lithic.run(without, provider)).toMatchObject({ outcome: { code: 'holder_details_missing' } })
    const details = { ...DETAILS, last_name: 'Lovelace of Ockham Park' }
    const long = lithic.issue({ holderId, productId: 'plastic', details })
    expect(await lithic.run(long, provider)).toMatchObject({
      outcome: { code: 'shipping_address_invalid', message: expect.stringContaining('25') },
    })
  })
})

test('the same holder or the same card is changed by one request at a time', () => {
  const one = lithic.issue()
  const other = lithic.issue({ holderId: one.body.holderId })
  expect(lithic.provider.subjectsOf(one)).toEqual([holderSubject(one.body.holderId)])
  expect(lithic.provider.subjectsOf(other)).toEqual([holderSubject(one.body.holderId)])
  expect(lithic.provider.subjectsOf(lithic.topUp('card_1'))).toEqual([moneySubject('card_1')])
  const close = lithic.setStatus('card_1', 'closed')
  expect(lithic.provider.subjectsOf(close)).toEqual([statusSubject('card_1'), moneySubject('card_1')])
  expect(lithic.provider.subjectsOf(lithic.setStatus('card_1', 'frozen'))).toEqual([statusSubject('card_1')])
})
