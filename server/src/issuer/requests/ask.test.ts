// At most one request leaves: what askOnce sends, when it refuses to send, and in which order it keeps and settles the answer.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { createLog } from '../../lib/log.ts'
import { cents } from '../../lib/money.ts'
import { createGate } from '../gate.ts'
import { leaseUntil, sendWithinMs } from '../lease.ts'
import type { Issuer, IssuerOutcome, LookUpOutcome } from '../port.ts'
import { askOnce, beginClaim } from './ask.ts'
import type { RequestKind, RequestRow } from './kind.ts'
import { lookUpOnce } from './look-up.ts'

const TIMEOUT_MS = 60_000
const START = new Date('2026-01-01T00:00:00Z')
const CONFIRMED = { kind: 'confirmed', receipt: 'R' } as const
const UNKNOWN = { kind: 'unknown', reason: 'time-out' } as const
const ROW = {
  company_id: '00000000-0000-7000-8000-000000000001',
  environment: 'live',
  id: '00000000-0000-7000-8000-000000000002',
  look_up_count: 0,
  status_at: START,
} as const

let now: Date
/** What happened, in order. */
let steps: string[]
let kept: readonly { outcome: string; received: Record<string, string> }[]
let answer: () => Promise<IssuerOutcome>
let found: LookUpOutcome
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  now = START
  steps = []
  kept = []
  answer = async () => CONFIRMED
  found = UNKNOWN
})
afterEach(() => {
  vi.useRealTimers()
})

const clock = { now: () => now }
const db = {
  many: async () => kept,
  find: async () => undefined,
  run: async () => {
    steps.push('kept')
  },
} as unknown as Db
const deps = { db, clock, issuerTimeoutMs: TIMEOUT_MS }

const issuer = { callsMax: 2, isInProcess: false, lookUpDelaysMs: [], invoiceMinimum: cents(0n) } as unknown as Issuer
const gate = () =>
  createGate({ issuer, environment: 'live', clock, log: createLog({ level: 'silent' }), timeoutMs: TIMEOUT_MS })

const statusOf = (outcome: IssuerOutcome | LookUpOutcome) =>
  outcome.kind === 'confirmed' ? 'completed' : outcome.kind === 'unknown' ? 'manual_review' : 'failed'
const kind: RequestKind<RequestRow, IssuerOutcome | LookUpOutcome, { status: string }> = {
  callKinds: ['service'],
  listClaimed: async () => [],
  aboutOf: (id) => ({ id }),
  subjectOf: (_row, purpose) => ({ action: purpose, attempt: 1 }),
  send: () => {
    steps.push('sent')
    return answer()
  },
  lookUp: async () => {
    steps.push('looked up')
    return found
  },
  decide: (_row, outcome) => ({ status: statusOf(outcome) }),
  isKept: ({ status }, { isLate }) => status !== 'completed' || isLate,
  fromKept: (certain) => certain,
  settle: async (_row, { status }) => {
    steps.push(status)
  },
  describe: ({ id }) => ({ prefix: 'op', id }),
}

test('a request is sent once, then kept as evidence, then settled', async () => {
  answer = async () => ({ kind: 'declined', code: 'no', message: 'No.' })
  const permits = gate().reserve(1)
  expect(await askOnce(deps, kind, ROW, { claim: beginClaim(deps), issuer, permits })).toMatchObject({
    kind: 'declined',
  })
  expect(steps).toEqual(['sent', 'kept', 'failed'])
})

test('a claim sends a request a second time under no circumstances', async () => {
  const claim = beginClaim(deps)
  const permits = gate().reserve(2)
  await askOnce(deps, kind, ROW, { claim, issuer, permits })
  await expect(askOnce(deps, kind, ROW, { claim, issuer, permits })).rejects.toThrow('a request is sent once')
  expect(steps).toEqual(['sent', 'completed'])
})

test('a process that was suspended after its claim sends nothing, and gives its permit back', async () => {
  const opened = gate()
  const claim = beginClaim(deps)
  const permits = opened.reserve(1)
  vi.advanceTimersByTime(sendWithinMs(TIMEOUT_MS) + 1)
  expect(await askOnce(deps, kind, ROW, { claim, issuer, permits })).toBeUndefined()
  expect(steps).toEqual([])
  expect(opened.status().callsInFlight).toBe(0)
})

test('the last moment to send and the longest call end before the lease', async () => {
  const claim = beginClaim(deps)
  expect(claim.leaseUntil).toEqual(leaseUntil(START, TIMEOUT_MS))
  const endsMs = START.getTime() + sendWithinMs(TIMEOUT_MS) + TIMEOUT_MS
  expect(claim.leaseUntil.getTime()).toBeGreaterThan(endsMs)
  vi.advanceTimersByTime(sendWithinMs(TIMEOUT_MS))
  await askOnce(deps, kind, ROW, { claim, issuer, permits: gate().reserve(1) })
  expect(steps).toEqual(['sent', 'completed'])
})

test.each([
  ['as long as the issuer may take', undefined, TIMEOUT_MS],
  ['as long as a client waits', 12_000, 12_000],
  ['no longer than the issuer may take', 2 * TIMEOUT_MS, TIMEOUT_MS],
])('a call that is not answered is unknown after a time: %s', async (_name, waitMaxMs, afterMs) => {
  answer = () => new Promise(() => {})
  const waiting = waitMaxMs === undefined ? kind : { ...kind, waitMaxMs }
  const asking = askOnce(deps, waiting, ROW, { claim: beginClaim(deps), issuer, permits: gate().reserve(1) })
  await vi.advanceTimersByTimeAsync(afterMs - 1)
  expect(steps).toEqual(['sent'])
  await vi.advanceTimersByTimeAsync(1)
  expect(await asking).toMatchObject({ kind: 'unknown' })
  expect(steps).toEqual(['sent', 'kept', 'manual_review'])
})

test('an answer is late from the end of the lease on', async () => {
  for (const [earlyMs, expected] of [
    [1, ['sent', 'completed']],
    [0, ['sent', 'kept', 'completed']],
  ] as const) {
    now = START
    steps = []
    const claim = beginClaim(deps)
    answer = async () => {
      now = new Date(claim.leaseUntil.getTime() - earlyMs)
      return CONFIRMED
    }
    await askOnce(deps, kind, ROW, { claim, issuer, permits: gate().reserve(1) })
    expect(steps).toEqual(expected)
  }
})

test('a request is in flight until it is answered, and no longer when it is settled', async () => {
  const inFlight = new Set<string>()
  const seen: number[] = []
  answer = async () => {
    seen.push(inFlight.size)
    return CONFIRMED
  }
  const settle = async () => {
    seen.push(inFlight.size)
  }
  const permits = gate().reserve(1)
  await askOnce(deps, { ...kind, settle }, ROW, { claim: beginClaim(deps), issuer, permits, inFlight })
  expect(seen).toEqual([1, 0])
})

test('a look-up sends nothing, and a certain answer that was kept comes before a review', async () => {
  const lookUp = () => lookUpOnce(deps, kind, ROW, { issuer, permits: gate().reserve(1, ['look_up']) })
  await lookUp()
  expect(steps).toEqual(['looked up', 'kept', 'manual_review'])
  steps = []
  kept = [{ outcome: 'confirmed', received: { receipt: 'R' } }]
  await lookUp()
  expect(steps).toEqual(['looked up', 'kept', 'completed'])
  steps = []
  kept = [...kept, { outcome: 'absent', received: {} }]
  await lookUp()
  expect(steps).toEqual(['looked up', 'kept', 'manual_review'])
})
