// The way to an issuer: limits the calls in flight, gives each its deadline, and stops the calls that an issuer does not
// answer. Every call of an issuer goes through its gate. It never repeats a call.
import type { Clock } from '../lib/clock.ts'
import { must } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import { type Environment, ENVIRONMENTS } from '../lib/scope.ts'
import type { IssuerCall, Tracing } from '../telemetry/tracing.ts'
import type { CircuitState } from './circuit.ts'
import { callWithin } from './call-within.ts'
import { countCallsInFlight } from './calls-in-flight.ts'
import { CALL_KINDS, type CallKind, createLines, type Hold, type Lines, OPERATION_KINDS } from './lines.ts'
import type { AnyOutcome, Issuer } from './port.ts'

export type OutcomeKind = AnyOutcome['kind']

/** What a call is about, for the traces. */
export type CallSubject = Omit<IssuerCall, 'environment'>

/** Permission for a number of calls. Each permit is used by one call, or given back. */
export interface Permits {
  readonly count: number
  /** The most calls of each kind. */
  readonly limits: ReadonlyMap<CallKind, number>
  /** The kind of the call is the subject's action, if permits were reserved for several kinds. */
  call<Outcome extends AnyOutcome>(
    subject: CallSubject,
    make: () => Promise<Outcome>,
    deadlineMs?: number,
  ): Promise<Outcome | { readonly kind: 'unknown'; readonly reason: string }>
  giveBack(count: number): void
  /** Gives everything back but one permit for each of these kinds. */
  keep(kinds: readonly CallKind[]): void
}

export interface GateStatus {
  /** The kinds of calls that wait because they were not answered. */
  readonly stopped: readonly CallKind[]
  /** Calls that were sent and have not ended. Permits that a claim holds for a moment are none. */
  readonly callsInFlight: number
  readonly callsMax: number
}

export interface Gate {
  readonly issuer: Issuer
  /**
   * Reserves up to so many calls of these kinds: either requests, by default those of operations, or look-ups. Fewer, or none, when
   * the issuer is busy or does not answer such calls; one when a trial of them is due.
   */
  reserve(wanted: number, kinds?: readonly CallKind[]): Permits
  /** The same for one kind, but waits a moment for a permit when all are taken. None when such calls are stopped. */
  reserveSoon(wanted: number, kind: CallKind): Promise<Permits>
  /** One card change that is sent even while requests are stopped: stopping a card may not wait. None when too many are under way. */
  reserveUrgent(): Permits
  /** Counts requests that a statement of our own database carried out: their number, and how long the statement took. */
  recordConfirmed(count: number, ms: number): void
  status(): GateStatus
  /** Returns the most calls in flight since this was last asked. Only the record of the minutes asks. */
  takeMostCallsInFlight(): number
  /**
   * Calls the listener whenever a call has ended or unused permits were given back. Otherwise two polls that keep pace would
   * meet every time, and the second would never find a permit.
   */
  whenRoom(listener: () => void): void
}

/** How long a caller waits for a permit. A claim holds unused permits for milliseconds; a client's patience is longer. */
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
  /**
   * How many requests may be unanswered before the first answer; all permits by default. A process that starts during an outage
   * does not know of it, and leaves so many outcomes unknown.
   */
  callsAtFirst?: number
  /** How calls are counted; the simulation replaces it by a wrong way. */
  createLines?: typeof createLines
  /** Called at the end of every call. */
  onCall?(environment: Environment, outcome: OutcomeKind, seconds: number): void
  /** Absent: no traces. */
  tracing?: Tracing | undefined
}

export function createGate(options: GateOptions): Gate {
  const { issuer, clock, createLines: create = createLines } = options
  const { callsMax } = issuer
  const nowMs = () => clock.now().getTime()
  const lines = create({ callsMax, callsAtFirst: options.callsAtFirst ?? callsMax, nowMs })
  const taken = { regular: 0, urgent: 0 }
  const inFlight = countCallsInFlight()
  let onRoom = () => {}
  const waiting = new Set<() => void>()
  const createPool = (pool: 'regular' | 'urgent') => (hold: Hold, kinds: readonly CallKind[]) => {
    taken[pool] += hold.count
    const free = (count: number) => {
      taken[pool] -= count
      for (const wake of waiting) wake()
      if (count > 0) onRoom()
    }
    return createPermits(options, lines, { hold, kinds, free, onSent: inFlight.onSent })
  }
  const [regular, urgent] = [createPool('regular'), createPool('urgent')]
  const reserve = (wanted: number, kinds: readonly CallKind[] = OPERATION_KINDS): Permits =>
    regular(lines.take(Math.max(0, Math.min(wanted, callsMax - taken.regular)), kinds), kinds)
  return {
    issuer,
    reserve,
    reserveSoon(wanted, kind) {
      const isOpen = () => lines.stateOf(kind) === 'open'
      return waitForPermits(waiting, () => reserve(wanted, [kind]), isOpen)
    },
    reserveUrgent: () => urgent(lines.takeUrgently(taken.urgent < callsMax ? 1 : 0, 'card_status'), ['card_status']),
    recordConfirmed(count, ms) {
      for (let call = 0; call < count; call += 1) options.onCall?.(options.environment, 'confirmed', ms / 1000)
    },
    status: () => ({ stopped: CALL_KINDS.filter(lines.isStopped), callsInFlight: inFlight.now(), callsMax }),
    takeMostCallsInFlight: inFlight.takeMost,
    whenRoom(listener) {
      onRoom = listener
    },
  }
}

