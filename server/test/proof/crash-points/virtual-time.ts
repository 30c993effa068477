// Virtual time for several nodes in one process. Code that runs for an owner gets timers that fire only when the test
// advances the time; all other code, such as the database driver, keeps the real ones. Dropping an owner drops its timers.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Whoever sets timers: a node, the issuer, or the network. */
export class Owner {
  readonly name: string
  isDropped = false
  constructor(name: string) {
    this.name = name
  }
}

class VirtualTimer {
  readonly owner: Owner
  readonly call: () => void
  readonly everyMs: number | undefined
  readonly delayMs: number
  atMs: number
  constructor(owner: Owner, call: () => void, times: { nowMs: number; delayMs: number; isRepeated: boolean }) {
    this.owner = owner
    this.call = call
    // Like Node: a delay is at least a millisecond.
    this.delayMs = Math.max(1, times.delayMs)
    this.everyMs = times.isRepeated ? this.delayMs : undefined
    this.atMs = times.nowMs + this.delayMs
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
}

/** Timers fire at multiples of this, as on a slow machine. Most of them belong to polls that find nothing to do. */
const STEP_MS = 250

const ALIGN_MS = 60_000

type Callback = (...args: unknown[]) => void

/** Installed for the whole process, so there may be only one at a time. */
export class VirtualTime {
  readonly #owners = new AsyncLocalStorage<Owner>()
  readonly #real = { setTimeout, setInterval, clearTimeout, clearInterval, now: performance.now.bind(performance) }
  readonly #startMs: number
  #timers = new Set<VirtualTimer>()
  #nowMs = 0

  constructor(start = '2026-03-10T12:00:00.000Z') {
    this.#startMs = Date.parse(start)
    const set = (isRepeated: boolean, real: typeof setTimeout | typeof setInterval) => {
      return (callback: Callback, delayMs = 0, ...args: unknown[]) => {
        const owner = this.#owners.getStore()
        if (owner === undefined) return real(callback, delayMs, ...args)
        const times = { nowMs: this.#nowMs, delayMs, isRepeated }
        const timer = new VirtualTimer(owner, () => callback(...args), times)
        if (!owner.isDropped) this.#timers.add(timer)
        return timer
      }
    }
    const clear = (real: (timer: never) => void) => (timer: unknown) => {
      if (timer instanceof VirtualTimer) this.#timers.delete(timer)
      else real(timer as never)
    }
    Object.assign(globalThis, {
      setTimeout: Object.assign(set(false, this.#real.setTimeout), this.#real.setTimeout),
      setInterval: Object.assign(set(true, this.#real.setInterval), this.#real.setInterval),
      clearTimeout: clear(this.#real.clearTimeout),
      clearInterval: clear(this.#real.clearInterval),
    })
    performance.now = () => (this.#owners.getStore() === undefined ? this.#real.now() : this.#nowMs)
  }

  /** Gives the process its real timers back. */
  uninstall(): void {
    const { now, ...timers } = this.#real
    Object.assign(globalThis, timers)
    performance.now = now
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** The clock that every part of the product reads. */
  now(): Date {
    return new Date(this.#startMs + this.#nowMs)
  }

  run<Value>(owner: Owner, call: () => Value): Value {
    return this.#owners.run(owner, call)
  }

  /** Runs code with the real timers, whoever calls it. */
  runReal<Value>(call: () => Value): Value {
    return this.#owners.exit(call)
  }

  drop(owner: Owner): void {
    owner.isDropped = true
    for (const timer of this.#timers) if (timer.owner === owner) this.#timers.delete(timer)
  }

  /** Lets time pass in one step, as when a machine was suspended: timers that were due meanwhile fire once, afterwards. */
  skip(ms: number): void {
    this.#nowMs += ms
  }

  /** Lets time pass until the next full minute, so that runs that begin there see the same times of day. */
  align(): void {
    this.#nowMs = (Math.floor(this.#nowMs / ALIGN_MS) + 1) * ALIGN_MS
  }

  /** Moves the time to the step after the next timer and fires every timer that is due, in the order in which they were set. */
  fireNext(): void {
    const nextMs = Math.min(...[...this.#timers].map((timer) => timer.atMs))
    if (!Number.isFinite(nextMs)) throw new Error('Nothing is left that could happen.')
    this.#nowMs = Math.max(this.#nowMs, Math.ceil(nextMs / STEP_MS) * STEP_MS)
    for (const timer of [...this.#timers].filter(({ atMs }) => atMs <= this.#nowMs)) {
      if (!this.#timers.delete(timer)) continue
      if (timer.everyMs !== undefined) {
        timer.atMs = this.#nowMs + timer.everyMs
        this.#timers.add(timer)
      }
      this.run(timer.owner, timer.call)
    }
  }
}
