// Counts the calls of each issuer by the minute and adds them to what other processes counted, so that an operator sees a day of history over all
// processes. It must never delay or fail a call: what cannot be written yet is written later, and the oldest minutes are dropped.
import { createFailureLog } from '../db/failure-log.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Environment } from '../lib/scope.ts'
import type { Job } from '../worker/loop.ts'
import type { GateOptions, OutcomeKind } from './gate.ts'
import { addIssuerMinute, deleteIssuerMinutes, type IssuerMinute } from './queries.ts'

const MINUTE_MS = 60_000
/** The page is read every few seconds, and a statement per process and five seconds costs nothing. */
const FLUSH_INTERVAL_MS = 5_000
/** An hour in which the database was away. */
const MINUTES_MAX = 120
/** A day of history, and an hour so that the oldest bucket is whole. */
const KEPT_MS = 25 * 3_600_000

/** `not_asked` is no call: the circuit was open. */
const IS_ANSWER: Readonly<Record<Exclude<OutcomeKind, 'not_asked'>, boolean>> = {
  confirmed: true,
  declined: true,
  absent: true,
  unknown: false,
  not_sent: false,
}

export interface CallRecord {
  readonly onCall: NonNullable<GateOptions['onCall']>
  flush(): Promise<void>
  close(): Promise<void>
}

export function createCallRecord({ db, clock, log }: { db: Db; clock: Clock; log: Log }): CallRecord {
  const minutes = new Map<string, IssuerMinute>()
  const writing = createFailureLog(log, 'How the calls of the issuer went could not be written; it is tried again.')
  let flushing: Promise<void> = Promise.resolve()
  const write = async () => {
    for (const [key, minute] of minutes) {
      // Removed first: calls that end while it is written begin a new count.
      minutes.delete(key)
      const isWritten = await writing.run(() => addIssuerMinute(db, minute))
      if (isWritten) continue
      minutes.set(key, minutes.has(key) ? sumOf(minute, minutes.get(key) as IssuerMinute) : minute)
      return
    }
  }
  const flush = () => {
    flushing = flushing.then(write)
    return flushing
  }
  const timer = setInterval(() => {
    if (minutes.size > 0) void flush()
  }, FLUSH_INTERVAL_MS)
  timer.unref()
  return {
    onCall(environment, outcome, seconds) {
      if (outcome === 'not_asked') return
      const one = minuteOf(environment, clock.now(), IS_ANSWER[outcome], Math.round(seconds * 1000))
      const key = `${environment} ${one.minute.getTime()}`
      const known = minutes.get(key)
      minutes.set(key, known === undefined ? one : sumOf(known, one))
      const [oldest] = minutes.keys()
      if (minutes.size > MINUTES_MAX && oldest !== undefined) minutes.delete(oldest)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function minuteOf(environment: Environment, now: Date, isAnswer: boolean, ms: number): IssuerMinute {
  return {
    environment,
    minute: new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS),
    answered: isAnswer ? 1 : 0,
    unanswered: isAnswer ? 0 : 1,
    answeredMs: isAnswer ? ms : 0,
    lastAnswerAt: isAnswer ? now : null,
    firstUnansweredAt: isAnswer ? null : now,
    lastUnansweredAt: isAnswer ? null : now,
  }
}

/** Of one minute; `later` was counted after `earlier`. */
function sumOf(earlier: IssuerMinute, later: IssuerMinute): IssuerMinute {
  return {
    ...earlier,
    answered: earlier.answered + later.answered,
    unanswered: earlier.unanswered + later.unanswered,
    answeredMs: earlier.answeredMs + later.answeredMs,
    lastAnswerAt: later.lastAnswerAt ?? earlier.lastAnswerAt,
    firstUnansweredAt: earlier.firstUnansweredAt ?? later.firstUnansweredAt,
    lastUnansweredAt: later.lastUnansweredAt ?? earlier.lastUnansweredAt,
  }
}

/** Removes what is older than the history that is shown. */
export function pruneIssuerMinutesJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'prune issuer minutes',
    intervalMs: 3_600_000,
    async run() {
      await deleteIssuerMinutes(db, new Date(clock.now().getTime() - KEPT_MS))
      return false
    },
  }
}
