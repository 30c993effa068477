// Top-ups, changes of state and closings at Lithic, with cards that have a balance of their own and with cards that have a limit.
import { afterAll, describe, expect, test } from 'vitest'
import { purchase, reverseTransfer, settle } from '../../../src/adapter/simulators/lithic/payments.ts'
import { updateCard } from '../../../src/adapter/simulators/lithic/api-calls.ts'
import { must } from '../../../src/lib/invariant.ts'
import { factsOf, FUNDING, LithicWorld } from './world.ts'

const balance = await LithicWorld.start('balance')
const limit = await LithicWorld.start('limit')
afterAll(async () => {
  await balance.stop()
  await limit.stop()
})

function stateOf(world: LithicWorld, card: string) {
  return must(world.world.cards.get(card)).state
}

describe('a card with a balance', () => {
  test('gets a top-up by a transfer', async () => {
    const { id, providerId } = await balance.card('25.00')
    const { outcome, steps } = await balance.run(balance.topUp(id, '10.05'))
    expect(steps).toEqual(['transfer'])
    expect(outcome).toMatchObject({ kind: 'done', receipt: [...balance.world.transfers.keys()].at(-1) })
    expect(balance.available(providerId)).toBe('35.05')
  })

  test('two top-ups are two transfers', async () => {
    const { id, providerId } = await balance.card('25.00')
    await Promise.all([balance.run(balance.topUp(id)), balance.run(balance.topUp(id))])
    expect(balance.available(providerId)).toBe('45.00')
  })

  test('a top-up without funds is refused and changes nothing', async () => {
    const { id, providerId } = await balance.card('25.00')
    const float = must(balance.world.accounts.get(FUNDING))
    const { total } = float
    float.total = 999n
    expect(await balance.run(balance.topUp(id))).toMatchObject({ outcome: { code: 'insufficient_float' } })
    float.total = total
    expect(balance.available(providerId)).toBe('25.00')
  })

  test('a transfer that somebody reversed is left to a person', async () => {
    const { id, providerId } = await balance.card('25.00')
    const action = await balance.actionOf(balance.topUp(id), 'transfer')
    await action.send()
    reverseTransfer(balance.world, String(action.shows['token']))
    expect(await action.lookUp()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('REVERSED') })
    expect(balance.available(providerId)).toBe('25.00')
    expect(await balance.listed()).toContainEqual({ providerId, status: 'active', amount: 2_500n })
  })

  test('a card that the adapter does not know is refused without a call', async () => {
    for (const request of [balance.topUp('card_0'), balance.setStatus('card_0', 'closed')]) {
      expect(await balance.run(request)).toMatchObject({ steps: [], outcome: { code: 'card_unknown' } })
    }
  })

  test('is paused and opened again', async () => {
    const { id, providerId } = await balance.card()
    expect(await balance.run(balance.setStatus(id, 'frozen'))).toMatchObject({ outcome: { kind: 'done' } })
    expect(stateOf(balance, providerId)).toBe('PAUSED')
    await balance.run(balance.setStatus(id, 'active'))
    expect(stateOf(balance, providerId)).toBe('OPEN')
  })

  test('a change whose answer is lost is found by the state of the card', async () => {
    const { id, providerId } = await balance.card()
    balance.behave('updateCard', 'lost')
    expect(await balance.run(balance.setStatus(id, 'frozen'))).toMatchObject({ outcome: { kind: 'done' } })
    balance.behave('updateCard', 'cut')
    expect(await balance.run(balance.setStatus(id, 'active'))).toMatchObject({
      outcome: { kind: 'stuck', step: 'status', found: { kind: 'absent' } },
    })
    expect(stateOf(balance, providerId)).toBe('PAUSED')
    balance.behave('updateCard', '429')
    const action = await balance.actionOf(balance.setStatus(id, 'active'), 'status')
    expect(await action.send()).toMatchObject({ kind: 'not_sent' })
    expect(action.isRepeatable).toBe(false)
  })

  test('is closed after its money was taken back, without what is held for open payments', async () => {
    const { id, providerId } = await balance.card('25.00')
    const float = balance.available(FUNDING)
    const payment = purchase(balance.world, { card: providerId, amount: 700n })
    const { outcome, steps } = await balance.run(balance.setStatus(id, 'closed'))
    expect(steps).toEqual(['card', 'pause', 'balance', 'return', 'close'])
    expect(outcome).toEqual({ kind: 'done', receipt: providerId, balance: '18.00' })
    expect(stateOf(balance, providerId)).toBe('CLOSED')
    expect(Number(balance.available(FUNDING)) - Number(float)).toBe(18)
    // The merchant presents it after the card was closed.
    settle(balance.world, payment.token, { amount: 700n })
    expect(balance.available(providerId)).toBe('0.00')
  })

  test('is closed without a transfer if nothing is left', async () => {
    const { id, providerId } = await balance.card('25.00')
    settle(balance.world, purchase(balance.world, { card: providerId, amount: 2_500n }).token, { amount: 2_600n })
    const { outcome, steps } = await balance.run(balance.setStatus(id, 'closed'))
    expect(steps).toEqual(['card', 'pause', 'balance', 'close'])
    expect(outcome).toMatchObject({ kind: 'done', balance: '0.00' })
  })

  test('the closing goes on where it was when answers are lost', async () => {
    const { id, providerId } = await balance.card('25.00')
    balance.behave('updateCard', 'lost', 2)
    balance.behave('createTransfer', 'lost')
    expect(await balance.run(balance.setStatus(id, 'closed'))).toMatchObject({ outcome: { balance: '25.00' } })
    expect(balance.available(providerId)).toBe('0.00')
  })

  test('a closing whose money cannot be taken back opens the card again', async () => {
    const { id, providerId } = await balance.card('25.00')
    const request = balance.setStatus(id, 'closed')
    const action = await balance.actionOf(request, 'return')
    // A payment arrives after the balance was read.
    must(balance.world.accounts.get(providerId)).total -= 100n
    const sent = await action.send()
    expect(sent).toMatchObject({ kind: 'refused', code: 'insufficient_float' })
    if (sent.kind !== 'refused') throw new Error('refused')
    const { outcome, steps } = await balance.run(request, balance.provider, {
      card: { outcome: 'done', facts: { state: 'OPEN', limit: '0.00', limit_duration: 'TRANSACTION' } },
      pause: { outcome: 'done', facts: { state: 'PAUSED' } },
      balance: { outcome: 'done', facts: { available: '25.00' } },
      return: balance.end(sent),
    })
    expect(steps).toEqual(['resume'])
    expect(outcome).toMatchObject({ kind: 'refused', code: 'insufficient_float' })
    expect(stateOf(balance, providerId)).toBe('OPEN')
  })

  test('a closing may be repeated: Lithic refuses the second one, and the card is closed', async () => {
    const { id } = await balance.card('25.00')
    const action = await balance.actionOf(balance.setStatus(id, 'closed'), 'close')
    expect(action.isRepeatable).toBe('always')
    expect(await action.send()).toMatchObject({ kind: 'done' })
    expect(await action.send()).toMatchObject({ kind: 'done' })
  })

  test('a card that somebody closed gives its money back', async () => {
    const { id, providerId } = await balance.card('25.00')
    updateCard(balance.world, providerId, { state: 'CLOSED' })
    const { outcome, steps } = await balance.run(balance.setStatus(id, 'closed'))
    expect(steps).toEqual(['card', 'balance', 'return'])
    expect(outcome).toMatchObject({ kind: 'done', balance: '25.00' })
  })

  test('a physical card that is on its way is closed without a pause', async () => {
    const provider = balance.createProvider({ physicalProducts: new Map([['plastic', '12']]) })
    const request = balance.issue({ productId: 'plastic' })
    await balance.run(request, provider)
    const { outcome, steps } = await balance.run(balance.setStatus(must(request.body.cardId), 'closed'))
    expect(steps).toEqual(['card', 'balance', 'return', 'close'])
    expect(outcome).toMatchObject({ kind: 'done', balance: '25.00' })
  })

  test('a balance that cannot be read is not taken for nothing', async () => {
    const { id, providerId } = await balance.card('25.00')
    for (const mode of ['500', 'unfit', '429'] as const) {
      balance.behave('readCardBalances', mode)
      expect(await balance.run(balance.setStatus(id, 'closed'))).toMatchObject({
        outcome: { kind: 'stuck', step: 'balance', found: { kind: 'unknown' } },
      })
    }
    expect(stateOf(balance, providerId)).toBe('PAUSED')
  })

  test('keeps its mode when the setting changes', async () => {
    const { id, providerId } = await balance.card('25.00')
    const { steps } = await balance.run(balance.topUp(id), balance.createProvider({ mode: 'limit' }))
    expect(steps).toEqual(['transfer'])
    expect(balance.available(providerId)).toBe('35.00')
    const without = balance.createProvider({ mode: 'limit', fundingAccount: undefined })
    for (const request of [balance.topUp(id), balance.setStatus(id, 'closed')]) {
      expect(await balance.run(request, without)).toMatchObject({ outcome: { code: 'funding_account_missing' } })
    }
    expect(stateOf(balance, providerId)).toBe('OPEN')
  })
})

