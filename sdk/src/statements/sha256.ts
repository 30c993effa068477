// SHA-256 (FIPS 180-4) without waiting. Web Crypto would return a promise for every entry of a statement, which takes a few times
// as long, and browsers do not have it on pages without https.
import { utf8 } from '../bytes.ts'

/** The fractional parts of the cube roots of the first 64 primes, and of the square roots of the first eight. */
const [ROUND_CONSTANTS, START] = makeConstants()
const BLOCK_BYTES = 64
/** The end of the last block: a byte that marks the end of the data, and the length in bits. */
const END_BYTES = 9

/** Returns the 32 bytes of the hash of the values one after another. Text is encoded as UTF-8. */
export function sha256(...values: readonly (string | Uint8Array)[]): Uint8Array {
  const parts = values.map((value) => (typeof value === 'string' ? utf8(value) : value))
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const padded = new Uint8Array(Math.ceil((length + END_BYTES) / BLOCK_BYTES) * BLOCK_BYTES)
  let end = 0
  for (const part of parts) {
    padded.set(part, end)
    end += part.length
  }
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(length) * 8n)
  const state = Int32Array.from(START)
  const schedule = new Int32Array(64)
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) addBlock(state, schedule, view, at)
  const hash = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) hash.setInt32(4 * index, word)
  return new Uint8Array(hash.buffer)
}

/** The names a to h are those of the standard. They are local variables, because an array would take several times as long. */
function addBlock(state: Int32Array, schedule: Int32Array, view: DataView, at: number): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = view.getInt32(at + 4 * index)
  for (let index = 16; index < 64; index += 1) {
    const near = schedule[index - 2]!
    const far = schedule[index - 15]!
    const nearMix = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10)
    const farMix = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
    schedule[index] = nearMix + schedule[index - 7]! + farMix + schedule[index - 16]!
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let index = 0; index < 64; index += 1) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const eMix = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const aMix = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const step = (h + eMix + choice + ROUND_CONSTANTS[index]! + schedule[index]!) | 0
    h = g
    g = f
    f = e
    e = (d + step) | 0
    d = c
    c = b
    b = a
    a = (step + aMix + majority) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function makeConstants(): [cubes: Int32Array, squares: Int32Array] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < 64; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  const bitsOf = (root: number) => ((root % 1) * 2 ** 32) | 0
  return [
    Int32Array.from(primes, (prime) => bitsOf(Math.cbrt(prime))),
    Int32Array.from(primes.slice(0, 8), (prime) => bitsOf(Math.sqrt(prime))),
  ]
}
