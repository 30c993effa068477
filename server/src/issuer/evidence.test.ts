// The table of outcomes: what follows from each answer, whatever was asked, and how long a lease covers the call.
import { describe, expect, it, test } from 'vitest'
import { type Evidence, nextStep, UNANSWERED_MAX_MS, UNASKED_MAX_MS } from './evidence.ts'
import { leaseUntil, sendWithinMs } from './lease.ts'

const NOW = new Date('2026-03-10T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const DELAYS_MS = [0, 5_000]

const confirmed: Evidence = { kind: 'confirmed' }
const declined: Evidence = { kind: 'declined', code: 'limit', message: 'Too much.' }
const notSent: Evidence = { kind: 'not_sent' }
const unknown: Evidence = { kind: 'unknown' }
const unknownToIssuer: Evidence = { kind: 'unknown', answered: true }
const absent: Evidence = { kind: 'absent' }
const notAsked: Evidence = { kind: 'not_asked' }

const request = { now: NOW, since: NOW, purpose: 'request' } as const
const lookUp = { now: NOW, since: NOW, purpose: 'look_up' } as const

test.each<[Evidence, lookUpsDone: number, sendsDone: number, step: object]>([
  [confirmed, 0, 0, { kind: 'complete' }],
  [declined, 0, 0, { kind: 'fail', failure: { code: 'limit', message: 'Too much.' } }],
  [notSent, 0, 0, { kind: 'send_again', at: later(0) }],
  [notSent, 0, 1, { kind: 'send_again', at: later(5_000) }],
  [notSent, 0, 2, { kind: 'fail', failure: { code: 'issuer_unreachable' } }],
  [unknown, 0, 0, { kind: 'look_up', at: later(0), lookUps: 0 }],
])(
  'a request with %j, after %i look-ups and %i sends that did not leave, leads to %j',
  (evidence, done, sent, step) => {
    const attempts = { lookUps: { done, delaysMs: DELAYS_MS }, sends: { done: sent, delaysMs: DELAYS_MS } }
    expect(nextStep(evidence, { ...request, ...attempts })).toEqual(
      'failure' in step
        ? expect.objectContaining({ kind: 'fail', failure: expect.objectContaining(step.failure as object) })
        : step,
    )
  },
)

test.each<[Evidence, lookUpsDone: number, step: object]>([
  [confirmed, 0, { kind: 'complete' }],
  [confirmed, 99, { kind: 'complete' }],
  [declined, 99, { kind: 'fail', failure: { code: 'limit', message: 'Too much.' } }],
  [absent, 0, { kind: 'fail', failure: { code: 'not_carried_out' } }],
  [absent, 99, { kind: 'fail', failure: { code: 'not_carried_out' } }],
  [unknown, 0, { kind: 'look_up', at: later(5_000), lookUps: 1 }],
  [unknown, 1, { kind: 'look_up', at: later(1_000), lookUps: 1 }],
  [unknownToIssuer, 0, { kind: 'look_up', at: later(5_000), lookUps: 1 }],
  [unknownToIssuer, 1, { kind: 'review' }],
  [unknownToIssuer, 99, { kind: 'review' }],
  [notAsked, 0, { kind: 'look_up', at: later(1_000), lookUps: 0 }],
  [notAsked, 1, { kind: 'look_up', at: later(1_000), lookUps: 1 }],
])('a look-up with %j, after %i that were answered, leads to %j', (evidence, done, step) => {
  expect(nextStep(evidence, { ...lookUp, lookUps: { done, delaysMs: DELAYS_MS } })).toMatchObject(step)
})

test.each([
  [0, 1_000],
  [2_000, 1_000],
  [10_000, 5_000],
  [3_600_000, 60_000],
])('a look-up that could not be made for %i ms is made again after %i ms', (openMs, delayMs) => {
  const attempts = { ...lookUp, since: later(-openMs), lookUps: { done: 0, delaysMs: DELAYS_MS } }
  expect(nextStep(notAsked, attempts)).toEqual({ kind: 'look_up', at: later(delayMs), lookUps: 0 })
})

it('a person decides if the issuer could not be reached for a day', () => {
  const attempts = { ...lookUp, since: later(-UNASKED_MAX_MS - 1), lookUps: { done: 0, delaysMs: DELAYS_MS } }
  expect(nextStep(notAsked, attempts)).toEqual({ kind: 'review' })
})

test.each([
  [0, 1_000],
  [10_000, 5_000],
  [600_000, 300_000],
  [UNANSWERED_MAX_MS, 600_000],
])('the last look-up, if it is not answered %i ms after the request, is made again after %i ms', (openMs, delayMs) => {
  const attempts = { ...lookUp, since: later(-openMs), lookUps: { done: 1, delaysMs: DELAYS_MS } }
  expect(nextStep(unknown, attempts)).toEqual({ kind: 'look_up', at: later(delayMs), lookUps: 1 })
})

it('a person decides if a request is not answered and there are no look-ups', () => {
  expect(nextStep(unknown, { ...request, lookUps: { done: 0, delaysMs: [] } })).toEqual({ kind: 'review' })
})

it('a person decides if the last look-up is not answered for an hour', () => {
  const attempts = { ...lookUp, since: later(-UNANSWERED_MAX_MS - 1), lookUps: { done: 1, delaysMs: DELAYS_MS } }
  expect(nextStep(unknown, attempts)).toEqual({ kind: 'review' })
})

it('a request that may not be sent again fails if nothing was sent', () => {
  const attempts = { ...request, lookUps: { done: 0, delaysMs: DELAYS_MS } }
  expect(nextStep(notSent, attempts)).toMatchObject({ kind: 'fail', failure: { code: 'issuer_unreachable' } })
})

describe('a lease', () => {
  it.each([1_000, 30_000, 120_000])('outlives a call of %i ms that began at the last moment', (timeoutMs) => {
    const leaseMs = leaseUntil(NOW, timeoutMs).getTime() - NOW.getTime()
    expect(leaseMs).toBeGreaterThan(sendWithinMs(timeoutMs) + timeoutMs)
  })
})
