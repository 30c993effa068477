// The gate limits urgent calls too: stopping cards does not wait for other calls, but has a limit of its own.
import { expect, it } from 'vitest'
import type { IssuerOutcome } from '../../src/issuer/port.ts'
import { TestClock } from '../support/harness.ts'
import { createGates } from '../support/gates.ts'

const CALLS_MAX = 3
const confirmed: IssuerOutcome = { kind: 'confirmed', receipt: 'R' }
const confirm = async () => confirmed

it('urgent calls need no free place, and are limited to as many as there are places', async () => {
  const script = {
    issueCard: confirm,
    topUpCard: confirm,
    orderService: confirm,
    lookUp: async () => confirmed as never,
  }
  const clock = new TestClock()
  const gates = createGates({ ...script, lookUpDelaysMs: [], callsMax: CALLS_MAX }, { clock, timeoutMs: 60_000 })
  const gate = gates.sandbox
  if (gate === undefined) throw new Error('no gate')
  expect(gate.reserve(100).count).toBe(CALLS_MAX)
  expect(gate.reserve(1).count).toBe(0)
  const urgent = Array.from({ length: CALLS_MAX }, () => gate.reserveUrgent())
  expect(urgent.map(({ count }) => count)).toEqual([1, 1, 1])
  expect(gate.reserveUrgent().count).toBe(0)
  await urgent[0]?.call(confirm)
  expect(gate.reserveUrgent().count).toBe(1)
})
