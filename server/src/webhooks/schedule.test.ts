// What a receiver's answer means for the delivery, its endpoint and the next attempt.
import { describe, expect, it } from 'vitest'
import { ATTEMPT_DELAYS_MS, FAILING_MAX_MS, judge } from './schedule.ts'

const NOW = new Date('2026-01-15T10:00:00.000Z')
const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const answer = (statusCode: number, retryAfter?: string) => ({ kind: 'answered', statusCode, retryAfter }) as const
const at = (number: number, random = 0.5) => ({ number, now: NOW, random })
const later = (ms: number) => new Date(NOW.getTime() + ms)

it('the attempts are made after these times, and an endpoint is disabled after five days', () => {
  const hours = ATTEMPT_DELAYS_MS.map((ms) => ms / HOUR_MS)
  expect(hours).toEqual([0, 5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24])
  expect(FAILING_MAX_MS).toBe(120 * HOUR_MS)
})

describe('an answer', () => {
  it.each([
    [199, 'pending'],
    [200, 'delivered'],
    [299, 'delivered'],
    [300, 'pending'],
  ] as const)('of %i leaves its delivery %s', (statusCode, status) => {
    expect(judge(answer(statusCode), at(1)).status).toBe(status)
  })

  it('that is good asks for nothing, whatever its headers say', () => {
    const expected = { status: 'delivered', dueAt: null, pauseMs: 0, isGone: false }
    expect(judge(answer(200, '60'), at(1))).toEqual(expected)
  })

  it('that asks for a pause gets an hour for its endpoint at most, and a day for its event', () => {
    const judged = (seconds: string, number = 1) => judge(answer(503, seconds), at(number))
    expect(judged('3600')).toMatchObject({ pauseMs: HOUR_MS, dueAt: later(HOUR_MS) })
    expect(judged('7200')).toMatchObject({ pauseMs: HOUR_MS, dueAt: later(2 * HOUR_MS) })
    expect(judged('172800')).toMatchObject({ pauseMs: HOUR_MS, dueAt: later(24 * HOUR_MS) })
    expect(judged('60', 10)).toEqual({ status: 'failed', dueAt: null, pauseMs: 60 * SECOND_MS, isGone: false })
    // A text that is a date only for a lenient parser counts as not given.
    expect(judged('2026-01-15T11:00:00Z')).toMatchObject({ pauseMs: 0, dueAt: later(5 * SECOND_MS) })
  })

  it('that asks for less than the schedule changes only the pause', () => {
    expect(judge(answer(429, '60'), at(3))).toMatchObject({ pauseMs: 60 * SECOND_MS, dueAt: later(HOUR_MS / 2) })
  })

  it('of 410 is the end also at the last attempt, and a missing answer is none', () => {
    expect(judge(answer(410), at(10))).toEqual({ status: 'failed', dueAt: null, pauseMs: 0, isGone: true })
    expect(judge({ kind: 'unanswered' }, at(10))).toEqual({ status: 'failed', dueAt: null, pauseMs: 0, isGone: false })
  })

  it.each([
    [0, 0.9],
    [0.25, 0.95],
    [1, 1.1],
  ])('is followed by the next attempt, with chance %d, after %d of its time', (random, part) => {
    expect(judge({ kind: 'unanswered' }, at(4, random)).dueAt).toEqual(later(2 * HOUR_MS * part))
  })
})
