// Issuing a card at Stripe: the cardholder and the card; and what becomes of each when its answer is lost, refused or repeated.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { holderSubject, moneySubject, statusSubject } from '../../../src/adapter/provider.ts'
import { formatId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { DETAILS, factsOf, SHORT_TIMEOUT_MS, StripeWorld } from './world.ts'

const stripe = await StripeWorld.start()
afterAll(() => stripe.stop())
const CALLS = [
  ['createHolder', 'holder'],
  ['createCard', 'card'],
] as const

const lastCard = () => must([...stripe.world.cards.values()].at(-1))

test('a card is made with its cardholder and its limit, and its last four digits are answered', async () => {
  const request = stripe.issue({ amount: '25.00' })
  const { outcome, steps } = await stripe.run(request)
  expect(steps).toEqual(['begin', 'holder_search', 'holder', 'card'])
  const card = lastCard()
  expect(outcome).toEqual({ kind: 'done', receipt: card.id, last4: card.last4 })
  expect(card).toMatchObject({ status: 'active', metadata: { token: request.token } })
  expect(stripe.limit(card.id)).toBe('25.00')
  expect(card.cardholder.request).toMatchObject({
    type: 'individual',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    metadata: { holder: request.body.holderId },
    billing: { address: { line1: '123 Old Forest Way', city: 'Omaha', country: 'US' } },
  })
  expect(stripe.objects.get(must(request.body.cardId))).toMatchObject({ kind: 'card', providerId: card.id })
})

test('a holder who is known, or whom Stripe has already, is not enrolled again', async () => {
  const holderId = formatId('hld', randomUUID())
  await stripe.run(stripe.issue({ holderId }))
  const before = stripe.world.holders.length
  const known = await stripe.run(stripe.issue({ holderId, details: undefined }))
  expect(known).toMatchObject({ outcome: { kind: 'done' }, steps: ['begin', 'holder_status', 'card'] })
  stripe.objects.delete(holderId)
  const found = await stripe.run(stripe.issue({ holderId }))
  expect(found).toMatchObject({ outcome: { kind: 'done' }, steps: ['begin', 'holder_search', 'card'] })
  expect(stripe.world.holders).toHaveLength(before)
})

test('a holder is found among many with the same e-mail address, over several pages', async () => {
  const request = stripe.issue()
  await stripe.run(request)
  const own = must(stripe.world.holders.at(-1))
  for (let made = 0; made < 130; made += 1) {
    stripe.world.holders.push({ ...own, id: stripe.world.newId('ich'), request: { ...own.request, metadata: {} } })
  }
  stripe.objects.clear()
  const { history } = await stripe.run(stripe.issue({ holderId: request.body.holderId }))
  expect(history['holder_search']).toMatchObject({ facts: { cardholder: own.id } })
})

test('a product that the settings do not name is refused, and nothing is made', async () => {
  const before = stripe.world.cards.size
  const { outcome, steps } = await stripe.run(stripe.issue({ productId: 'prod_card_metal' }))
  expect(outcome).toMatchObject({
    code: 'product_not_offered',
    message: expect.stringMatching(/prod_card_metal.* STRIPE_PRODUCTS/),
  })
  expect(steps).toEqual([])
  expect(stripe.world.cards.size).toBe(before)
})

test('details of the holder that are missing or wrong are named, and nothing is made', async () => {
  const before = stripe.world.holders.length
  const { city: _, ...rest } = DETAILS
  const wrong = [
    [{ ...rest, postal_code: '1' }, /city, postal_code.*holder's page/],
    [{ ...DETAILS, first_name: 'Ada 2' }, /first_name/],
    [{ ...DETAILS, last_name: 'Lovelace of Ockham and of Somewhere' }, /card_name with at most 24/],
    [{ ...DETAILS, terms_accepted_ip: '192.0.2.1' }, /terms_accepted_at with terms_accepted_ip/],
    [{ ...DETAILS, terms_accepted_ip: '192.0.2.1', terms_accepted_at: '2026-13-40T00:00:00Z' }, /terms_accepted_at/],
    [undefined, /first_name, last_name, line1/],
  ] as const
  for (const [details, message] of wrong) {
    const { outcome } = await stripe.run(stripe.issue({ details }))
    expect(outcome).toMatchObject({ code: 'holder_details_missing', message: expect.stringMatching(message) })
  }
  expect(stripe.world.holders).toHaveLength(before)
})

test('the fields of a holder take what the details have, as the kernel checks them', () => {
  for (const { name, pattern, isRequired } of stripe.provider.holderFields) {
    const value = DETAILS[name]
    expect(value === undefined ? !isRequired : new RegExp(pattern, 'u').test(value)).toBe(true)
  }
})

test('a longer name is sent with another one for the card, and the accepted terms with their time', async () => {
  const details = {
    ...DETAILS,
    last_name: 'Lovelace of Ockham and of Somewhere',
    card_name: 'Ada Lovelace',
    terms_accepted_at: '2026-01-31T12:00:00Z',
    terms_accepted_ip: '192.0.2.1',
  }
  expect((await stripe.run(stripe.issue({ details }))).outcome.kind).toBe('done')
  expect(lastCard().cardholder.request).toMatchObject({
    name: 'Ada Lovelace',
    individual: {
      last_name: 'Lovelace of Ockham and of Somewhere',
      card_issuing: { user_terms_acceptance: { date: '1769860800', ip: '192.0.2.1' } },
    },
  })
})

test('a cardholder whom Stripe has disabled gets no card until it is enabled', async () => {
  const { holderId } = stripe.issue().body
  await stripe.run(stripe.issue({ holderId }))
  const { cardholder } = lastCard()
  cardholder.disabledReason = 'requirements.past_due'
  cardholder.pastDue = ['individual.verification.document']
  const before = stripe.world.cards.size
  const { outcome } = await stripe.run(stripe.issue({ holderId }))
  expect(outcome).toMatchObject({
    kind: 'refused',
    code: 'holder_disabled',
    message: expect.stringMatching(/requirements\.past_due.*individual\.verification\.document/),
  })
  expect(stripe.world.cards.size).toBe(before)
  cardholder.disabledReason = null
  cardholder.status = 'inactive'
  expect(await stripe.run(stripe.issue({ holderId }))).toMatchObject({ outcome: { code: 'holder_disabled' } })
  cardholder.status = 'active'
  expect((await stripe.run(stripe.issue({ holderId }))).outcome.kind).toBe('done')
})

describe('if the answer to a step is lost', () => {
  test.each(['lost', 'acted_500', 'garbage', 'unfit'] as const)('it is found by looking up (%s)', async (mode) => {
    for (const [route] of CALLS) stripe.behave(route, mode)
    const before = { cards: stripe.world.cards.size, holders: stripe.world.holders.length }
    const { outcome } = await stripe.run(stripe.issue())
    expect(outcome).toMatchObject({ kind: 'done', last4: expect.stringMatching(/^\d{4}$/) })
    expect(stripe.world.cards.size).toBe(before.cards + 1)
    expect(stripe.world.holders).toHaveLength(before.holders + 1)
  })

  test.each(['cut', '500', 'kept_500', '503', '409'] as const)('it is absent if it was not made (%s)', async (mode) => {
    for (const [route, step] of CALLS) {
      stripe.behave(route, mode)
      const { outcome } = await stripe.run(stripe.issue())
      expect(outcome).toMatchObject({ kind: 'stuck', step, found: { kind: 'absent' } })
    }
  })
})

test('a call that hangs ends at its deadline and is unknown', async () => {
  const provider = stripe.createProvider({ timeoutMs: SHORT_TIMEOUT_MS })
  stripe.behave('createCard', 'hang')
  const action = await stripe.actionOf(stripe.issue(), 'card', provider)
  expect(await action.send()).toMatchObject({ kind: 'unknown' })
})

test.each([
  ['401', /STRIPE_SECRET_KEY/],
  ['403', /STRIPE_SECRET_KEY/],
  ['429', /throttles/],
] as const)('%s had no effect and may be sent again', async (mode, reason) => {
  for (const [route, name] of CALLS) {
    const action = await stripe.actionOf(stripe.issue(), name)
    stripe.behave(route, mode)
    expect(await action.send()).toMatchObject({ kind: 'not_sent', reason: expect.stringMatching(reason) })
    expect(await action.send()).toMatchObject({ kind: 'done' })
  }
})

test.each(['400', '402', '404'] as const)('%s is a refusal, with the message of Stripe', async (mode) => {
  for (const [route] of CALLS) {
    stripe.behave(route, mode)
    const { outcome } = await stripe.run(stripe.issue())
    const message = `Stripe answered ${mode}: Told to refuse.`
    expect(outcome).toEqual({ kind: 'refused', code: `stripe_${mode}`, message })
  }
})

test('a 500 that Stripe keeps for the key stays unknown, until the key is forgotten', async () => {
  const action = await stripe.actionOf(stripe.issue(), 'card')
  stripe.behave('createCard', 'kept_500')
  expect(await action.send()).toMatchObject({ kind: 'unknown' })
  expect(await action.send()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('500') })
  expect(await action.lookUp()).toMatchObject({ kind: 'absent' })
  stripe.world.keys.clear()
  expect(await action.send()).toMatchObject({ kind: 'done' })
})

test('a card that is sent once more with its key is not made twice', async () => {
  const action = await stripe.actionOf(stripe.issue(), 'card')
  expect(action.isRepeatable).toBe(true)
  stripe.behave('createCard', 'lost')
  expect(await action.send()).toMatchObject({ kind: 'unknown' })
  const before = stripe.world.cards.size
  expect(factsOf(await action.send())).toMatchObject({ card: lastCard().id })
  expect(stripe.world.cards.size).toBe(before)
})

test('two cards after a key expired are left to a person', async () => {
  const action = await stripe.actionOf(stripe.issue(), 'card')
  await action.send()
  stripe.world.keys.clear()
  await action.send()
  expect(await action.lookUp()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('2 cards') })
})

