// Logs that the reference issuer cannot deliver its events: when it begins, when the place changes, and then once a minute, however
// many events wait.
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

export interface Notice {
  /** `url` is undefined while the address is not known. */
  undelivered(url: string | undefined, reason: string): void
  delivered(): void
}

/** Often enough for somebody who waits for an event, and too seldom to fill a disk. */
const REPEAT_MS = 60_000

export function createNotice({ clock, log }: { clock: Clock; log: Pick<Log, 'warn' | 'info'> }): Notice {
  let told: { url: string | undefined; atMs: number } | undefined
  let attempts = 0
  return {
    undelivered(url, reason) {
      attempts += 1
      const atMs = clock.now().getTime()
      if (told !== undefined && told.url === url && atMs - told.atMs < REPEAT_MS) return
      log.warn({ url, reason, attempts }, 'Events are not delivered.')
      told = { url, atMs }
      attempts = 0
    },
    delivered() {
      if (told !== undefined) log.info({ url: told.url }, 'Events are delivered again.')
      told = undefined
      attempts = 0
    },
  }
}
