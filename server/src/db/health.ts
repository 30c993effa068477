// Watches the database over a separate connection: whether it answers, can write, and has the same time as this machine.
// Everything that needs to know whether the server can work asks this monitor, whose answer is about a second old.
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createHealthLog } from './health-log.ts'
import type { Connection } from './pool.ts'
import { createProbe } from './probe.ts'

/** Why the server cannot work now: the database does not answer, does not write, or one of the two clocks is wrong. */
export type Trouble = 'unreachable' | 'not_writable' | 'clock'

export interface Health {
  /** Undefined while the server can work. */
  trouble(): Trouble | undefined
  /** By how much the database's clock is ahead of ours, in milliseconds. */
  skewMs(): number
}

export interface HealthMonitor extends Health {
  isReachable(): boolean
  close(): void
}

interface Deps {
  connection: Connection
  clock: Clock
  log: Log
  /** Called while the database does not answer and when it answers again, because other connections are dead too. */
  onLost(): void
}

/** With the probe's deadline of 2 s, a silent database is noticed within 2.5 s. */
const BEAT_INTERVAL_MS = 500
/** While something is wrong, so that its end is noticed soon. */
const RETRY_INTERVAL_MS = 250
/** A write costs a commit, so it is tried less often. */
const WRITE_INTERVAL_MS = 1_000
/**
 * Beyond this, leases, expiries and signatures are wrong by more than their own tolerances, so the process must neither
 * accept nor claim anything.
 */
export const SKEW_MAX_MS = 30_000

export const ALWAYS_HEALTHY: Health = { trouble: () => undefined, skewMs: () => 0 }

/** Resolves after the first look at the database, whatever that found. */
export async function startHealthMonitor({ connection, clock, log, onLost }: Deps): Promise<HealthMonitor> {
  const probe = createProbe({ connection, clock })
  const healthLog = createHealthLog(log)
  let failure: { unreachable?: unknown; not_writable?: unknown } = {}
  let skewMs = 0
  let wroteAt = Number.NEGATIVE_INFINITY
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const trouble = (): Trouble | undefined => {
    if ('unreachable' in failure) return 'unreachable'
    if ('not_writable' in failure) return 'not_writable'
    return Math.abs(skewMs) > SKEW_MAX_MS ? 'clock' : undefined
  }
  const look = async () => {
    try {
      skewMs = await probe.measureSkew()
    } catch (error) {
      failure = { unreachable: error }
      wroteAt = Number.NEGATIVE_INFINITY
      onLost()
      return
    }
    // Connections that were begun during the outage, by statements that had waited for one, may hang a while longer.
    if ('unreachable' in failure) onLost()
    if (performance.now() - wroteAt < WRITE_INTERVAL_MS) return
    wroteAt = performance.now()
    failure = await probe.write().then(
      () => ({}),
      (error: unknown) => ({ not_writable: error }),
    )
  }
  const beat = async () => {
    await look()
    if (stopped) return
    const current = trouble()
    healthLog.note(current, { skewMs, error: failure.unreachable ?? failure.not_writable })
    timer = setTimeout(() => void beat(), current === undefined ? BEAT_INTERVAL_MS : RETRY_INTERVAL_MS)
  }
  await beat()
  return {
    trouble,
    skewMs: () => skewMs,
    isReachable: () => !('unreachable' in failure),
    close() {
      stopped = true
      clearTimeout(timer)
      probe.drop()
    },
  }
}
