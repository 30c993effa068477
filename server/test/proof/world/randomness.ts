// Replaces the randomness of this process while a proof runs: random numbers come from a seed, so that a run can be repeated.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { newId } from '../../../src/lib/ids.ts'
import { createRandom } from './random.ts'

const real = {
  random: Math.random,
  randomBytes: crypto.randomBytes,
  randomFillSync: crypto.randomFillSync,
  randomUUID: crypto.randomUUID,
}

/** More than the ids remember, see lib/ids.ts. */
const REMEMBERED_IDS = 300
/** How many ids use up a block of 4096 random bytes, 6 at a time. */
const IDS_PER_BLOCK = 682

/** Returns a function that gives the process its real randomness back. */
export function installRandomness(seed: number): () => void {
  forgetIds(replaceRandomness(seed))
  return () => {
    const { random, ...functions } = real
    Math.random = random
    Object.assign(crypto, functions)
    syncBuiltinESMExports()
  }
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
