// The kernel is killed at every point of every kind of request, and started again. Nothing is done twice, and the answer is the truth.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { RequestBody } from '../../../src/issuer/http/protocol.ts'
import { decide } from '../../../src/adapter/kernel/operator/decide.ts'
import { countOpen } from '../../../src/adapter/kernel/operator/queries.ts'
import { issueOf, KernelWorld, statusOf, topupOf } from './world.ts'

const world = await KernelWorld.start()
afterAll(() => world.stop())

/** More points than any request has. */
const POINTS_MAX = 400

interface Case {
  readonly name: string
  /** Prepares the bank, and returns the request. */
  prepare(): Promise<RequestBody>
  /** Checks the bank against the answer. */
  check(body: RequestBody, outcome: string): void
}

async function issueCard(): Promise<string> {
  const body = issueOf()
  const { answer } = await world.put(randomUUID(), body)
  expect(answer.outcome).toBe('done')
  return body.cardId
}

const onlyCard = () => [...world.bank.cards.values()].at(-1)

const CASES: readonly Case[] = [
  {
    name: 'an issue',
    prepare: async () => issueOf(),
    check(_body, outcome) {
      // Refused only if a person decided that the holder was not created.
      const isDone = outcome === 'done'
      expect([...world.bank.cards.values()].map(({ balance }) => balance)).toEqual(isDone ? [50_00n] : [])
      expect(world.bank.holders.size).toBe(isDone ? 1 : 0)
    },
  },
  {
    name: 'an issue that the bank has no money for',
    async prepare() {
      world.bank.float = 10_00n
      return issueOf()
    },
    check(_body, outcome) {
      expect(outcome).toBe('refused')
      for (const card of world.bank.cards.values()) expect(card).toMatchObject({ status: 'closed', balance: 0n })
    },
  },
  {
    name: 'a top-up',
    prepare: async () => topupOf(await issueCard()),
    check(_body, outcome) {
      expect(outcome).toBe('done')
      expect(onlyCard()?.balance).toBe(70_00n)
    },
  },
  {
    name: 'a close',
    async prepare() {
      const cardId = await issueCard()
      world.bank.pay(onlyCard()?.id ?? '', 12_50n)
      return statusOf(cardId, 'closed')
    },
    check(_body, outcome) {
      expect(outcome).toBe('done')
      expect(onlyCard()).toMatchObject({ status: 'closed', balance: 0n })
      expect(world.bank.float).toBe(1_000_000n - 12_50n)
    },
  },
]

for (const { name, prepare, check } of CASES) {
  test(`${name}: killed at every point, it is carried out once and answered truly`, { timeout: 600_000 }, async () => {
    let points = 0
    for (let point = 1; point <= POINTS_MAX; point += 1) {
      await world.clear()
      const body = await prepare()
      const token = randomUUID()
      const wasKilled = await world.killAt(point, token, body)
      await world.settle()
      await decideAsPerson(token)
      expect((await countOpen(world.db))?.open, `point ${point}`).toBe(0)
      // Whoever asks again with the same token gets the outcome and changes nothing.
      const { answer } = await world.put(token, body)
      const { answer: found } = await world.lookUp(token)
      expect(found, `point ${point}`).toEqual(answer)
      check(body, answer.outcome)
      expect(new Set(world.bank.calls).size, `calls made twice at point ${point}`).toBe(world.bank.calls.length)
      if (!wasKilled) {
        points = point - 1
        break
      }
    }
    expect(points).toBeGreaterThan(10)
    expect(points).toBeLessThan(POINTS_MAX)
  })
}

/** Killed after it was stored that a call is made and before it was made: nobody can know that, and a person decides. */
async function decideAsPerson(token: string): Promise<void> {
  const made = { token, by: 'Grace', reason: 'The bank does not have it.' }
  if (((await countOpen(world.db))?.waiting ?? 0) === 0) return
  const again = await decide(world.deps(), { ...made, decision: 'send_again' })
  // The bank takes no key for a holder, so it must not be sent again.
  if (again.kind === 'refused') {
    expect(again.message).toContain('no idempotency key for the step holder')
    expect((await decide(world.deps(), { ...made, decision: 'not_carried_out' })).kind).toBe('decided')
  }
  await world.settle()
}
