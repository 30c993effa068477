// Decides what happens next. Everything that a node waits for (a statement, an answer, a timer) is a step here, and one step
// runs at a time, until no code can run any more. Time passes only between steps.
import { createHash, type Hash } from 'node:crypto'
import type { Random } from './random.ts'

/** A process that can die. Steps of a dead one never run. */
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
  run(): void | Promise<void>
}

const realSetImmediate = setImmediate

/** Lets all code run that can run without a step: promises that were resolved, and what follows from them. */
function drain(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve))
}

export class Scheduler {
  nowMs: number
  steps = 0
  /** The process whose code runs at this moment. */
  current: Life | undefined
  readonly #pending = new Set<Step>()
  /** Steps that need not be on time: they never make time pass. */
  readonly #elastic = new Set<Step>()
  readonly #random: Random
  readonly #hash: Hash = createHash('sha256')
  readonly trace: string[] | undefined

  constructor(random: Random, startMs: number, keepsTrace: boolean) {
    this.#random = random
    this.nowMs = startMs
    this.trace = keepsTrace ? [] : undefined
  }

  add(step: Step, { elastic = false } = {}): Step {
    ;(elastic ? this.#elastic : this.#pending).add(step)
    return step
  }

  remove(step: Step): void {
    this.#pending.delete(step)
    this.#elastic.delete(step)
  }

  /** Steps of a process that are waiting. */
  stepsOf(life: Life): Step[] {
    return [...this.#pending].filter((step) => step.life === life)
  }

  forget(life: Life): void {
    for (const steps of [this.#pending, this.#elastic]) {
      for (const step of steps) if (step.life === life) steps.delete(step)
    }
  }

  note(text: string): void {
    const line = `${this.nowMs} ${text}\n`
    this.#hash.update(line)
    this.trace?.push(line)
  }

  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  /** Runs code of a process until it waits for a step. */
  async enter(life: Life | undefined, run: () => void): Promise<void> {
    this.current = life
    run()
    await drain()
    this.current = undefined
  }

  /** Runs one step that is due and returns true, or returns false if none is. */
  async runOne(): Promise<boolean> {
    const step = this.#choose()
    if (step === undefined) return false
    this.remove(step)
    this.steps += 1
    this.note(`${step.life?.name ?? 'world'} ${step.label}`)
    await step.run()
    // A little time passes, so that not everything has the same time.
    if (this.#random.chance(0.3)) this.nowMs += this.#random.between(1, 3)
    return true
  }

  /** When the next step is due that must be on time. */
  nextAtMs(): number | undefined {
    let next: number | undefined
    for (const step of this.#pending) {
      const atMs = Math.max(step.atMs, step.life?.suspendedUntilMs ?? 0)
      if (next === undefined || atMs < next) next = atMs
    }
    return next
  }

  #choose(): Step | undefined {
    const due = [...this.#pending].filter((step) => this.#isDue(step))
    if (this.#random.chance(0.04)) due.push(...[...this.#elastic].filter((step) => this.#isDue(step)))
    return due.length === 0 ? undefined : this.#random.pick(due)
  }

  #isDue({ atMs, life }: Step): boolean {
    return atMs <= this.nowMs && (life === undefined || life.suspendedUntilMs <= this.nowMs)
  }
}
