// A closing whose last call Lithic does not carry out, behind the real kernel: the money that was taken back returns to the card, because the server keeps
// the card and its balance.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { upsertDetails } from '../../../src/adapter/holder-details/queries.ts'
import { decide } from '../../../src/adapter/kernel/operator/decide.ts'
import { countOpen, listOpen } from '../../../src/adapter/kernel/operator/queries.ts'
import { listSteps } from '../../../src/adapter/kernel/queries.ts'
import type { CardProvider, CardRequest, History, Next } from '../../../src/adapter/provider.ts'
import type { AnswerMode } from '../../../src/adapter/simulators/lithic/behaviour.ts'
import { formatId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { issueOf, KernelWorld, statusOf } from '../kernel/world.ts'
import { DETAILS, FUNDING, LithicWorld } from './world.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const POINTS_MAX = 400
const HOLDER = formatId('hld', randomUUID())
const person = { by: 'Grace', reason: 'Seen in the dashboard of Lithic.' }
const world = await KernelWorld.start()
const lithic = await LithicWorld.start('balance')
/** How Lithic answers to a step of these names; normally to the others. */
let answers: Partial<Record<string, AnswerMode>> = {}
/** Look-ups of changes find nothing out. */
let isBlind = false
/** Whether the step `close` has come. */
let isClosing = false
world.createProvider = () => withAnswers(lithic.provider)
const details = { id: HOLDER, companyId: null, details: DETAILS, by: 'Ada', now: world.clock.now() }
await upsertDetails(world.db, details)
afterAll(async () => {
  await world.stop()
  await lithic.stop()
})
beforeEach(() => {
  answers = {}
  isBlind = false
})

function withAnswers(provider: CardProvider): CardProvider {
  const next = (request: CardRequest, history: History): Next => {
    const found = provider.next(request, history)
    if (found.kind !== 'step' || found.step.type === 'reading') return found
    const { step } = found
    if (step.name === 'close') isClosing = true
    const send = () => {
      const route = step.name === 'return' || step.name === 'restore' ? 'createTransfer' : 'updateCard'
      const mode = answers[step.name]
      if (mode !== undefined) lithic.behave(route, mode)
      return step.send()
    }
    const lookUp = async () => (isBlind ? ({ kind: 'unknown', reason: 'no answer' } as const) : step.lookUp())
    return { kind: 'step', step: { ...step, send, lookUp } }
  }
  return { ...provider, next }
}

async function issueCard() {
  await world.clear()
  isClosing = false
  const body = issueOf('25.00', HOLDER)
  const { answer } = await world.put(randomUUID(), body)
  expect(answer).toMatchObject({ outcome: 'done' })
  const at = must([...lithic.world.cards.keys()].at(-1))
  return { close: statusOf(body.cardId, 'closed'), at, state: () => must(lithic.world.cards.get(at)).state }
}

async function answerTo(token: string) {
  await world.settle()
  return (await world.lookUp(token)).answer
}
const stepsOf = async (token: string) => (await listSteps(world.db, [token])).map(({ name }) => name)

/** The card can be closed later, and its money is what the server gets. */
async function expectClosable({ close, at, state }: Awaited<ReturnType<typeof issueCard>>) {
  answers = {}
  expect(lithic.available(at)).toBe('25.00')
  const { answer } = await world.put(randomUUID(), close)
  expect(answer).toMatchObject({ outcome: 'done', balance: '25.00' })
  expect([lithic.available(at), state()]).toEqual(['0.00', 'CLOSED'])
}

test('a close that Lithic refuses ends with the money back on the card, which is open again', async () => {
  const card = await issueCard()
  const float = lithic.available(FUNDING)
  const token = randomUUID()
  answers = { close: '400' }
  expect((await world.put(token, card.close)).answer).toMatchObject({ outcome: 'refused', code: 'lithic_400' })
  expect(await stepsOf(token)).toEqual(['card', 'pause', 'balance', 'return', 'close', 'recheck', 'restore', 'resume'])
  expect([lithic.available(card.at), lithic.available(FUNDING), card.state()]).toEqual(['25.00', float, 'OPEN'])
  await expectClosable(card)
})

test('a close that nobody answers can be sent again however late, and the card is closed', async () => {
  const { close, at, state } = await issueCard()
  const token = randomUUID()
  answers = { close: 'cut' }
  await world.put(token, close)
  await world.settle()
  world.clock.advance(2 * DAY_MS)
  answers = {}
  expect(await decide(world.deps(), { token, decision: 'send_again', ...person })).toMatchObject({ kind: 'decided' })
  expect(await answerTo(token)).toMatchObject({ outcome: 'done', balance: '25.00' })
  expect([lithic.available(at), state()]).toEqual(['0.00', 'CLOSED'])
})

test('a close that a person ends as not carried out leaves the money on the card', async () => {
  const card = await issueCard()
  const token = randomUUID()
  answers = { close: 'cut' }
  await world.put(token, card.close)
  await world.settle()
  await decide(world.deps(), { token, decision: 'not_carried_out', ...person })
  expect(await answerTo(token)).toMatchObject({ outcome: 'refused', code: 'not_carried_out' })
  expect(card.state()).toBe('OPEN')
  await expectClosable(card)
})

test('a close that a person ends as not carried out is done if Lithic closed the card all the same', async () => {
  const { close, at } = await issueCard()
  const token = randomUUID()
  answers = { close: 'lost' }
  isBlind = true
  await world.put(token, close)
  await world.settle()
  isBlind = false
  await decide(world.deps(), { token, decision: 'not_carried_out', ...person })
  expect(await answerTo(token)).toMatchObject({ outcome: 'done', balance: '25.00' })
  expect(lithic.available(at)).toBe('0.00')
})

test.each(['lost', 'acted_500', 'garbage', 'unfit', '429'] as const)(
  'a refused close puts the money back once if the answer to that is %s',
  async (mode) => {
    const card = await issueCard()
    const token = randomUUID()
    answers = { close: '422', restore: mode }
    await world.put(token, card.close)
    answers = { close: '422' }
    expect(await answerTo(token)).toMatchObject({ outcome: 'refused', code: 'lithic_422' })
    expect(card.state()).toBe('OPEN')
    await expectClosable(card)
  },
)

test('a refused close waits for a person if the money cannot be put back', async () => {
  const card = await issueCard()
  const float = must(lithic.world.accounts.get(FUNDING))
  const { total } = float
  const token = randomUUID()
  answers = { close: '400', restore: '400' }
  await world.put(token, card.close)
  await world.settle()
  expect(await listOpen(world.db, 10)).toMatchObject([{ token, waiting_reason: expect.stringMatching(/^restore: /) }])
  // The person does it by hand.
  float.total -= 2_500n
  must(lithic.world.accounts.get(card.at)).total += 2_500n
  expect(float.total).toBe(total)
  await decide(world.deps(), { token, decision: 'not_carried_out', ...person })
  expect(await answerTo(token)).toMatchObject({ outcome: 'refused', code: 'lithic_400' })
  expect(card.state()).toBe('OPEN')
  await expectClosable(card)
})

test(
  'a refused close is killed at every point from its refusal on: no money is lost',
  { timeout: 600_000 },
  async () => {
    let points = 0
    for (let point = 1; point <= POINTS_MAX; point += 1) {
      const card = await issueCard()
      const token = randomUUID()
      answers = { close: '400' }
      const wasKilled = await world.killAt(point, token, card.close, () => isClosing)
      await world.settle()
      if (((await countOpen(world.db))?.waiting ?? 0) > 0) await decideAsPerson(token)
      expect((await world.lookUp(token)).answer, `point ${point}`).toMatchObject({ code: 'lithic_400' })
      await expectClosable(card)
      if (!wasKilled) {
        points = point - 1
        break
      }
    }
    expect(points).toBeGreaterThan(10)
    expect(points).toBeLessThan(POINTS_MAX)
  },
)

/** Killed after it was stored that a call is made and before it was made. */
async function decideAsPerson(token: string): Promise<void> {
  const made = { token, ...person }
  const again = await decide(world.deps(), { ...made, decision: 'send_again' })
  // The card cannot be opened twice: somebody may have paused it since.
  if (again.kind === 'refused') {
    expect(again.message).toContain('no idempotency key for the step resume')
    expect((await decide(world.deps(), { ...made, decision: 'not_carried_out' })).kind).toBe('decided')
  }
  await world.settle()
}
