// Keeps PostgreSQL running: starts it again a few times if it exits by itself. It must not decide what to do if that does not
// help; it tells the caller.
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from './error.ts'
import type { Postmaster } from './postmaster.ts'
import type { Program } from './program.ts'

export interface Supervised {
  /** Resolves when PostgreSQL has ended for good: it was stopped, or it could not be started again. */
  readonly gone: Promise<void>
  stop(): Promise<void>
}

export interface SuperviseOptions {
  program: Program
  /** Starts another on the same data and waits until it is ready. */
  restart(): Promise<Postmaster>
  /** For what the operator should know. */
  warn(message: string): void
  delaysMs?: readonly number[]
}

/** The pause before each attempt. Recovery may need memory or disk space that others are about to free. */
const RESTART_DELAYS_MS = [0, 500, 2_000, 5_000, 10_000]
/** A PostgreSQL that ran for this long did not fail because of its start, so the attempts are counted from zero again. */
const STABLE_MS = 60_000

export function supervise(first: Postmaster, options: SuperviseOptions): Supervised {
  const { program, restart, warn, delaysMs = RESTART_DELAYS_MS } = options
  const stopping = new AbortController()
  let current = first
  let startedAt = performance.now()
  let tries = 0

  const tryAgain = async (): Promise<boolean> => {
    await delay(delaysMs[tries], undefined, { signal: stopping.signal })
    tries += 1
    try {
      current = await restart()
      startedAt = performance.now()
      warn(`PostgreSQL runs again (process ${current.pid}).`)
      return true
    } catch (error) {
      warn(`PostgreSQL could not be started again (try ${tries} of ${delaysMs.length}): ${messageOf(error)}`)
      return false
    }
  }
  const watch = async () => {
    for (;;) {
      await current.exited
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > STABLE_MS) tries = 0
      warn(`PostgreSQL ended by itself. Starting it again; ${program.meanwhile} meanwhile.`)
      while (tries < delaysMs.length && !(await tryAgain())) continue
      if (current.hasExited()) return
    }
  }
  // Stopping interrupts the pause before an attempt.
  const gone = watch().catch(() => undefined)
  return {
    gone,
    async stop() {
      stopping.abort()
      await current.stop()
      await gone
      // An attempt in progress may have succeeded.
      await current.stop()
    },
  }
}
