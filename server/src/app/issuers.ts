// Creates the issuers from the server's settings: the sandbox's, the live one if it is configured, and a gate for each.
import { takeCardStatus } from '../card-changes/issuer-report.ts'
import { takeSettlement } from '../funding/payments.ts'
import { takeOperationOutcome } from '../operations/issuer-report.ts'
import { takeUnknownCard } from '../operations/unknown-card.ts'
import { takeCardTransaction } from '../transactions/issuer-report.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { FundingDeps } from '../funding/deps.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import type { CallRecord } from '../issuer/call-record.ts'
import { FAILURES_MAX } from '../issuer/circuit.ts'
import { createGate, type Gates } from '../issuer/gate.ts'
import { createAbout } from '../issuer/http/about.ts'
import { createHttpIssuer, type HttpIssuer } from '../issuer/http/issuer.ts'
import type { IssuerEventHandlers } from '../issuer/http/events.ts'
import type { Transmit } from '../issuer/http/transmit.ts'
import { addCallMetrics, addIssuerMetrics } from '../issuer/metrics.ts'
import type { Issuer } from '../issuer/port.ts'
import { createSandboxIssuer, SLOW_MS } from '../issuer/sandbox.ts'
import { cents } from '../lib/money.ts'
import { ENVIRONMENTS } from '../lib/scope.ts'
import type { Tracing } from '../telemetry/tracing.ts'

interface IssuerOptions {
  db: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'issuer' | 'secrets'>
  lookUpDelaysMs?: readonly number[]
  issuerTransmit?: Transmit
  slowMs?: number
  tracing?: Tracing | undefined
}

export interface Issuers {
  readonly sandbox: Issuer
  readonly live: HttpIssuer | undefined
}

export function createIssuers(options: IssuerOptions): Issuers {
  const { db, clock, slowMs = SLOW_MS } = options
  return { sandbox: createSandboxIssuer({ db, clock, slowMs }), live: createLiveIssuer(options) }
}

function createLiveIssuer({ config, clock, lookUpDelaysMs, issuerTransmit }: IssuerOptions): HttpIssuer | undefined {
  const { url, timeoutMs, invoiceMinimum, callsMax, hasFence } = config.issuer
  const secret = config.secrets.issuer
  if (url === undefined || secret === undefined) return undefined
  // A little shorter than the worker waits, so that the error says what is known about the connection.
  const peer = { baseUrl: url, secret, clock, timeoutMs: timeoutMs * 0.9, transmit: issuerTransmit }
  return createHttpIssuer({
    ...peer,
    about: createAbout(peer),
    invoiceMinimum: cents(BigInt(invoiceMinimum) * 100n),
    callsMax,
    hasFence,
    ...(lookUpDelaysMs === undefined ? {} : { lookUpDelaysMs }),
  })
}

export function createGates(
  { clock, log, config, tracing }: IssuerOptions,
  { sandbox, live }: Issuers,
  { registry }: HttpMetrics,
  callRecord: CallRecord,
): Gates {
  const { timeoutMs } = config.issuer
  const measure = addCallMetrics(registry, live === undefined ? ['sandbox'] : ENVIRONMENTS)
  const deps = {
    clock,
    log,
    timeoutMs,
    tracing,
    onCall: (...call: Parameters<typeof measure>) => {
      measure(...call)
      callRecord.onCall(...call)
    },
  }
  const gates = {
    sandbox: createGate({ ...deps, issuer: sandbox, environment: 'sandbox' }),
    live: live && createGate({ ...deps, issuer: live, environment: 'live', callsAtFirst: FAILURES_MAX }),
  }
  addIssuerMetrics(registry, gates)
  return gates
}

/** Passes each event of the live issuer to its domain. */
export function createIssuerEvents(
  deps: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'> & { log: Log },
): IssuerEventHandlers {
  return {
    invoiceSettled: (scope, data) => takeSettlement(deps, scope, data),
    async cardTransaction(scope, event) {
      const taken = await takeCardTransaction(deps, scope, event.data)
      return taken === 'not_found' ? takeUnknownCard(deps, scope, event) : taken
    },
    async cardStatus(scope, event) {
      const taken = await takeCardStatus(deps, scope, event)
      // With a token it is about a change, which names its card itself.
      const isUnknownCard = taken === 'not_found' && event.data.token === undefined
      return isUnknownCard ? takeUnknownCard(deps, scope, event) : taken
    },
    operationOutcome: (scope, event) => takeOperationOutcome(deps, scope, event),
  }
}