interface PermitOptions {
  readonly hold: Hold
  readonly kinds: readonly CallKind[]
  /** So many calls have ended or are not made. */
  free(count: number): void
  /** A call began (1) or ended (-1). */
  onSent(change: 1 | -1): void
}

function createPermits(options: GateOptions, lines: Lines, { hold, kinds, free, onSent }: PermitOptions): Permits {
  const { isInProcess } = options.issuer
  let left = hold.count
  const record = (kind: CallKind, outcome: AnyOutcome) => {
    // An issuer in this process is never stopped.
    if (isInProcess) return hold.end(kind, true)
    const before = lines.stateOf(kind)
    const stopped = listStopped(lines)
    hold.end(kind, showsService(kind, outcome))
    const reason = 'reason' in outcome ? outcome.reason : undefined
    return logChange(options, lines, { kind, before, stopped, reason })
  }
  const release = (count: number) => {
    left -= count
    free(count)
  }
  return {
    count: hold.count,
    limits: hold.limits,
    async call(subject, make, deadlineMs = options.timeoutMs) {
      onSent(1)
      try {
        const outcome = await timedCall(options, subject, make, deadlineMs)
        record(kindOf(kinds, subject), outcome)
        release(1)
        return outcome
      } finally {
        onSent(-1)
      }
    },
    giveBack(count) {
      hold.giveBack(count)
      release(count)
    },
    keep(kept) {
      hold.keep(kept)
      release(left - kept.length)
    },
  }
}

/** Returns the kinds that have not been answered since they were stopped. */
function listStopped(lines: Lines): readonly CallKind[] {
  return CALL_KINDS.filter((kind) => lines.stateOf(kind) !== 'closed')
}

function kindOf(kinds: readonly CallKind[], { action }: CallSubject): CallKind {
  return must(kinds.find((kind) => kind === action) ?? kinds[0])
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
  const outcome = await callWithin(make, issuer.isInProcess ? undefined : deadlineMs)
  onCall?.(environment, outcome.kind, (performance.now() - startedMs) / 1000)
  span?.end(outcome.kind, !isAnswer(outcome))
  return outcome
}

/** Tries until there is a permit, the circuit is open, or the wait is over. */
async function waitForPermits(
  waiting: Set<() => void>,
  reserve: () => Permits,
  isOpen: () => boolean,
): Promise<Permits> {
  const first = reserve()
  if (first.count > 0 || isOpen()) return first
  return new Promise((resolve) => {
    const finish = (permits: Permits) => {
      clearTimeout(timer)
      waiting.delete(tryAgain)
      resolve(permits)
    }
    const tryAgain = () => {
      const permits = reserve()
      if (permits.count > 0 || isOpen()) finish(permits)
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

/** For a claim that failed: returns a handler that frees the permits and throws the error again. */
export function giveAllBack(permits: Permits) {
  return (error: unknown): never => {
    permits.giveBack(permits.count)
    throw error
  }
}

/** Whether the issuer answered, even if it said that it does not know. */
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

/** Whether the outcome shows that such calls work. A request must have an end: any other answer leaves its outcome unknown. */
function showsService(kind: CallKind, outcome: AnyOutcome): boolean {
  return kind === 'look_up' ? isAnswer(outcome) : outcome.kind === 'confirmed' || outcome.kind === 'declined'
}

interface Change {
  readonly kind: CallKind
  readonly before: CircuitState
  readonly stopped: readonly CallKind[]
  readonly reason: string | undefined
}

/** Logs which kinds of calls were stopped or resumed by the end of one. */
function logChange({ log, environment }: GateOptions, lines: Lines, { kind, before, stopped, reason }: Change) {
  const after = listStopped(lines)
  const added = after.filter((each) => !stopped.includes(each))
  const resumed = stopped.filter((each) => !after.includes(each))
  const isLookUp = kind === 'look_up'
  const trialAtMs = lines.trialAtMs(kind)
  const trialAt = trialAtMs === undefined ? undefined : new Date(trialAtMs)
  if (added.length > 0) {
    log.error(
      { environment, calls: added, trialAt, reason },
      isLookUp
        ? 'The issuer does not answer look-ups. Unknown outcomes wait until a trial look-up is answered.'
        : 'The issuer does not answer requests. They are not sent until a trial request is answered; operations wait in the queue.',
    )
  } else if (resumed.length > 0) {
    log.info({ environment, calls: resumed }, 'The issuer answers again. Its calls are resumed.')
  } else if (before === 'trial' && lines.stateOf(kind) === 'open') {
    log.warn(
      { environment, calls: [kind], trialAt, reason },
      'The issuer still does not answer and is tried again after a pause.',
    )
  }
}
