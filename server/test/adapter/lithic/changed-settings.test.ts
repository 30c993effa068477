// The settings of Lithic are changed while a request is open, behind the real kernel: what may have been carried out is not answered as refused, and what
// was carried out is not forgotten.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { upsertDetails } from '../../../src/adapter/holder-details/queries.ts'
import { decide } from '../../../src/adapter/kernel/operator/decide.ts'
import { listOpen } from '../../../src/adapter/kernel/operator/queries.ts'
import { reconcileCards } from '../../../src/adapter/kernel/operator/reconcile.ts'
import { formatId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { issueOf, KernelWorld, statusOf, topupOf } from '../kernel/world.ts'
import { DETAILS, LithicWorld } from './world.ts'

const HOLDER = formatId('hld', randomUUID())
const world = await KernelWorld.start()
const lithic = await LithicWorld.start('balance')
const formerSettings = lithic.createProvider()
const newSettings = lithic.createProvider({ mode: 'limit', fundingAccount: undefined })
await upsertDetails(world.db, { id: HOLDER, companyId: null, details: DETAILS, by: 'Ada', now: world.clock.now() })
afterAll(async () => {
  await world.stop()
  await lithic.stop()
})
beforeEach(async () => {
  await world.clear()
  lithic.world.cards.clear()
  world.createProvider = () => formerSettings
})

async function issueCard() {
  const body = issueOf('25.00', HOLDER)
  expect((await world.put(randomUUID(), body)).answer).toMatchObject({ outcome: 'done' })
  const at = must([...lithic.world.cards.keys()].at(-1))
  return { cardId: body.cardId, at, state: () => must(lithic.world.cards.get(at)).state }
}

async function answerTo(token: string) {
  await world.settle()
  return (await world.lookUp(token)).answer
}

test('a transfer that may have been made waits for a person when the account that paid for it is removed', async () => {
  const { cardId, at } = await issueCard()
  const token = randomUUID()
  lithic.behave('createTransfer', 'lost')
  expect((await world.put(token, topupOf(cardId))).status).toBe(503)
  world.createProvider = () => newSettings
  await world.settle()
  expect(await listOpen(world.db, 10)).toMatchObject([
    { token, waiting_reason: expect.stringMatching(/^transfer: It is not known whether this was carried out/) },
  ])
  expect((await world.lookUp(token)).status).toBe(503)
  world.createProvider = () => formerSettings
  const person = { by: 'Grace', reason: 'The account is named again.' }
  expect((await decide(world.deps(), { token, decision: 'look_up', ...person })).kind).toBe('decided')
  expect(await answerTo(token)).toMatchObject({ outcome: 'done' })
  expect(lithic.available(at)).toBe('45.00')
})

/** The next answer to a step of this name says that Lithic is busy. The step is not sent, and the request goes on later. */
function delay(name: string, route: 'createTransfer' | 'updateCard') {
  world.createProvider = () => ({
    ...formerSettings,
    next(request, history) {
      const next = formerSettings.next(request, history)
      if (next.kind === 'step' && next.step.name === name) lithic.behave(route, '429')
      return next
    },
  })
}

test('a close goes on without the account when the money was taken back', async () => {
  const { cardId, state } = await issueCard()
  const token = randomUUID()
  delay('close', 'updateCard')
  await world.put(token, statusOf(cardId, 'closed'))
  world.createProvider = () => newSettings
  expect(await answerTo(token)).toMatchObject({ outcome: 'done', balance: '25.00' })
  expect(state()).toBe('CLOSED')
})

test('a close that needs the account is refused, and the card is open again with its money', async () => {
  const { cardId, at, state } = await issueCard()
  const token = randomUUID()
  delay('return', 'createTransfer')
  await world.put(token, statusOf(cardId, 'closed'))
  expect(state()).toBe('PAUSED')
  world.createProvider = () => newSettings
  expect(await answerTo(token)).toMatchObject({ outcome: 'refused', code: 'funding_account_missing' })
  expect([state(), lithic.available(at)]).toEqual(['OPEN', '25.00'])
})

test('cards with a balance are compared by their balance when new cards have a limit', async () => {
  const { cardId } = await issueCard()
  await world.put(randomUUID(), topupOf(cardId))
  expect(await reconcileCards(world.db, newSettings)).toMatchObject({
    cards: 1,
    differences: [],
    owed: 45_00n,
    atProvider: 45_00n,
  })
})
