// Replaces the time and the randomness of this process while a simulation runs: timers become steps of the scheduler, and
// random numbers come from the seed. Code outside the simulation keeps the real ones.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { newId } from '../../../src/lib/ids.ts'
import { createRandom } from './random.ts'
import type { Scheduler, Step } from './scheduler.ts'

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  now: performance.now.bind(performance),
  random: Math.random,
  randomBytes: crypto.randomBytes,
  randomFillSync: crypto.randomFillSync,
  randomUUID: crypto.randomUUID,
}

/** More than the ids remember, see lib/ids.ts. */
const REMEMBERED_IDS = 300
/** How many ids use up a block of 4096 random bytes, 6 at a time. */
const IDS_PER_BLOCK = 682

/** A timer of the simulation, as far as the server uses timers. */
class VirtualTimer {
  readonly step: Step
  constructor(step: Step) {
    this.step = step
  }
  unref() {
    return this
  }
  ref() {
    return this
  }
}

/** Returns a function that restores everything. */
export function enterVirtualWorld(scheduler: Scheduler, seed: number): () => void {
  replaceTimers(scheduler)
  forgetIds(replaceRandomness(seed))
  return () => {
    Object.assign(globalThis, {
      setTimeout: real.setTimeout,
      clearTimeout: real.clearTimeout,
      setInterval: real.setInterval,
      clearInterval: real.clearInterval,
      setImmediate: real.setImmediate,
    })
    performance.now = real.now
    Math.random = real.random
    const { randomBytes, randomFillSync, randomUUID } = real
    Object.assign(crypto, { randomBytes, randomFillSync, randomUUID })
    syncBuiltinESMExports()
  }
}

type Callback = (...values: unknown[]) => void

function replaceTimers(scheduler: Scheduler): void {
  const startMs = scheduler.nowMs
  const later = (label: string, ms: number, run: () => void, elastic = false) => {
    const life = scheduler.current
    const step = { label, life, atMs: scheduler.nowMs + Math.max(0, ms), run: () => scheduler.enter(life, run) }
    return new VirtualTimer(scheduler.add(step, { elastic }))
  }
  const setTimer = (callback: Callback, ms = 0, ...values: unknown[]) => {
    if (scheduler.current === undefined) return real.setTimeout(callback, ms, ...values)
    return later(`timer ${ms}`, ms, () => callback(...values))
  }
  const setRepeated = (callback: Callback, ms = 0) => {
    if (scheduler.current === undefined) return real.setInterval(callback, ms)
    const fire = () => {
      timer.step.atMs = scheduler.nowMs + ms
      scheduler.add(timer.step, { elastic: true })
      callback()
    }
    const timer = later(`interval ${ms}`, ms, fire, true)
    return timer
  }
  const setSoon = (callback: Callback, ...values: unknown[]) => {
    if (scheduler.current === undefined) return real.setImmediate(callback, ...values)
    return later('immediate', 0, () => callback(...values))
  }
  const clear = (timer: unknown) => {
    if (timer instanceof VirtualTimer) scheduler.remove(timer.step)
    else real.clearTimeout(timer as NodeJS.Timeout)
  }
  Object.assign(globalThis, {
    setTimeout: setTimer,
    setInterval: setRepeated,
    setImmediate: setSoon,
    clearTimeout: clear,
    clearInterval: clear,
  })
  performance.now = () => (scheduler.current === undefined ? real.now() : scheduler.nowMs - startMs)
}

interface Source {
  /** From now on random bytes come from the seed. Until then they are zero. */
  arm(): void
  /** Tells whether random bytes were drawn since the last call. */
  wasDrawn(): boolean
}

function replaceRandomness(seed: number): Source {
  const random = createRandom(seed, 'bytes')
  let isArmed = false
  let isDrawn = false
  Math.random = createRandom(seed, 'Math.random').next
  const fill = <Target extends Uint8Array>(target: Target): Target => {
    isDrawn = true
    if (isArmed) random.bytes(target)
    return target
  }
  const randomUUID = () => {
    const hex = fill(Buffer.alloc(16)).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  Object.assign(crypto, { randomBytes: (size: number) => fill(Buffer.alloc(size)), randomFillSync: fill, randomUUID })
  syncBuiltinESMExports()
  return {
    arm: () => void (isArmed = true),
    wasDrawn: () => {
      const was = isDrawn
      isDrawn = false
      return was
    },
  }
}

/** The ids of a process depend on those it made before. Every run must begin the same: with an empty block of random bytes. */
function forgetIds(source: Source): void {
  for (let ms = 0; ms < REMEMBERED_IDS; ms += 1) newId(new Date(ms))
  source.wasDrawn()
  while (!source.wasDrawn()) newId(new Date(REMEMBERED_IDS))
  for (let drawn = 1; drawn < IDS_PER_BLOCK; drawn += 1) newId(new Date(REMEMBERED_IDS))
  source.arm()
}
