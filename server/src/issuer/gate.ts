// The way to an issuer: limits the calls in flight, gives each its deadline, and stops calling an issuer that does not
// answer. Every call of an issuer goes through its gate. It never repeats a call.
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type Environment, ENVIRONMENTS } from '../lib/scope.ts'
import type { IssuerCall, Tracing } from '../telemetry/tracing.ts'
import { createCircuit, type CircuitState } from './circuit.ts'
import { withDeadline } from './deadline.ts'
import type { InvoiceOutcome, Issuer, IssuerOutcome, LookUpOutcome, InvoiceLookUpOutcome } from './port.ts'

type AnyOutcome = IssuerOutcome | InvoiceOutcome | LookUpOutcome | InvoiceLookUpOutcome
export type OutcomeKind = AnyOutcome['kind']

/** What a call is about, for the traces. */
export type CallSubject = Omit<IssuerCall, 'environment'>

/** Permission for a number of calls. Each place is used by one call, or given back. */
export interface Places {
  readonly count: number
  call<Outcome extends AnyOutcome>(
    subject: CallSubject,
    make: () => Promise<Outcome>,
    deadlineMs?: number,
  ): Promise<Outcome | { readonly kind: 'unknown'; readonly reason: string }>
  giveBack(count: number): void
}

export interface GateStatus {
  readonly state: CircuitState
  readonly callsInFlight: number
  readonly callsMax: number
  readonly trialAt: Date | undefined
}

export interface Gate {
  readonly issuer: Issuer
  /** Reserves up to so many calls. Fewer, or none, when the issuer is busy or out of service; one when a trial is due. */
  reserve(wanted: number): Places
  /** The same, but waits a moment for a place when all are taken. None when the issuer is out of service. */
  reserveSoon(wanted: number): Promise<Places>
  /** One call that is made even while the circuit is open: stopping a card may not wait. None when too many are under way. */
  reserveUrgent(): Places
  status(): GateStatus
  /**
   * Calls the listener whenever a call has ended or unused places were given back. Otherwise two polls that keep pace would
   * meet every time, and the second would never find a place.
   */
  whenRoom(listener: () => void): void
}

/** How long a caller waits for a place. A claim holds unused places for milliseconds; a client's patience is longer. */
const PLACE_WAIT_MAX_MS = 2_000

/** Undefined for an environment without an issuer: nothing is ever accepted there. */
export type Gates = Readonly<Record<Environment, Gate | undefined>>

export interface GateOptions {
  issuer: Issuer
  environment: Environment
  clock: Clock
  log: Log
  /** A call that takes longer has an unknown outcome. */
  timeoutMs: number
  /** Called at the end of every call. */
  onCall?(environment: Environment, outcome: OutcomeKind, seconds: number): void
  /** Absent: no traces. */
  tracing?: Tracing | undefined
}

export function createGate(options: GateOptions): Gate {
  const { issuer, clock, timeoutMs } = options
  const { callsMax, isInProcess } = issuer
  const circuit = createCircuit(callsMax)
  const taken = { regular: 0, urgent: 0 }
  let isTrialTaken = false
  let onRoom = () => {}
  const waiting = new Set<() => void>()
  const nowMs = () => clock.now().getTime()
  const record = (outcome: AnyOutcome, isTrial: boolean) => {
    const before = circuit.state(nowMs())
    if (isAnswer(outcome)) circuit.recordAnswer()
    else if (!isInProcess) circuit.recordFailure(nowMs(), isTrial)
    logChange(options, before, { ...status(), reason: 'reason' in outcome ? outcome.reason : undefined })
  }
  const take = (pool: 'regular' | 'urgent', count: number, isTrial = false): Places => {
    taken[pool] += count
    if (isTrial) isTrialTaken = true
    const free = (freed: number) => {
      taken[pool] -= freed
      if (isTrial && freed > 0) isTrialTaken = false
      for (const wake of waiting) wake()
      if (freed > 0) onRoom()
    }
    return {
      count,
      async call(subject, make, deadlineMs = timeoutMs) {
        const outcome = await timedCall(options, subject, make, deadlineMs)
        record(outcome, isTrial)
        free(1)
        return outcome
      },
      giveBack: free,
    }
  }
  const reserve = (wanted: number): Places => {
    const state = circuit.state(nowMs())
    if (state === 'trial' && !isTrialTaken && wanted > 0) return take('regular', 1, true)
    const room = state === 'closed' ? callsMax - taken.regular : 0
    return take('regular', Math.max(0, Math.min(wanted, room)))
  }
  const status = (): GateStatus => {
    const trialAtMs = circuit.trialAtMs()
    const trialAt = trialAtMs === undefined ? undefined : new Date(trialAtMs)
    return { state: circuit.state(nowMs()), callsInFlight: taken.regular + taken.urgent, callsMax, trialAt }
  }
  return {
    issuer,
    reserve,
    reserveSoon(wanted) {
      const isOpen = () => circuit.state(nowMs()) === 'open'
      return waitForPlaces(waiting, () => reserve(wanted), isOpen)
    },
    reserveUrgent: () => take('urgent', taken.urgent < callsMax ? 1 : 0),
    status,
    whenRoom(listener) {
      onRoom = listener
    },
  }
}

