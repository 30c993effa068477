// The kernel beside a bank whose answers are lost, delayed or false: nothing is sent twice by itself, and what cannot be known waits for a
// person.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { decide } from '../../../src/adapter/kernel/operator/decide.ts'
import { countOpen, listOpen } from '../../../src/adapter/kernel/operator/queries.ts'
import { listSteps } from '../../../src/adapter/kernel/queries.ts'
import { poll } from '../../../src/adapter/kernel/objects/poll.ts'
import { reconcileCards } from '../../../src/adapter/kernel/operator/reconcile.ts'
import { readStaleCards } from '../../../src/adapter/kernel/objects/stale-cards.ts'
import { runTasks } from '../../../src/adapter/kernel/tasks.ts'
import { must } from '../../../src/lib/invariant.ts'
import { issueOf, KernelWorld, statusOf, topupOf } from './world.ts'

const world = await KernelWorld.start()
afterAll(() => world.stop())
beforeEach(() => world.clear())

const DAY_MS = 24 * 60 * 60 * 1_000
const person = { by: 'Grace', reason: 'Seen in the bank’s console.' }

async function issueCard() {
  const body = issueOf()
  const { status, answer } = await world.put(randomUUID(), body)
  expect([status, answer.outcome]).toEqual([200, 'done'])
  return { cardId: body.cardId, at: must([...world.bank.cards.values()].at(-1)) }
}
const pollAll = async () => {
  while (await poll({ ...world.deps(), identity: 'example test' }));
}
const waiting = async () => (await countOpen(world.db))?.waiting

describe('an answer that is lost', () => {
  test('after the transfer was made: it is looked up, never sent again, and the server is told', async () => {
    const token = randomUUID()
    world.bank.fail('transfer', 'lost')
    const { status } = await world.put(token, issueOf())
    expect(status).toBe(503)
    await world.settle()
    expect(world.bank.calls.filter((call) => call.startsWith('transfer'))).toHaveLength(1)
    expect((await world.lookUp(token)).answer).toMatchObject({ outcome: 'done', amount: '50.00' })
    expect(await world.events()).toMatchObject([{ type: 'operation.completed', data: { token, kind: 'issue' } }])
  })

  test('and a look-up that finds nothing: it waits for a person with what was sent', async () => {
    const token = randomUUID()
    world.bank.fail('transfer', 'dropped')
    await world.put(token, issueOf())
    await world.settle()
    expect(await listOpen(world.db, 10)).toMatchObject([
      { token, waiting_reason: 'transfer: no answer The look-up says: The bank does not know it.' },
    ])
    expect((await listSteps(world.db, [token])).map(({ name, state }) => [name, state])).toEqual([
      ['holder', 'done'],
      ['card', 'done'],
      ['transfer', 'unknown'],
    ])
    expect((await world.lookUp(token)).status).toBe(503)
    // It may have been carried out, so it cannot be fenced.
    expect((await world.fence(token)).status).toBe(503)
  })

  test('a person lets it be sent once more with the same key, and the bank carries it out once', async () => {
    const token = randomUUID()
    world.bank.fail('transfer', 'lost')
    world.bank.isBlind = true
    await world.put(token, issueOf())
    await world.settle()
    expect(await waiting()).toBe(1)
    expect(await decide(world.deps(), { token, decision: 'send_again', ...person })).toEqual({
      kind: 'decided',
      step: 'transfer',
    })
    // The second of two people is told that it was decided.
    expect((await decide(world.deps(), { token, decision: 'not_carried_out', ...person })).kind).toBe('refused')
    await world.settle()
    expect((await world.lookUp(token)).answer.outcome).toBe('done')
    expect([...world.bank.cards.values()].map(({ balance }) => balance)).toEqual([50_00n])
  })

  test('but not after the bank may have forgotten the key', async () => {
    const token = randomUUID()
    world.bank.fail('transfer', 'dropped')
    await world.put(token, issueOf())
    await world.settle()
    world.clock.advance(DAY_MS)
    const decided = await decide(world.deps(), { token, decision: 'send_again', ...person })
    expect(decided).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('forgotten the idempotency key'),
    })
    expect(await decide(world.deps(), { token, decision: 'not_carried_out', ...person })).toMatchObject({
      kind: 'decided',
    })
    await world.settle()
    expect((await world.lookUp(token)).answer).toMatchObject({ outcome: 'refused', code: 'not_carried_out' })
    // The card was made, so it was closed again.
    expect([...world.bank.cards.values()].map(({ status }) => status)).toEqual(['closed'])
    expect(await world.events()).toMatchObject([{ type: 'operation.failed', data: { code: 'not_carried_out' } }])
  })
})

describe('a bank that cannot be reached', () => {
  test('is tried again by itself, because nothing was sent', async () => {
    const token = randomUUID()
    for (let time = 0; time < 3; time += 1) world.bank.fail('holder', 'unreachable')
    await world.put(token, issueOf())
    for (let round = 0; round < 10; round += 1) {
      world.clock.advance(2_000)
      await runTasks(world.deps())
    }
    expect((await world.lookUp(token)).answer.outcome).toBe('done')
    expect(world.bank.holders.size).toBe(1)
  })

  test('for five minutes: the request is refused, because nothing was sent', async () => {
    const token = randomUUID()
    for (let time = 0; time < 60; time += 1) world.bank.fail('holder', 'unreachable')
    await world.put(token, issueOf())
    await world.settle()
    expect((await world.lookUp(token)).answer).toMatchObject({ outcome: 'refused', code: 'provider_unavailable' })
    expect(world.bank.calls).toEqual([])
  })
})

