// Decides what happens next. One step of the virtual time runs at a time, drawn from the seed, until no code can run any more. Time
// passes only between steps.
import { createHash, type Hash } from 'node:crypto'
import type { Random } from '../world/random.ts'
import type { Step, VirtualTime } from '../world/time.ts'

export class Scheduler {
  steps = 0
  readonly #time: VirtualTime
  readonly #random: Random
  readonly #hash: Hash = createHash('sha256')
  readonly trace: string[] | undefined

  constructor(time: VirtualTime, random: Random, keepsTrace: boolean) {
    this.#time = time
    this.#random = random
    this.trace = keepsTrace ? [] : undefined
  }

  note(text: string): void {
    const line = `${this.#time.nowMs} ${text}\n`
    this.#hash.update(line)
    this.trace?.push(line)
  }

  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  /** Runs one step that is due and returns true, or returns false if none is. */
  async runOne(): Promise<boolean> {
    const step = this.#choose()
    if (step === undefined) return false
    this.#time.remove(step)
    this.steps += 1
    this.note(`${step.life?.name ?? 'world'} ${step.label}`)
    await step.run()
    // A little time passes, so that not everything has the same time.
    if (this.#random.chance(0.3)) this.#time.advance(this.#random.between(1, 3))
    return true
  }

  /** When the next step is due that must be on time. */
  nextAtMs(): number | undefined {
    let next: number | undefined
    for (const step of this.#time.waiting) {
      if (step.isElastic === true) continue
      const atMs = Math.max(step.atMs, step.life?.suspendedUntilMs ?? 0)
      if (next === undefined || atMs < next) next = atMs
    }
    return next
  }

  #choose(): Step | undefined {
    const due = this.#time.waiting.filter((step) => this.#isDue(step))
    const punctual = due.filter(({ isElastic }) => isElastic !== true)
    // Steps that need not be on time never make time pass.
    const choice = this.#random.chance(0.04) ? [...punctual, ...due.filter(({ isElastic }) => isElastic)] : punctual
    return choice.length === 0 ? undefined : this.#random.pick(choice)
  }

  #isDue({ atMs, life }: Step): boolean {
    return atMs <= this.#time.nowMs && (life === undefined || life.suspendedUntilMs <= this.#time.nowMs)
  }
}
