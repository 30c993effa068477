// Runs the simulated processes one step at a time under a virtual clock. A step is a statement, a transaction, a call to the bank or a message.
// The seed decides who goes next, so a seed nearly always takes the same course. On a busy machine one was seen that did not.
import { setImmediate as drain } from 'node:timers/promises'
import type { Clock } from '../../../src/lib/clock.ts'
import type { Random } from '../world/random.ts'

/** A process, which dies and is suspended as a whole. */
export interface Place {
  readonly name: string
  /** Counts its lives. What a former life has begun never goes on. */
  life: number
  isDown: boolean
  suspendedUntilMs: number
}

interface Waiting {
  readonly place: Place
  readonly life: number
  readonly what: string
  go(): Promise<void>
}

const START_MS = Date.parse('2026-03-10T12:00:00.000Z')
/** A step takes up to this long. */
const STEP_MS_MAX = 20
/** A run has a few thousand steps. One that never ends is a bug. */
const STEPS_MAX = 20_000

export class Scheduler {
  readonly trace: string[] = []
  readonly clock: Clock = { now: () => new Date(this.nowMs) }
  readonly startMs = START_MS
  nowMs = START_MS
  steps = 0
  /** Called before each step. Returns true if the process died instead of taking it, and `later` if it was suspended. */
  beforeStep: (what: string, place: Place) => boolean | 'later' = () => false
  /** Called after each step. Returns true if the process died before it saw the result. */
  afterStep: (what: string, place: Place) => boolean = () => false
  readonly #random: Random
  #waiting: Waiting[] = []
  #sleeping: { readonly atMs: number; readonly place: Place | undefined; readonly life: number; wake(): void }[] = []
  #failure: { readonly error: unknown } | undefined

  constructor(random: Random) {
    this.#random = random
  }

  /** Takes a step when it is the turn of the process. It never resolves if the process dies first. */
  step<Result>(place: Place, what: string, act: () => Promise<Result>): Promise<Result> {
    const { life } = place
    return new Promise<Result>((resolve, reject) => {
      const go = async () => {
        const fate = this.beforeStep(what, place)
        if (fate === 'later') this.#waiting.push({ place, life, what, go })
        if (fate !== false) return
        const result = await act().then(
          (value) => () => resolve(value),
          (error: unknown) => () => reject(error),
        )
        // It may have died inside the step.
        if (place.life === life && !this.afterStep(what, place)) result()
      }
      this.#waiting.push({ place, life, what, go })
    })
  }

  /** Without a place, nobody can stop it. */
  sleep(ms: number, place?: Place): Promise<void> {
    return new Promise((resolve) => {
      this.#sleeping.push({ atMs: this.nowMs + ms, place, life: place?.life ?? 0, wake: resolve })
    })
  }

  /** Runs something beside the rest. An error in it ends the run. */
  spawn(run: () => Promise<void>): void {
    void run().catch((error: unknown) => {
      this.#failure ??= { error }
    })
  }

  /** Whether a step of this kind waits for its turn, such as a call that is about to be made. */
  isWaiting(what: string): boolean {
    return this.#waiting.some((each) => isAlive(each) && each.what === what)
  }

  /** Goes on until `isOver`, which is asked while nothing runs. */
  async run(isOver: () => boolean): Promise<void> {
    await drain()
    while (!isOver()) {
      this.steps += 1
      if (this.steps > STEPS_MAX) throw new Error('The simulation does not come to an end.')
      this.#waiting = this.#waiting.filter(isAlive)
      this.#sleeping = this.#sleeping.filter(isAlive)
      const ready = this.#waiting.filter(({ place }) => place.suspendedUntilMs <= this.nowMs)
      if (ready.length > 0) {
        const chosen = this.#random.pick(ready)
        this.#waiting.splice(this.#waiting.indexOf(chosen), 1)
        this.nowMs += this.#random.below(STEP_MS_MAX)
        this.trace.push(`${this.nowMs - START_MS} ${chosen.place.name} ${chosen.what}`)
        await chosen.go()
      } else this.#passTime()
      await drain()
      if (this.#failure !== undefined) throw this.#failure.error
    }
  }

  #passTime(): void {
    const suspended = this.#waiting.map(({ place }) => place.suspendedUntilMs)
    const nextMs = Math.min(...this.#sleeping.map(({ atMs }) => atMs), ...suspended)
    if (!Number.isFinite(nextMs)) throw new Error('Nothing is left to do.')
    this.nowMs = Math.max(this.nowMs, nextMs)
    const due = this.#sleeping.filter(({ atMs }) => atMs <= this.nowMs)
    this.#sleeping = this.#sleeping.filter(({ atMs }) => atMs > this.nowMs)
    for (const { wake } of due) wake()
  }
}

function isAlive({ place, life }: { readonly place: Place | undefined; readonly life: number }): boolean {
  return place === undefined || place.life === life
}