describe('a card with a limit', () => {
  const limitOf = (card: string) => must(limit.world.cards.get(card)).limit

  test('is made with the amount as its limit for its whole life', async () => {
    const request = limit.issue({ amount: '25.00' })
    const { outcome, steps } = await limit.run(request)
    expect(steps).toEqual(['settings', 'holder_search', 'holder', 'card'])
    expect(outcome).toMatchObject({ kind: 'done' })
    const object = must(limit.objects.get(must(request.body.cardId)))
    expect(object.facts).toMatchObject({ mode: 'limit', limit: '25.00' })
    expect(must(limit.world.cards.get(object.providerId))).toMatchObject({ limit: 2_500n, duration: 'FOREVER' })
  })

  test('a card that comes back with another limit is not taken for the one that was asked for', async () => {
    const action = await limit.actionOf(limit.issue(), 'card')
    await action.send()
    must([...limit.world.cards.values()].at(-1)).limit = 0n
    expect(await action.send()).toMatchObject({ kind: 'unknown' })
    expect(await action.lookUp()).toMatchObject({ kind: 'unknown' })
  })

  test('a top-up reads the limit and sets a higher one', async () => {
    const { id, providerId } = await limit.card('25.00')
    for (const expected of [3_500n, 4_500n]) {
      const { outcome, steps } = await limit.run(limit.topUp(id, '10.00'))
      expect(steps).toEqual(['limit', 'raise'])
      expect(outcome).toMatchObject({ kind: 'done' })
      expect(limitOf(providerId)).toBe(expected)
    }
    expect(must(limit.objects.get(id)).facts['limit']).toBe('45.00')
  })

  test('a limit that somebody changed is not overwritten', async () => {
    const { id, providerId } = await limit.card('25.00')
    updateCard(limit.world, providerId, { spend_limit: 99_900 })
    for (const request of [limit.topUp(id), limit.setStatus(id, 'closed')]) {
      const { outcome } = await limit.run(request)
      expect(outcome).toMatchObject({ kind: 'refused', code: 'limit_changed' })
      expect(outcome).toMatchObject({ message: expect.stringMatching(/999\.00.*25\.00/) })
    }
    updateCard(limit.world, providerId, { spend_limit: 2_500, spend_limit_duration: 'MONTHLY' })
    expect(await limit.run(limit.topUp(id))).toMatchObject({ outcome: { code: 'limit_changed' } })
    expect(limitOf(providerId)).toBe(2_500n)
    expect(stateOf(limit, providerId)).toBe('OPEN')
  })

  test('a new limit whose answer is lost is found by reading the card', async () => {
    const { id, providerId } = await limit.card('25.00')
    limit.behave('updateCard', 'lost')
    expect(await limit.run(limit.topUp(id))).toMatchObject({ outcome: { kind: 'done' } })
    expect(must(limit.objects.get(id)).facts['limit']).toBe('35.00')
    const action = await limit.actionOf(limit.topUp(id), 'raise')
    limit.behave('updateCard', 'cut')
    expect(await action.send()).toMatchObject({ kind: 'unknown' })
    expect(await action.lookUp()).toMatchObject({ kind: 'absent' })
    updateCard(limit.world, providerId, { spend_limit: 5_000 })
    expect(await action.lookUp()).toMatchObject({ kind: 'unknown' })
    updateCard(limit.world, providerId, { spend_limit: 4_500 })
    expect(factsOf(await action.lookUp())).toEqual({ limit: '45.00' })
  })

  test('a closed card gets no higher limit', async () => {
    const { id, providerId } = await limit.card('25.00')
    updateCard(limit.world, providerId, { state: 'CLOSED' })
    expect(await limit.run(limit.topUp(id))).toMatchObject({ outcome: { code: 'card_closed' } })
  })

  test('a closing answers what is left of the limit, without what is spent or pending', async () => {
    const { id, providerId } = await limit.card('25.00')
    settle(limit.world, purchase(limit.world, { card: providerId, amount: 500n }).token, { amount: 600n })
    purchase(limit.world, { card: providerId, amount: 400n })
    const { outcome, steps } = await limit.run(limit.setStatus(id, 'closed'))
    expect(steps).toEqual(['card', 'pause', 'balance', 'close'])
    expect(outcome).toEqual({ kind: 'done', receipt: providerId, balance: '15.00' })
    expect(stateOf(limit, providerId)).toBe('CLOSED')
  })

  test('a closing that Lithic refuses opens the card again', async () => {
    const { id, providerId } = await limit.card('25.00')
    const request = limit.setStatus(id, 'closed')
    const action = await limit.actionOf(request, 'close')
    limit.behave('updateCard', '400')
    const sent = await action.send()
    if (sent.kind !== 'refused') throw new Error(`not refused: ${JSON.stringify(sent)}`)
    const { outcome, steps } = await limit.run(request, limit.provider, {
      card: { outcome: 'done', facts: { state: 'OPEN', limit: '25.00', limit_duration: 'FOREVER' } },
      pause: { outcome: 'done', facts: { state: 'PAUSED' } },
      balance: { outcome: 'done', facts: { available: '25.00' } },
      close: limit.end(sent),
    })
    expect(steps).toEqual(['recheck', 'resume'])
    expect(outcome).toMatchObject({ kind: 'refused', code: 'lithic_400' })
    expect(stateOf(limit, providerId)).toBe('OPEN')
  })

  test('a card that was overdrawn has nothing left', async () => {
    const { id, providerId } = await limit.card('25.00')
    settle(limit.world, purchase(limit.world, { card: providerId, amount: 2_500n }).token, { amount: 3_000n })
    expect(await limit.run(limit.setStatus(id, 'closed'))).toMatchObject({ outcome: { balance: '0.00' } })
  })

  test('a card whose limit the adapter does not know is refused', async () => {
    const { id, providerId } = await limit.card('25.00')
    limit.objects.set(id, { kind: 'card', id, providerId, facts: {} })
    expect(await limit.run(limit.topUp(id))).toMatchObject({ outcome: { code: 'limit_unknown' } })
  })

  test('a limit of zero, which would be none, is never sent', async () => {
    const before = limit.world.cards.size
    expect(await limit.run(limit.issue({ amount: '0.00' }))).toMatchObject({ outcome: { code: 'amount_zero' } })
    const { id } = await limit.card('25.00')
    expect(await limit.run(limit.topUp(id, '0'))).toMatchObject({ outcome: { code: 'amount_zero' }, steps: [] })
    expect(limit.world.cards.size).toBe(before + 1)
  })
})
