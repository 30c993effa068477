// Replaces the timers of this process by steps of the virtual time, for code that runs for a process of the world. All other code,
// such as the driver of the database, keeps the real timers. Only one virtual time can be installed at a time.
import type { Step, VirtualTime } from './time.ts'

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
}
const realNow = performance.now.bind(performance)

/** A timer as far as the server uses timers. */
class VirtualTimer {
  readonly step: Step
  constructor(step: Step) {
    this.step = step
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

type Callback = (...values: unknown[]) => void

export interface TimerOptions {
  /** Whether `setImmediate` is a step too, so that the order of what is ready is the proof's choice. */
  readonly immediates: 'virtual' | 'real'
}

/** Returns a function that gives the process its real timers back. */
export function installTimers(time: VirtualTime, { immediates }: TimerOptions): () => void {
  const later = (what: Omit<Step, 'life' | 'atMs' | 'run'>, ms: number, run: () => void): VirtualTimer => {
    const life = time.current
    const atMs = time.nowMs + Math.max(0, ms)
    const timer = new VirtualTimer({ ...what, life, atMs, run: () => time.enter(life, run) })
    if (life?.isAlive === true) time.add(timer.step)
    return timer
  }
  const setTimer = (callback: Callback, ms = 0, ...values: unknown[]) => {
    if (time.current === undefined) return real.setTimeout(callback, ms, ...values)
    return later({ label: `timer ${ms}` }, ms, () => callback(...values))
  }
  const setRepeated = (callback: Callback, ms = 0, ...values: unknown[]) => {
    if (time.current === undefined) return real.setInterval(callback, ms, ...values)
    const timer: VirtualTimer = later({ label: `interval ${ms}`, isElastic: true }, ms, () => {
      timer.step.atMs = time.nowMs + ms
      time.add(timer.step)
      callback(...values)
    })
    return timer
  }
  const setSoon = (callback: Callback, ...values: unknown[]) => {
    if (time.current === undefined) return real.setImmediate(callback, ...values)
    return later({ label: 'immediate' }, 0, () => callback(...values))
  }
  const clear = (timer: unknown) => {
    if (timer instanceof VirtualTimer) time.remove(timer.step)
    else real.clearTimeout(timer as NodeJS.Timeout)
  }
  Object.assign(globalThis, {
    // With the properties of the real ones, such as their form that returns a promise.
    setTimeout: Object.assign(setTimer, real.setTimeout),
    setInterval: Object.assign(setRepeated, real.setInterval),
    clearTimeout: clear,
    clearInterval: clear,
    ...(immediates === 'virtual' ? { setImmediate: setSoon } : {}),
  })
  performance.now = () => (time.current === undefined ? realNow() : time.nowMs - time.startMs)
  return () => {
    Object.assign(globalThis, real)
    performance.now = realNow
  }
}
