// Metrics of the issuers: whether each is in service, how many calls are in flight, and how calls ended.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Environment, ENVIRONMENTS } from '../lib/scope.ts'
import type { GateOptions, Gates, GateStatus, OutcomeKind } from './gate.ts'
import { CALL_KINDS } from './lines.ts'

export const CIRCUIT_METRIC = 'issuer_circuit_open'
export const STOPPED_METRIC = 'issuer_calls_stopped'

/** From an issuer in this process to one that uses up its deadline. */
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const OUTCOMES: Readonly<Record<OutcomeKind, true>> = {
  confirmed: true,
  declined: true,
  absent: true,
  unknown: true,
  not_sent: true,
  not_asked: true,
}

/** Registers the metrics of calls and returns the callback that records each. */
export function addCallMetrics(
  registry: Registry,
  environments: readonly Environment[],
): NonNullable<GateOptions['onCall']> {
  const calls = new Counter({
    name: 'issuer_calls_total',
    help: 'Calls of the issuer by this process that have ended, look-ups included, by outcome',
    labelNames: ['environment', 'outcome'],
    registers: [registry],
  })
  // Present from the start, so that a rate can be computed from the first call on.
  for (const environment of environments)
    for (const outcome of Object.keys(OUTCOMES)) calls.labels(environment, outcome).inc(0)
  const duration = new Histogram({
    name: 'issuer_call_duration_seconds',
    help: 'Time from the start of a call of the issuer to its outcome',
    labelNames: ['environment'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
  return (environment, outcome, seconds) => {
    calls.labels(environment, outcome).inc()
    duration.labels(environment).observe(seconds)
  }
}

/** Each process has its own calls and its own circuits. */
export function addIssuerMetrics(registry: Registry, gates: Gates): void {
  const circuit = new Gauge({
    name: CIRCUIT_METRIC,
    help: '1 while this process does not send requests, or those of one kind, because the issuer did not answer them; they wait',
    aggregator: 'max',
    labelNames: ['environment'],
    registers: [registry],
    collect() {
      forEachGate(gates, (environment, { stopped }) =>
        circuit.labels(environment).set(stopped.some((kind) => kind !== 'look_up') ? 1 : 0),
      )
    },
  })
  const stopped = new Gauge({
    name: STOPPED_METRIC,
    help: '1 while this process does not make calls of this kind, except for trials, because the issuer did not answer them',
    aggregator: 'max',
    labelNames: ['environment', 'call'],
    registers: [registry],
    collect() {
      forEachGate(gates, (environment, status) => {
        for (const kind of CALL_KINDS) stopped.labels(environment, kind).set(status.stopped.includes(kind) ? 1 : 0)
      })
    },
  })
  const calls = new Gauge({
    name: 'issuer_calls_in_flight',
    help: 'Calls of the issuer that this process has in flight',
    labelNames: ['environment'],
    registers: [registry],
    collect() {
      forEachGate(gates, (environment, { callsInFlight }) => calls.labels(environment).set(callsInFlight))
    },
  })
}

function forEachGate(gates: Gates, show: (environment: string, status: GateStatus) => void): void {
  for (const environment of ENVIRONMENTS) {
    const gate = gates[environment]
    if (gate !== undefined) show(environment, gate.status())
  }
}
