// The table of outcomes: what follows from each answer, whatever was asked, and how long a lease covers the call.
import { describe, expect, it, test } from 'vitest'
import { type Evidence, nextStep } from './evidence.ts'
import { leaseUntil, sendWithinMs } from './lease.ts'

const NOW = new Date('2026-03-10T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const DELAYS_MS = [0, 5_000]

const confirmed: Evidence = { kind: 'confirmed' }
const declined: Evidence = { kind: 'declined', code: 'limit', message: 'Too much.' }
const notSent: Evidence = { kind: 'not_sent' }
const unknown: Evidence = { kind: 'unknown' }

test.each<[Evidence, lookUpsDone: number, sendsDone: number, step: object]>([
  [confirmed, 0, 0, { kind: 'complete' }],
  [confirmed, 99, 99, { kind: 'complete' }],
  [declined, 0, 0, { kind: 'fail', failure: { code: 'limit', message: 'Too much.' } }],
  [declined, 99, 99, { kind: 'fail', failure: { code: 'limit', message: 'Too much.' } }],
  [notSent, 0, 0, { kind: 'send_again', at: later(0) }],
  [notSent, 0, 1, { kind: 'send_again', at: later(5_000) }],
  [notSent, 0, 2, { kind: 'fail', failure: { code: 'issuer_unreachable' } }],
  [unknown, 0, 0, { kind: 'look_up', at: later(0) }],
  [unknown, 1, 0, { kind: 'look_up', at: later(5_000) }],
  [unknown, 2, 0, { kind: 'review' }],
  [unknown, 99, 99, { kind: 'review' }],
])('%j after %i look-ups and %i sends that did not leave leads to %j', (evidence, lookUps, sends, step) => {
  const attempts = {
    now: NOW,
    lookUps: { done: lookUps, delaysMs: DELAYS_MS },
    sends: { done: sends, delaysMs: DELAYS_MS },
  }
  expect(nextStep(evidence, attempts)).toMatchObject(step)
})

it('what may not be sent again fails when nothing was sent', () => {
  const attempts = { now: NOW, lookUps: { done: 0, delaysMs: DELAYS_MS } }
  expect(nextStep(notSent, attempts)).toMatchObject({ kind: 'fail', failure: { code: 'issuer_unreachable' } })
})

describe('a lease', () => {
  it.each([1_000, 30_000, 120_000])('outlives a call of %i ms that was begun at the last moment', (timeoutMs) => {
    const leaseMs = leaseUntil(NOW, timeoutMs).getTime() - NOW.getTime()
    expect(leaseMs).toBeGreaterThan(sendWithinMs(timeoutMs) + timeoutMs)
  })
})