describe('a fence', () => {
  test('before the request: the request is refused and nothing is sent', async () => {
    const token = randomUUID()
    expect(await world.fence(token)).toMatchObject({ status: 200, answer: { token, outcome: 'absent' } })
    expect((await world.put(token, issueOf())).answer).toMatchObject({ outcome: 'refused', code: 'fenced' })
    expect((await world.lookUp(token)).status).toBe(404)
    expect(world.bank.calls).toEqual([])
  })

  test('while the bank cannot be reached: it is absent, and is never sent', async () => {
    const token = randomUUID()
    world.bank.fail('holder', 'unreachable')
    await world.put(token, issueOf())
    expect(await world.fence(token)).toMatchObject({ status: 200, answer: { outcome: 'absent' } })
    world.clock.advance(DAY_MS)
    await runTasks(world.deps())
    expect(world.bank.calls).toEqual([])
  })

  test('that races a request: either it is absent and nothing was sent, or the request is answered', async () => {
    for (let round = 0; round < 20; round += 1) {
      await world.clear()
      const token = randomUUID()
      const [put, fenced] = await Promise.all([world.put(token, issueOf()), world.fence(token)])
      await world.settle()
      const isAbsent = fenced.answer.outcome === 'absent'
      expect(world.bank.cards.size).toBe(isAbsent ? 0 : 1)
      if (isAbsent) expect(put.answer).not.toMatchObject({ outcome: 'done' })
      else expect((await world.lookUp(token)).answer.outcome).toBe('done')
    }
  })
})

describe('two at once', () => {
  test('one token from two processes is carried out once', async () => {
    const token = randomUUID()
    const body = issueOf()
    await Promise.all([world.put(token, body), world.put(token, body), runTasks(world.deps())])
    await world.settle()
    expect(world.bank.calls).toHaveLength(3)
    expect((await world.put(token, body)).answer.outcome).toBe('done')
  })

  test('a token with other content is a conflict', async () => {
    const token = randomUUID()
    const body = issueOf()
    await world.put(token, body)
    await expect(world.put(token, { ...body, amount: '51.00' })).rejects.toMatchObject({ code: 'event_conflict' })
  })

  test('two issues for a new holder create the holder once', async () => {
    await Promise.all([world.put(randomUUID(), issueOf()), world.put(randomUUID(), issueOf())])
    await world.settle()
    expect(world.bank.holders.size).toBe(1)
    expect(world.bank.cards.size).toBe(2)
  })

  test('a top-up whose outcome is open does not hinder a freeze, and a close waits for it', async () => {
    const { cardId, at } = await issueCard()
    const topup = randomUUID()
    world.bank.fail('transfer', 'dropped')
    await world.put(topup, topupOf(cardId))
    expect((await world.put(randomUUID(), statusOf(cardId, 'frozen'))).answer.outcome).toBe('done')
    const close = randomUUID()
    expect((await world.put(close, statusOf(cardId, 'closed'))).status).toBe(503)
    for (let round = 0; round < 10; round += 1) {
      world.clock.advance(130_000)
      await runTasks(world.deps())
    }
    expect(at.status).toBe('frozen')
    await decide(world.deps(), { token: topup, decision: 'send_again', ...person })
    await world.settle()
    expect((await world.lookUp(close)).answer).toMatchObject({ outcome: 'done', balance: '70.00' })
    expect(at).toMatchObject({ status: 'closed', balance: 0n })
  })
})

describe('events of the bank', () => {
  test('a payment is sent once, whoever reads it and however often', async () => {
    const { cardId, at } = await issueCard()
    await pollAll()
    for (let count = 0; count < 5; count += 1) world.bank.pay(at.id, 1_00n)
    await Promise.all([pollAll(), pollAll()])
    await pollAll()
    const events = await world.events()
    expect(events).toHaveLength(5)
    expect(events[0]).toMatchObject({ type: 'card.transaction', data: { cardId, amount: '-1.00' } })
  })

  test('a payment with a card whose issue is open waits for the card', async () => {
    await pollAll()
    world.bank.fail('card', 'lost')
    const token = randomUUID()
    const body = issueOf()
    await world.put(token, body)
    world.bank.pay(must([...world.bank.cards.values()][0]).id, 3_00n)
    await pollAll()
    expect(await world.events()).toEqual([])
    await world.settle()
    expect((await world.events()).filter(({ type }) => type === 'card.transaction')).toMatchObject([
      { data: { cardId: body.cardId, amount: '-3.00' } },
    ])
  })

  test('a card that somebody froze at the bank is reported, and one that the server froze is not', async () => {
    const { cardId, at } = await issueCard()
    await pollAll()
    await world.put(randomUUID(), statusOf(cardId, 'frozen'))
    await pollAll()
    await readStaleCards(world.deps())
    expect(await world.events()).toEqual([])
    world.bank.changeStatus(at.id, 'active')
    await pollAll()
    await readStaleCards(world.deps())
    expect(await world.events()).toMatchObject([{ type: 'card.status', data: { cardId, status: 'active' } }])
  })
})

describe('reconciliation', () => {
  test('finds nothing after payments, top-ups and a close, and what somebody changed at the bank', async () => {
    const first = await issueCard()
    const second = await issueCard()
    await pollAll()
    await world.put(randomUUID(), topupOf(first.cardId))
    world.bank.pay(first.at.id, 5_00n)
    await pollAll()
    await world.put(randomUUID(), statusOf(second.cardId, 'closed'))
    const deps = world.deps()
    expect(await reconcileCards(world.db, deps.provider)).toMatchObject({ cards: 2, differences: [], owed: 65_00n })
    first.at.balance += 7n
    world.bank.createCard('by hand', 'h1')
    expect((await reconcileCards(world.db, deps.provider)).differences).toMatchObject([
      { cardId: first.cardId, what: 'amount', books: '6500', provider: '6507' },
      { cardId: null, what: 'unknown_here' },
    ])
  })
})
