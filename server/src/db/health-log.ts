// Logs one line when the database fails and one when it works again, not one per failed statement.
import type { Log } from '../lib/log.ts'
import type { Trouble } from './health.ts'

/** Clocks kept by NTP differ by far less. Above this, one of the clocks drifts and needs attention. */
export const SKEW_WARN_MS = 2_000

const BEGINNINGS: Readonly<Record<Trouble, string>> = {
  unreachable: 'The database does not answer. Requests get 503 and jobs wait until it does.',
  not_writable:
    'The database does not write (is its disk full, is it read-only, or does it wait for a standby?). Changes get 503 and jobs wait until it does.',
  clock:
    'The clocks of this machine and of the database differ by more than 30 s. Requests get 503 and jobs wait until they agree; synchronise both (NTP).',
}
const DRIFT = 'The clocks of this machine and of the database differ by more than 2 s. Synchronise both (NTP).'

export interface HealthLog {
  note(trouble: Trouble | undefined, details: { skewMs: number; error: unknown }): void
}

export function createHealthLog(log: Log): HealthLog {
  let told: Trouble | undefined
  let since = 0
  let drifts = false
  return {
    note(trouble, { skewMs, error }) {
      const isDrift = Math.abs(skewMs) > SKEW_WARN_MS
      if (isDrift && !drifts && trouble !== 'clock') log.warn({ skewMs }, DRIFT)
      drifts = isDrift
      if (trouble === told) return
      if (trouble !== undefined) {
        const reason = error instanceof Error ? error.message : undefined
        log.error(trouble === 'clock' ? { skewMs } : { reason }, BEGINNINGS[trouble])
      } else {
        log.info({ afterMs: Math.round(performance.now() - since) }, 'The database works again.')
      }
      told = trouble
      since = performance.now()
    },
  }
}
