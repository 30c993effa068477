// The gate: a call has its full time from the moment it begins, and urgent calls, which do not wait for others, have a limit
// of their own.
import { afterEach, expect, it, vi } from 'vitest'
import type { Gate } from '../../src/issuer/gate.ts'
import type { IssuerOutcome } from '../../src/issuer/port.ts'
import { TestClock } from '../support/harness.ts'
import { createGates } from '../support/gates.ts'

const CALLS_MAX = 3
const TIMEOUT_MS = 60_000
const confirmed: IssuerOutcome = { kind: 'confirmed', receipt: 'R' }
const confirm = async () => confirmed

afterEach(() => void vi.useRealTimers())

function openGate(): Gate {
  const script = {
    issueCard: confirm,
    topUpCard: confirm,
    orderService: confirm,
    lookUp: async () => confirmed as never,
  }
  const clock = new TestClock()
  const gates = createGates({ ...script, lookUpDelaysMs: [], callsMax: CALLS_MAX }, { clock, timeoutMs: TIMEOUT_MS })
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
  await urgent[0]?.call(confirm)
  expect(gate.reserveUrgent().count).toBe(1)
})

it('the time in which the issuer must answer begins with the call, not when its place was reserved', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const places = openGate().reserve(1)
  vi.advanceTimersByTime(10 * TIMEOUT_MS)
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const outcome = places.call(() => new Promise<IssuerOutcome>((resolve) => (answer = resolve)))
  vi.advanceTimersByTime(TIMEOUT_MS - 1)
  answer(confirmed)
  expect(await outcome).toEqual(confirmed)
})
