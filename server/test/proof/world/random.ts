// Seeded random numbers. Each part of the simulation draws from a stream of its own, so that a change to one part does not
// change what the others do.

export interface Random {
  /** Returns a number from 0 to 1. */
  next(): number
  /** Returns an integer from 0 to `end`, without `end`. */
  below(end: number): number
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<Value>(values: readonly Value[]): Value
  /** Returns a name with a chance in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name
  bytes(target: Uint8Array): void
}

/** The generator is sfc32: small, fast, and the same everywhere. */
export function createRandom(seed: number, stream: string): Random {
  let [a, b, c, counter] = [0x9e3779b9 ^ seed, 0x243f6a88 ^ hashOf(stream), 0xb7e15162 ^ (seed * 2654435761), 1]
  const bits = () => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return t >>> 0
  }
  for (let round = 0; round < 16; round += 1) bits()
  const next = () => bits() / 4294967296
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() < share,
    pick: (values) => {
      const value = values[below(values.length)]
      if (value === undefined) throw new Error('nothing to pick from')
      return value
    },
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
      const entries = Object.entries<number>(weights)
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name as Name
      }
      return entries[0]?.[0] as Name
    },
    bytes(target) {
      for (let index = 0; index < target.length; index += 1) target[index] = bits() & 0xff
    },
  }
}

function hashOf(text: string): number {
  let hash = 2166136261
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  return hash
}