test('a key that Stripe has seen with other parameters proves nothing', async () => {
  const request = stripe.issue({ amount: '25.00' })
  await (await stripe.actionOf(request, 'card')).send()
  const other = { ...request, body: { ...request.body, amount: '26.00' } }
  const action = await stripe.actionOf(other, 'card')
  expect(await action.send()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('idempotency_error') })
  expect(await action.lookUp()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('another limit') })
})

test('a refusal of a repeated request does not hide that the first one was carried out', async () => {
  for (const [route, name] of CALLS) {
    const action = await stripe.actionOf(stripe.issue(), name)
    stripe.behave(route, 'lost')
    expect(await action.send()).toMatchObject({ kind: 'unknown' })
    stripe.behave(route, '400')
    expect(await action.send()).toMatchObject({ kind: 'done' })
  }
})

test('a card whose answer is lost is found on a later page', async () => {
  const action = await stripe.actionOf(stripe.issue(), 'card')
  stripe.behave('createCard', 'lost')
  await action.send()
  const own = lastCard()
  for (let made = 0; made < 130; made += 1) {
    const id = stripe.world.newId('ic')
    stripe.world.cards.set(id, { ...own, id, metadata: { token: `copy ${made}` } })
  }
  const before = stripe.calls('listCards')
  expect(factsOf(await action.lookUp())).toMatchObject({ card: own.id })
  expect(stripe.calls('listCards') - before).toBe(2)
})

test('a look-up searches only cards that were made since the order began', async () => {
  const action = await stripe.actionOf(stripe.issue(), 'card')
  await action.send()
  const own = lastCard()
  stripe.world.cards.set(own.id, { ...own, created: own.created - 86_400 })
  expect(await action.lookUp()).toMatchObject({ kind: 'absent' })
})

test('the same holder or the same card is changed by one request at a time', () => {
  const one = stripe.issue()
  expect(stripe.provider.subjectsOf(one)).toEqual([holderSubject(one.body.holderId)])
  expect(stripe.provider.subjectsOf(stripe.topUp('card_1'))).toEqual([moneySubject('card_1')])
  const close = stripe.setStatus('card_1', 'closed')
  expect(stripe.provider.subjectsOf(close)).toEqual([statusSubject('card_1'), moneySubject('card_1')])
  expect(stripe.provider.subjectsOf(stripe.setStatus('card_1', 'frozen'))).toEqual([statusSubject('card_1')])
})
