// The circuit: when it opens, when it lets a call through, and that its pauses grow.
import { expect, it } from 'vitest'
import { createCircuit, FAILURES_MAX, PAUSES_MS } from './circuit.ts'

const FIRST_PAUSE_MS = PAUSES_MS[0] ?? 0

function failTimes(circuit: ReturnType<typeof createCircuit>, times: number, nowMs = 0) {
  for (let failure = 0; failure < times; failure += 1) circuit.recordFailure(nowMs, false)
}

it('opens after a few failures in a row, and lets one call through when the pause is over', () => {
  const circuit = createCircuit(50)
  failTimes(circuit, FAILURES_MAX - 1)
  expect(circuit.state(0)).toBe('closed')
  failTimes(circuit, 1)
  expect(circuit.state(0)).toBe('open')
  expect(circuit.state(FIRST_PAUSE_MS - 1)).toBe('open')
  expect(circuit.state(FIRST_PAUSE_MS)).toBe('trial')
})

it('stays closed if an answer arrives between the failures', () => {
  const circuit = createCircuit(50)
  failTimes(circuit, FAILURES_MAX - 1)
  circuit.recordAnswer()
  failTimes(circuit, FAILURES_MAX - 1)
  expect(circuit.state(0)).toBe('closed')
})

it('opens when all calls failed, if the limit is lower than the usual number of failures', () => {
  const circuit = createCircuit(2)
  failTimes(circuit, 2)
  expect(circuit.state(0)).toBe('open')
})

it('waits longer after each trial that fails, up to the longest pause', () => {
  const circuit = createCircuit(50)
  failTimes(circuit, FAILURES_MAX)
  let nowMs = 0
  for (const pauseMs of [...PAUSES_MS, PAUSES_MS.at(-1) ?? 0]) {
    expect(circuit.trialAtMs()).toBe(nowMs + pauseMs)
    nowMs += pauseMs
    circuit.recordFailure(nowMs, true)
  }
})

it('calls that began before it opened do not lengthen the pause', () => {
  const circuit = createCircuit(50)
  failTimes(circuit, 50)
  expect(circuit.trialAtMs()).toBe(FIRST_PAUSE_MS)
})

it('closes with the first answer, and the next pause is short again', () => {
  const circuit = createCircuit(50)
  failTimes(circuit, FAILURES_MAX)
  circuit.recordFailure(FIRST_PAUSE_MS, true)
  circuit.recordAnswer()
  expect(circuit.state(0)).toBe('closed')
  failTimes(circuit, FAILURES_MAX)
  expect(circuit.trialAtMs()).toBe(FIRST_PAUSE_MS)
})
