// Interleaved rounds: every round runs each variant once, in alternating order. Whatever slows the machine down for a
// while, and whatever one variant leaves behind for the next, then affects all variants equally.

export interface Variant {
  readonly name: string
  /** Returns a rate or a cost. */
  measure(): Promise<number>
}

export class Rounds {
  readonly #samples = new Map<string, number[]>()

  async run(variants: readonly Variant[], count: number, note: (text: string) => void): Promise<void> {
    for (let round = 0; round < count; round += 1) {
      const order = round % 2 === 0 ? variants : variants.toReversed()
      for (const { name, measure } of order) {
        const value = await measure()
        this.add(name, value)
        note(`round ${round + 1}/${count} ${name}: ${format(value)}`)
      }
    }
  }

  /** Adds one round's value. Names that are compared must have the same number of rounds. */
  add(name: string, value: number): void {
    this.#samples.set(name, [...(this.#samples.get(name) ?? []), value])
  }

  median(name: string): number {
    return median(this.#samples.get(name) ?? [])
  }

  /** Returns the median of the ratios of each round, whose two sides were measured right after each other. */
  ratio(name: string, base: string): number {
    const bases = this.#samples.get(base) ?? []
    return median((this.#samples.get(name) ?? []).map((value, round) => value / (bases[round] ?? Number.NaN)))
  }

  /** Returns the lowest and the highest ratio of any round, which show how far to trust the median. */
  spread(name: string, base: string): [number, number] {
    const bases = this.#samples.get(base) ?? []
    const ratios = (this.#samples.get(name) ?? []).map((value, round) => value / (bases[round] ?? Number.NaN))
    return [Math.min(...ratios), Math.max(...ratios)]
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

export function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}
