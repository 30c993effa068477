// Keeps what this process did in each minute and adds it to what other processes did, so that an operator sees a day of history over all processes. It
// must never delay or fail a request: what cannot be written yet is written later, and the oldest minutes are dropped.
import { randomUUID } from 'node:crypto'
import { createFailureLog } from '../db/failure-log.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Job } from '../worker/loop.ts'
import {
  addServerMinute,
  deleteServerMinutes,
  type MeasuredMinute,
  type ServerMinute,
  setMeasuredMinute,
} from './queries.ts'

const MINUTE_MS = 60_000
/** Two hours in which the database was away. */
const MINUTES_MAX = 120
/** A day of history, and an hour so that the oldest bucket is whole. */
const KEPT_MS = 25 * 3_600_000

export interface ServerRecord {
  onAnswer(status: number): void
  onAttempt(isDelivered: boolean): void
  /** Writes the minutes that have ended. */
  flush(): Promise<void>
  /** Writes the minute that has begun, too. */
  close(): Promise<void>
}

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  /** Returns the most issuer calls in flight since this was last called, and whether calls of some kind are not made now. */
  takeCalls(): Pick<ServerMinute, 'callsInFlight' | 'areCallsStopped'>
  /** Measures what waits in the database, which is the same for all processes. */
  measure(now: Date): Promise<MeasuredMinute>
}

export function createServerRecord({ db, clock, log, takeCalls, measure }: Deps): ServerRecord {
  const processId = randomUUID()
  let current = beginMinute(clock.now())
  const ended: ServerMinute[] = []
  const writing = createFailureLog(log, 'The figures of a minute could not be written; it is tried again.')
  let flushing: Promise<void> = Promise.resolve()

  const endMinute = () => {
    ended.push({ ...current, ...takeCalls() })
    current = beginMinute(clock.now())
    if (ended.length > MINUTES_MAX) ended.shift()
  }
  const writeMinute = async (minute: ServerMinute) => {
    // What waits now is not what waited at the end of an older minute, or will at the end of one that goes on.
    const sinceMs = clock.now().getTime() - minute.minute.getTime()
    const hasJustEnded = sinceMs >= MINUTE_MS && sinceMs < 2 * MINUTE_MS
    const row = await addServerMinute(db, minute, { processId, measurer: hasJustEnded ? processId : null })
    if (row?.measurer === processId) await setMeasuredMinute(db, minute.minute, await measure(clock.now()))
  }
  const write = async () => {
    for (let minute = ended[0]; minute !== undefined; minute = ended[0]) {
      const written = minute
      if (!(await writing.run(() => writeMinute(written)))) return
      // Minutes that ended meanwhile may have pushed it out.
      if (ended[0] === written) ended.shift()
    }
  }
  const flush = () => {
    // A clock that was set back begins another minute, too.
    if (minuteOf(clock.now()).getTime() !== current.minute.getTime()) endMinute()
    flushing = flushing.then(write)
    return flushing
  }
  const stopTimer = everyMinute(clock, () => void flush())
  return {
    onAnswer(status) {
      current.requests += 1
      if (status >= 500) current.serverErrors += 1
    },
    onAttempt(isDelivered) {
      current.webhookAttempts += 1
      if (!isDelivered) current.webhookFailures += 1
    },
    flush,
    async close() {
      stopTimer()
      endMinute()
      await flush()
    },
  }
}

/** Calls the listener when a minute of the clock ends. */
function everyMinute(clock: Clock, onEnd: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(
      () => {
        onEnd()
        wait()
      },
      MINUTE_MS - (clock.now().getTime() % MINUTE_MS),
    )
    timer.unref()
  }
  wait()
  return () => clearTimeout(timer)
}

function beginMinute(now: Date): Omit<ServerMinute, 'callsInFlight' | 'areCallsStopped'> {
  return { minute: minuteOf(now), requests: 0, serverErrors: 0, webhookAttempts: 0, webhookFailures: 0 }
}

function minuteOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS)
}

/** Removes what is older than the history that is shown. */
export function pruneServerMinutesJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'prune server minutes',
    intervalMs: 3_600_000,
    async run() {
      await deleteServerMinutes(db, new Date(clock.now().getTime() - KEPT_MS))
      return false
    },
  }
}
