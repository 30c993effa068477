// A seeded source of choices: the same seed and index always make the same request, so that a failure can be repeated.
export class Choice {
  #state: number

  constructor(seed: number, index: number) {
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0
    this.below(1)
  }

  /** Returns a whole number from 0 to below `count` (mulberry32). */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count)
  }

  /** Returns true in this many of a hundred cases. */
  happens(percent: number): boolean {
    return this.below(100) < percent
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined && items.length === 0) throw new Error('There is nothing to choose from.')
    return item as Item
  }
}
