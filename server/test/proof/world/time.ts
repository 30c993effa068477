// The virtual time of a proof. Whatever somebody waits for (a timer, a statement, an answer) is a step here. Nothing runs by
// itself: the proof chooses the next step, and moves the time. Replacing the timers of the process is the business of timers.ts.
import { AsyncLocalStorage } from 'node:async_hooks'

/** A process that can die, or another party that sets timers. Steps of a dead one never run. */
export interface Life {
  readonly name: string
  isAlive: boolean
  /** Until when the process does not run, as if the machine had suspended it. */
  suspendedUntilMs: number
}

export interface Step {
  readonly label: string
  /** Undefined for the outside world. */
  readonly life: Life | undefined
  atMs: number
  /** Repeated timers of the server, such as polls: they need not be on time. */
  readonly isElastic?: boolean
  run(): void | Promise<void>
}

/** Every proof begins at this time, which is a full hour. */
const START = '2026-03-10T12:00:00.000Z'

const realSetImmediate = setImmediate

/** Lets all code run that can run without a step: promises that were resolved, and what follows from them. */
export function drain(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve))
}

export function createLife(name: string): Life {
  return { name, isAlive: true, suspendedUntilMs: 0 }
}

export class VirtualTime {
  readonly startMs = Date.parse(START)
  nowMs = this.startMs
  readonly #lives = new AsyncLocalStorage<Life>()
  readonly #steps = new Set<Step>()

  /** The clock that every part of the server reads. */
  now = (): Date => new Date(this.nowMs)

  advance(ms: number): void {
    this.nowMs += ms
  }

  set(instant: string): void {
    this.nowMs = Date.parse(instant)
  }

  /** The process whose code runs at this moment. */
  get current(): Life | undefined {
    return this.#lives.getStore()
  }

  /** Runs code of a process. Its timers, and those of whatever follows from it, are steps of that process. */
  run<Value>(life: Life, call: () => Value): Value {
    return this.#lives.run(life, call)
  }

  /** Runs code with the real timers, whoever calls it. */
  runReal<Value>(call: () => Value): Value {
    return this.#lives.exit(call)
  }

  /** Runs code of a process until it waits for a step. */
  async enter(life: Life | undefined, call: () => void): Promise<void> {
    if (life === undefined) this.runReal(call)
    else this.run(life, call)
    await drain()
  }

  /** The steps that wait, in the order in which they were added. */
  get waiting(): readonly Step[] {
    return [...this.#steps]
  }

  add(step: Step): Step {
    this.#steps.add(step)
    return step
  }

  remove(step: Step): boolean {
    return this.#steps.delete(step)
  }

  /** Ends a process: what it waits for never happens. */
  end(life: Life): void {
    life.isAlive = false
    for (const step of this.#steps) if (step.life === life) this.#steps.delete(step)
  }
}