/** Makes the call within its deadline and reports its outcome and duration. */
async function timedCall<Outcome extends AnyOutcome>(
  { issuer, environment, onCall, tracing }: GateOptions,
  subject: CallSubject,
  make: () => Promise<Outcome>,
  deadlineMs: number,
) {
  const startedMs = performance.now()
  const span = tracing?.startCall({ environment, ...subject })
  const outcome = await withDeadline(make, issuer.isInProcess ? undefined : deadlineMs)
  onCall?.(environment, outcome.kind, (performance.now() - startedMs) / 1000)
  span?.end(outcome.kind, !isAnswer(outcome))
  return outcome
}

/** Tries until there is a place, the circuit is open, or the wait is over. */
async function waitForPlaces(waiting: Set<() => void>, reserve: () => Places, isOpen: () => boolean): Promise<Places> {
  const first = reserve()
  if (first.count > 0 || isOpen()) return first
  return new Promise((resolve) => {
    const finish = (places: Places) => {
      clearTimeout(timer)
      waiting.delete(tryAgain)
      resolve(places)
    }
    const tryAgain = () => {
      const places = reserve()
      if (places.count > 0 || isOpen()) finish(places)
    }
    const timer = setTimeout(() => finish(reserve()), PLACE_WAIT_MAX_MS)
    waiting.add(tryAgain)
  })
}

/** Runs a piece of work for each issuer; true when there is more to do for one of them. */
export async function runForEach(
  gates: Gates,
  run: (environment: Environment, gate: Gate) => Promise<boolean>,
): Promise<boolean> {
  const runs = ENVIRONMENTS.flatMap((environment) => {
    const gate = gates[environment]
    return gate === undefined ? [] : [run(environment, gate)]
  })
  return (await Promise.all(runs)).includes(true)
}

/** For a claim that failed: returns a handler that frees the places and throws the error again. */
export function giveAllBack(places: Places) {
  return (error: unknown): never => {
    places.giveBack(places.count)
    throw error
  }
}

/** An answer shows that the issuer is in service, even if it says that it does not know. */
function isAnswer(outcome: AnyOutcome): boolean {
  switch (outcome.kind) {
    case 'confirmed':
    case 'declined':
    case 'absent':
      return true
    case 'unknown':
      return outcome.answered === true
    case 'not_sent':
    case 'not_asked':
      return false
  }
}

function logChange(
  { log, environment }: GateOptions,
  before: CircuitState,
  after: GateStatus & { reason?: string | undefined },
) {
  const { state, trialAt, reason } = after
  if (before === 'closed' && state !== 'closed') {
    log.error(
      { environment, trialAt, reason },
      'The issuer does not answer. Operations wait in the queue until a trial call succeeds.',
    )
  } else if (before !== 'closed' && state === 'closed') {
    log.info({ environment }, 'The issuer answers again. Operations are carried out.')
  } else if (before === 'trial' && state === 'open') {
    log.warn({ environment, trialAt, reason }, 'The issuer still does not answer and is tried again after a pause.')
  }
}
