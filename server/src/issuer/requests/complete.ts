// Completes queued requests of an issuer whose book is our own database, many in one statement: ADR 16. Nothing is sent, so nothing can be
// unknown. What it leaves out stays in the queue, to be claimed and sent like the requests of any other issuer.
import { isUnavailable } from '../../db/unavailable.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Environment } from '../../lib/scope.ts'
import type { Polling } from '../../worker/polling.ts'
import type { Gate } from '../gate.ts'
import type { AtOnce } from '../port.ts'
import type { DueClaim } from './queries.ts'

/** As many as a claim takes, by the same literal in list_due and list_due_after. */
const COMPLETION_SIZE_MAX = 200

/** What one statement completed, and how many due requests it left in the queue because they are not carried out at once. */
export interface Completion {
  readonly completed: number
  readonly leftOut: number
  /** Whether more may be due that can be completed. */
  readonly isMore: boolean
}

export type CompleteNext = (due: Omit<DueClaim, 'leaseUntil'>, atOnce: AtOnce) => Promise<Completion>

interface CompletingDeps {
  readonly clock: Clock
  readonly log: Log
  /** Whether every request has a trace of its own, which shows its call. */
  readonly isTraced?: boolean | undefined
}

/**
 * Returns a function that completes what is due, and has the rest claimed and sent if there is any. It returns whether there is more to
 * do. Undefined if the issuer has to be asked for each request.
 */
export function createCompleting(
  { clock, log, isTraced = false }: CompletingDeps,
  kind: { createCompletions(): CompleteNext | undefined },
  { environment, gate, polling }: { environment: Environment; gate: Gate; polling: Polling },
): ((claimAndSend: () => Promise<boolean>) => Promise<boolean>) | undefined {
  const { atOnce } = gate.issuer
  if (atOnce === undefined || isTraced) return undefined
  const completeNext = kind.createCompletions()
  if (completeNext === undefined) return undefined
  return async (claimAndSend) => {
    const startedMs = performance.now()
    const due = { environment, now: clock.now(), limit: COMPLETION_SIZE_MAX }
    const completion = await completeNext(due, atOnce).catch((error: unknown) => {
      if (isUnavailable(error)) throw error
      // One request that cannot be completed must not hold up the others. Sent by itself, it fails alone and leaves the queue.
      log.error({ environment, error }, 'Requests could not be completed in one statement. They are sent one by one.')
      return undefined
    })
    if (completion === undefined) return claimAndSend()
    const { completed, leftOut, isMore } = completion
    if (completed > 0) polling.hurry()
    gate.recordConfirmed(completed, performance.now() - startedMs)
    if (leftOut === 0) return isMore
    return (await claimAndSend()) || isMore
  }
}
