// Long computations in steps: a generator that yields after each piece of work. On the main thread other requests get a turn
// after each step, so that none of them waits for the whole computation.
import { setImmediate as nextTurn } from 'node:timers/promises'

export type Steps<Result> = Generator<void, Result, void>

/** Runs all steps without a pause, for a thread that has nothing else to do. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs one step per turn of the event loop. */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await nextTurn()
  }
}
