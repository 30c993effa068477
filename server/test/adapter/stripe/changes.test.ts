// Top-ups, changes of status and closings at Stripe.
import { afterAll, describe, expect, test } from 'vitest'
import { updateCard } from '../../../src/adapter/simulators/stripe/api-calls.ts'
import * as payments from '../../../src/adapter/simulators/stripe/payments.ts'
import { transmit } from '../../../src/issuer/http/transmit.ts'
import { must } from '../../../src/lib/invariant.ts'
import { StripeWorld } from './world.ts'

const stripe = await StripeWorld.start()
afterAll(() => stripe.stop())
const { world } = stripe
const statusOf = (card: string) => must(world.cards.get(card)).status
const limits = (amount: string, interval: 'all_time' | 'daily' = 'all_time') => ({
  spending_controls: { spending_limits: [{ amount, interval }] },
})

describe('a top-up', () => {
  test('raises the limit, and the next one raises it from there', async () => {
    const { id, providerId } = await stripe.card('25.00')
    const { outcome, steps } = await stripe.run(stripe.topUp(id, '10.05'))
    expect(steps).toEqual(['limit', 'raise'])
    expect(outcome).toEqual({ kind: 'done', receipt: providerId })
    expect(stripe.limit(providerId)).toBe('35.05')
    await stripe.run(stripe.topUp(id, '1.00'))
    expect(stripe.limit(providerId)).toBe('36.05')
  })

  test('is refused if somebody changed the limit, and changes nothing', async () => {
    const { id, providerId } = await stripe.card('25.00')
    for (const change of [limits('99900'), limits('2500', 'daily')]) {
      updateCard(world, providerId, change)
      const before = stripe.calls('updateCard')
      const { outcome } = await stripe.run(stripe.topUp(id))
      expect(outcome).toMatchObject({ kind: 'refused', code: 'limit_changed' })
      expect(stripe.calls('updateCard')).toBe(before)
    }
    must(world.cards.get(providerId)).limits = [
      { amount: 2_500n, interval: 'all_time' },
      { amount: 100n, interval: 'daily' },
    ]
    expect(await stripe.run(stripe.topUp(id))).toMatchObject({ outcome: { code: 'limit_changed' } })
    updateCard(world, providerId, limits('2500'))
    expect((await stripe.run(stripe.topUp(id))).outcome.kind).toBe('done')
  })

  test('that meets another one is not lost: the second is left to a person', async () => {
    const { id, providerId } = await stripe.card('25.00')
    // The kernel runs one after the other. Without that, both read the same limit.
    const one = await stripe.actionOf(stripe.topUp(id, '10.00'), 'raise')
    const two = await stripe.actionOf(stripe.topUp(id, '5.00'), 'raise')
    await one.send()
    expect(await two.lookUp()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('3500 all_time') })
    expect(stripe.limit(providerId)).toBe('35.00')
  })

  test.each(['lost', 'acted_500', 'unfit'] as const)(
    'whose answer is lost is found by the limit (%s)',
    async (mode) => {
      const { id, providerId } = await stripe.card('25.00')
      stripe.behave('updateCard', mode)
      expect(await stripe.run(stripe.topUp(id, '10.00'))).toMatchObject({ outcome: { kind: 'done' } })
      expect(stripe.limit(providerId)).toBe('35.00')
      // The limit that the adapter knows is the new one.
      expect(await stripe.run(stripe.topUp(id, '10.00'))).toMatchObject({ outcome: { kind: 'done' } })
    },
  )

  test.each(['cut', '500', '409'] as const)('that was not carried out is absent (%s)', async (mode) => {
    const { id, providerId } = await stripe.card('25.00')
    stripe.behave('updateCard', mode)
    expect(await stripe.run(stripe.topUp(id))).toMatchObject({
      outcome: { kind: 'stuck', step: 'raise', found: { kind: 'absent' } },
    })
    expect(stripe.limit(providerId)).toBe('25.00')
  })

  test('that is sent once more with its key raises the limit once', async () => {
    const { id, providerId } = await stripe.card('25.00')
    const action = await stripe.actionOf(stripe.topUp(id, '10.00'), 'raise')
    await action.send()
    expect(await action.send()).toMatchObject({ kind: 'done' })
    expect(stripe.limit(providerId)).toBe('35.00')
  })

  test('of a canceled card is refused', async () => {
    const { id, providerId } = await stripe.card('25.00')
    updateCard(world, providerId, { status: 'canceled' })
    expect(await stripe.run(stripe.topUp(id))).toMatchObject({ outcome: { code: 'card_closed' } })
  })
})

test('a card that the adapter does not know is refused without a call', async () => {
  for (const request of [stripe.topUp('card_0'), stripe.setStatus('card_0', 'closed')]) {
    expect(await stripe.run(request)).toMatchObject({ steps: [], outcome: { code: 'card_unknown' } })
  }
})

