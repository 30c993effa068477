// Gauges of the issuers: whether each is in service, and how many calls are in flight.
import { Gauge, type Registry } from 'prom-client'
import { ENVIRONMENTS } from '../lib/scope.ts'
import type { Gates, GateStatus } from './gate.ts'

export const CIRCUIT_METRIC = 'issuer_circuit_open'

/** Each process has its own calls and its own circuit. */
export function addIssuerMetrics(registry: Registry, gates: Gates): void {
  const circuit = new Gauge({
    name: CIRCUIT_METRIC,
    help: '1 while this process does not call the issuer because it did not answer; queued operations wait',
    labelNames: ['environment'],
    registers: [registry],
    collect() {
      forEachGate(gates, (environment, { state }) => circuit.labels(environment).set(state === 'closed' ? 0 : 1))
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
