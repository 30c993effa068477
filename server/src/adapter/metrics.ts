// How the issuer stands, for Prometheus, on its control port. docs/monitoring.md has a row for each.
import { publicRoute, type Route } from '../http/route.ts'
import { Type } from 'typebox'
import { requireControlSecret } from '../issuer/http/control-secret.ts'
import type { IssuerState } from '../issuer/http/state-schema.ts'
import type { Clock } from '../lib/clock.ts'
import { readState, type StateDeps } from './state.ts'

interface Gauge {
  readonly name: string
  readonly help: string
  /** Undefined if there is nothing to say. A decimal text stays one. */
  read(state: IssuerState, now: Date): number | string | undefined
}

const ageOf = (time: string | null | undefined, now: Date) =>
  time == null ? undefined : Math.max(0, (now.getTime() - Date.parse(time)) / 1_000)

export const GAUGES: readonly Gauge[] = [
  {
    name: 'adapter_events_waiting',
    help: 'Events that the server has not accepted yet',
    read: ({ eventsWaiting }) => eventsWaiting,
  },
  {
    name: 'adapter_events_refused',
    help: 'Events that the server has refused for good',
    read: ({ eventsRefused }) => eventsRefused,
  },
  {
    name: 'adapter_requests_open',
    help: 'Requests whose outcome is not certain',
    read: ({ cards }) => cards?.requestsOpen,
  },
  {
    name: 'adapter_requests_waiting',
    help: 'Requests that wait for a person',
    read: ({ cards }) => cards?.requestsWaiting,
  },
  {
    name: 'adapter_request_oldest_wait_seconds',
    help: 'How long the oldest request has waited for a person',
    read: ({ cards }, now) => (cards === null ? undefined : (ageOf(cards.waitingSince, now) ?? 0)),
  },
  {
    name: 'adapter_events_read_age_seconds',
    help: 'How long ago the events of the provider were last read',
    read: ({ cards }, now) => ageOf(cards?.eventsReadAt, now),
  },
  {
    name: 'adapter_owed_dollars',
    help: 'What is on all cards, by the books of the issuer',
    read: ({ cards }) => cards?.owed ?? undefined,
  },
  {
    name: 'adapter_float_dollars',
    help: 'What is left at the provider to pay for cards',
    read: ({ cards }) => cards?.float ?? undefined,
  },
  {
    name: 'adapter_deposits_crediting',
    help: '1 while deposits are credited, 0 while crediting waits or has stopped',
    read: ({ deposits }) => (deposits === null ? undefined : Number(deposits.isCrediting)),
  },
  {
    name: 'adapter_deposits_disagree',
    help: '1 while the nodes of the chain disagree',
    read: ({ deposits }) => (deposits === null ? undefined : Number(deposits.agreement === 'disagree')),
  },
  {
    name: 'adapter_deposits_lag_blocks',
    help: 'Solidified blocks that are still to be read',
    read: ({ deposits }) => deposits?.lag ?? undefined,
  },
  {
    name: 'adapter_transfers_open',
    help: 'Transfers that belong to no invoice and wait for a person',
    read: ({ deposits }) => deposits?.transfersOpen,
  },
  {
    name: 'adapter_received_usdt',
    help: 'USDT that was received and not moved away',
    read: ({ deposits }) => deposits?.received ?? undefined,
  },
]

export function metricsRoute(deps: StateDeps & { clock: Clock; secret: string }): Route {
  return publicRoute({
    method: 'GET',
    path: '/control/metrics',
    tag: 'control',
    id: 'readMetrics',
    summary: 'Read the metrics',
    description: 'Returns how the issuer stands, in the format of Prometheus.',
    responses: { 200: Type.String() },
    handle: async ({ headers }) => {
      requireControlSecret(deps.secret, headers.authorization)
      const text = formatMetrics(await readState(deps), deps.clock.now())
      return { status: 200, body: text, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } }
    },
  })
}

export function formatMetrics(state: IssuerState, now: Date): string {
  return GAUGES.flatMap(({ name, help, read }) => {
    const value = read(state, now)
    return value === undefined ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`]
  })
    .concat('')
    .join('\n')
}