test('a card is made inactive and active again, also when the answer is lost', async () => {
  const { id, providerId } = await stripe.card()
  expect(await stripe.run(stripe.setStatus(id, 'frozen'))).toMatchObject({ outcome: { kind: 'done' } })
  expect(statusOf(providerId)).toBe('inactive')
  stripe.behave('updateCard', 'lost')
  expect(await stripe.run(stripe.setStatus(id, 'active'))).toMatchObject({ outcome: { kind: 'done' } })
  expect(statusOf(providerId)).toBe('active')
  stripe.behave('updateCard', 'cut')
  expect(await stripe.run(stripe.setStatus(id, 'frozen'))).toMatchObject({
    outcome: { kind: 'stuck', step: 'status', found: { kind: 'absent' } },
  })
})

describe('a closing', () => {
  test('answers what is left, without what open payments hold', async () => {
    const { id, providerId: card } = await stripe.card('100.00')
    payments.capture(world, payments.authorise(world, { card, amount: 1_000n }).id, 1_000n)
    payments.forceCapture(world, { card, amount: 500n })
    payments.refund(world, { card, amount: 300n })
    payments.end(world, payments.authorise(world, { card, amount: 2_000n }).id, 'reversed')
    payments.authorise(world, { card, amount: 99_999n })
    const open = payments.authorise(world, { card, amount: 700n })
    const { outcome, steps } = await stripe.run(stripe.setStatus(id, 'closed'))
    expect(steps).toEqual(['card', 'pause', 'balance', 'close'])
    expect(outcome).toEqual({ kind: 'done', receipt: card, balance: '81.00' })
    expect(statusOf(card)).toBe('canceled')
    // The merchant captures it after the card was canceled.
    expect(payments.capture(world, open.id, 700n)).toMatchObject({ amount: -700n })
  })

  test('is never below zero, and never above the limit', async () => {
    const over = await stripe.card('10.00')
    payments.capture(world, payments.authorise(world, { card: over.providerId, amount: 1_000n }).id, 1_500n)
    expect(await stripe.run(stripe.setStatus(over.id, 'closed'))).toMatchObject({ outcome: { balance: '0.00' } })
    const given = await stripe.card('10.00')
    payments.refund(world, { card: given.providerId, amount: 500n })
    expect(await stripe.run(stripe.setStatus(given.id, 'closed'))).toMatchObject({ outcome: { balance: '10.00' } })
  })

  test('adds up payments over several pages', async () => {
    const { id, providerId: card } = await stripe.card('100.00')
    for (let made = 0; made < 130; made += 1) {
      payments.forceCapture(world, { card, amount: 1n })
      payments.authorise(world, { card, amount: 1n })
    }
    expect(await stripe.run(stripe.setStatus(id, 'closed'))).toMatchObject({ outcome: { balance: '97.40' } })
  })

  test('counts a payment once that is captured between the two readings', async () => {
    const { id, providerId: card } = await stripe.card('100.00')
    const open = payments.authorise(world, { card, amount: 700n })
    let isCaptured = false
    const provider = stripe.createProvider({
      transmit: async (outgoing) => {
        if (outgoing.path.startsWith('/v1/issuing/transactions') && !isCaptured) {
          isCaptured = true
          payments.capture(world, open.id, 800n)
        }
        return transmit(outgoing)
      },
    })
    expect(await stripe.run(stripe.setStatus(id, 'closed'), provider)).toMatchObject({ outcome: { balance: '92.00' } })
  })

  test('goes on where it was when answers are lost', async () => {
    const { id, providerId } = await stripe.card('25.00')
    stripe.behave('updateCard', 'lost', 2)
    expect(await stripe.run(stripe.setStatus(id, 'closed'))).toMatchObject({ outcome: { balance: '25.00' } })
    expect(statusOf(providerId)).toBe('canceled')
  })

  test('of a card that somebody canceled answers what is left', async () => {
    const { id, providerId } = await stripe.card('25.00')
    updateCard(world, providerId, { status: 'canceled' })
    expect(await stripe.run(stripe.setStatus(id, 'closed'))).toMatchObject({
      steps: ['card', 'balance'],
      outcome: { balance: '25.00' },
    })
  })

  test('is refused if somebody changed the limit', async () => {
    const { id, providerId } = await stripe.card('25.00')
    updateCard(world, providerId, limits('99900'))
    expect(await stripe.run(stripe.setStatus(id, 'closed'))).toMatchObject({ outcome: { code: 'limit_changed' } })
    expect(statusOf(providerId)).toBe('active')
  })

  test.each(['listTransactions', 'listAuthorizations'] as const)('waits while %s cannot be read', async (route) => {
    const { id } = await stripe.card('25.00')
    for (const mode of ['500', 'unfit', '429'] as const) {
      stripe.behave(route, mode)
      expect(await stripe.run(stripe.setStatus(id, 'closed'))).toMatchObject({
        outcome: { kind: 'stuck', step: 'balance', found: { kind: 'unknown' } },
      })
    }
  })
})
