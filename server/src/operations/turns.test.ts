// Whose turn it is in the queue of operations, and where in the queue of a company the last claim ended.
import { expect, it } from 'vitest'
import type { ClaimedOperation } from './queries.ts'
import { createTurns, summarise } from './turns.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const at = (secondsAgo: number) => new Date(NOW.getTime() - secondsAgo * 1000)
const nameOf = (number: number) => `company-${String(number).padStart(3, '0')}`
const rows = (company: number, ...created: Date[]) =>
  created.map((created_at) => ({ company_id: nameOf(company), created_at }) as ClaimedOperation)

/** Records a claim of eight, in which each company may have one. */
function claim(turns: ReturnType<typeof createTurns>, claimed: readonly ClaimedOperation[]) {
  const turn = turns.next(8)
  turns.record(turn, summarise(claimed), NOW)
  return turn
}

it('the next claim goes on after the newest operation of a company that used its share', () => {
  const turns = createTurns(() => 0)
  claim(turns, [...rows(2, at(50), at(60)), ...rows(1, at(70))])
  const { share, companies, positions } = turns.next(8)
  expect({ share, companies, positions }).toEqual({
    share: 1,
    companies: [nameOf(1), nameOf(2)],
    positions: [at(70), at(50)],
  })
})

it('a company that used less than its share is not remembered, because all of its queue was seen', () => {
  const turns = createTurns(() => 0)
  const turn = turns.next(16)
  expect(turn.share).toBe(2)
  turns.record(turn, summarise(rows(1, at(50))), NOW)
  expect(turns.next(16).companies).toEqual([])
})

it('a remembered company that has less again is searched from a second ago, or from its last operation', () => {
  const turns = createTurns(() => 0)
  for (const [created, expected] of [
    [at(0.2), at(1)],
    [at(30), at(30)],
  ] as const) {
    turns.record(turns.next(16), summarise(rows(1, at(50), at(40))), NOW)
    turns.record(turns.next(16), summarise(rows(1, created)), NOW)
    expect(turns.next(16).positions).toEqual([expected])
  }
})

it('a company without an operation is searched from a second ago, for what was committed late', () => {
  const turns = createTurns(() => 0)
  claim(turns, [...rows(1, at(0.2)), ...rows(2, at(30))])
  claim(turns, [])
  expect(turns.next(8).positions).toEqual([at(1), at(30)])
})

it('of more than 64 companies the one that was served longest ago is forgotten', () => {
  const turns = createTurns(() => 0)
  for (let number = 0; number < 64; number += 1) claim(turns, rows(number, at(100)))
  claim(turns, rows(0, at(90)))
  claim(turns, rows(64, at(90)))
  const { companies } = turns.next(8)
  expect(companies).toHaveLength(64)
  expect([companies.includes(nameOf(0)), companies.includes(nameOf(1))]).toEqual([true, false])
})

it('the turn goes on after the company that was served last, and begins again after the last one', () => {
  const turns = createTurns(() => 0)
  const served = [
    [[3, 5], 5],
    [[7, 9], 9],
    // The claim began after 9, so 2 was served last.
    [[1, 2], 2],
    [[4, 8], 8],
    [[9, 1], 1],
  ] as const
  for (const [companies, last] of served) {
    claim(
      turns,
      companies.flatMap((company) => rows(company, at(10))),
    )
    expect(turns.next(8).after).toBe(nameOf(last))
  }
  claim(turns, [])
  expect(turns.next(8).after).toBe(nameOf(1))
})

it('all positions are forgotten every five seconds, for what was committed late or queued again before them', () => {
  let nowMs = 0
  const turns = createTurns(() => nowMs)
  claim(turns, rows(1, at(10)))
  nowMs = 5_000
  expect(turns.next(8).companies).toEqual([nameOf(1)])
  nowMs = 5_001
  expect(turns.next(8).companies).toEqual([])
  claim(turns, rows(1, at(10)))
  nowMs = 10_001
  expect(turns.next(8).companies).toEqual([nameOf(1)])
})
