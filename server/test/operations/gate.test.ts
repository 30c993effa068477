// The gate: a call has its full time from the moment it begins, an outage of the issuer is logged, and urgent calls, which
// do not wait for others, have a limit of their own.
import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { PAUSES_MS } from '../../src/issuer/circuit.ts'
import type { Gate } from '../../src/issuer/gate.ts'
import type { IssuerOutcome } from '../../src/issuer/port.ts'
import { createLog, type Log } from '../../src/lib/log.ts'
import { TestClock } from '../support/harness.ts'
import { createGates } from '../support/gates.ts'

const CALLS_MAX = 3
const TIMEOUT_MS = 60_000
const confirmed: IssuerOutcome = { kind: 'confirmed', receipt: 'R' }
const confirm = async () => confirmed
const subject = { action: 'issue', attempt: 1 }

afterEach(() => void vi.useRealTimers())

function openGate({ clock = new TestClock(), log }: { clock?: TestClock; log?: Log } = {}): Gate {
  const script = {
    issueCard: confirm,
    topUpCard: confirm,
    orderService: confirm,
    lookUp: async () => confirmed as never,
  }
  const options = { clock, timeoutMs: TIMEOUT_MS, ...(log === undefined ? {} : { log }) }
  const gates = createGates({ ...script, lookUpDelaysMs: [], callsMax: CALLS_MAX }, options)
  if (gates.sandbox === undefined) throw new Error('no gate')
  return gates.sandbox
}

it('urgent calls need no free place, and are limited to as many as there are places', async () => {
  const gate = openGate()
  expect(gate.reserve(100).count).toBe(CALLS_MAX)
  expect(gate.reserve(1).count).toBe(0)
  const urgent = Array.from({ length: CALLS_MAX }, () => gate.reserveUrgent())
  expect(urgent.map(({ count }) => count)).toEqual([1, 1, 1])
  expect(gate.reserveUrgent().count).toBe(0)
  await urgent[0]?.call(subject, confirm)
  expect(gate.reserveUrgent().count).toBe(1)
})

it('the time in which the issuer must answer begins with the call, not when its place was reserved', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const places = openGate().reserve(1)
  vi.advanceTimersByTime(10 * TIMEOUT_MS)
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const outcome = places.call(subject, () => new Promise<IssuerOutcome>((resolve) => (answer = resolve)))
  vi.advanceTimersByTime(TIMEOUT_MS - 1)
  answer(confirmed)
  expect(await outcome).toEqual(confirmed)
})

it('an outage is logged when it begins, when a trial fails, and when it is over', async () => {
  const lines: { level: number; environment: string; reason?: string; msg: string }[] = []
  const destination = new PassThrough().on('data', (line) => lines.push(JSON.parse(String(line))))
  const clock = new TestClock()
  const gate = openGate({ clock, log: createLog({ level: 'info', destination }) })
  const fail = async (): Promise<IssuerOutcome> => ({ kind: 'unknown', reason: 'reset' })
  // With three places, three failures in a row open the circuit.
  for (let failures = 0; failures < CALLS_MAX; failures += 1) await gate.reserve(1).call(subject, fail)
  expect(gate.reserve(1).count).toBe(0)
  for (const [trial, call] of [fail, confirm].entries()) {
    clock.advance(PAUSES_MS[trial] ?? 0)
    await gate.reserve(1).call(subject, call)
  }
  expect(lines).toMatchObject([
    { level: 50, environment: 'sandbox', reason: 'reset', msg: expect.stringMatching(/does not answer/) },
    { level: 40, environment: 'sandbox', reason: 'reset', msg: expect.stringMatching(/still does not answer/) },
    { level: 30, environment: 'sandbox', msg: expect.stringMatching(/answers again/) },
  ])
})

it('whoever found every place taken is told when unused places are given back', () => {
  const gate = openGate()
  let told = 0
  gate.whenRoom(() => {
    told += 1
  })
  const places = gate.reserve(CALLS_MAX)
  expect(gate.reserve(1).count).toBe(0)
  places.giveBack(0)
  expect(told).toBe(0)
  places.giveBack(CALLS_MAX)
  expect(told).toBe(1)
  expect(gate.reserve(1).count).toBe(1)
})

it('what is in flight are the calls that were sent, not the places that a claim holds', async () => {
  const gate = openGate()
  const places = gate.reserve(CALLS_MAX)
  expect(gate.status().callsInFlight).toBe(0)
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const call = places.call(subject, () => new Promise<IssuerOutcome>((resolve) => (answer = resolve)))
  expect(gate.status().callsInFlight).toBe(1)
  answer(confirmed)
  await call
  expect(gate.status().callsInFlight).toBe(0)
  // The most at once is kept until it was asked for.
  expect([gate.takeMostCallsInFlight(), gate.takeMostCallsInFlight()]).toEqual([1, 0])
})
