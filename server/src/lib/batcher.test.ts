// The batcher: items that arrive together are sent together, an item that arrives alone does not wait, and every limit holds.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type BatcherOptions, createBatcher, QueueFullError } from './batcher.ts'

/** A run that ends when the test says so. */
function createGate() {
  const batches: { items: readonly number[]; end(): void; fail(error: Error): void }[] = []
  const run = (items: readonly number[]) =>
    new Promise<readonly number[]>((resolve, reject) => {
      batches.push({ items, end: () => resolve(items.map((item) => item * 10)), fail: reject })
    })
  return { batches, run }
}
/** Two turns of the event loop: one for what a batch's end sets going, one for what that schedules. */
const turn = async () => {
  for (let count = 0; count < 2; count += 1) await new Promise((resolve) => setImmediate(resolve))
}
const limits = { sizeMax: 4, inFlightMax: 2, queueMax: 10 }
const open = (gate: ReturnType<typeof createGate>, more: Partial<BatcherOptions<number, number>> = {}) =>
  createBatcher<number, number>({ run: gate.run, ...limits, ...more })

describe('a batcher', () => {
  it('sends a single item in the same turn of the event loop', async () => {
    const gate = createGate()
    const result = open(gate).push(1)
    await turn()
    expect(gate.batches.map(({ items }) => items)).toEqual([[1]])
    gate.batches[0]?.end()
    expect(await result).toBe(10)
  })
  it('sends items that arrived together in batches up to the maximum size, two in flight, and the rest afterwards', async () => {
    const gate = createGate()
    const batcher = open(gate)
    const results = Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map((item) => batcher.push(item)))
    await turn()
    expect(gate.batches.map(({ items }) => items)).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ])
    gate.batches[1]?.end()
    await turn()
    expect(gate.batches[2]?.items).toEqual([9])
    gate.batches[0]?.end()
    gate.batches[2]?.end()
    expect(await results).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90])
  })
  it('runs a limited number of batches of one group, so that a group that waits does not hold up the others', async () => {
    const gate = createGate()
    const batcher = open(gate, {
      inFlightMax: 3,
      groupInFlightMax: 1,
      groupOf: (item) => (item < 10 ? 'slow' : 'quick'),
    })
    const results = Promise.all([1, 2, 3, 4, 5, 11, 6, 12].map((item) => batcher.push(item)))
    await turn()
    expect(gate.batches.map(({ items }) => items)).toEqual([
      [1, 2, 3, 4],
      [11, 12],
    ])
    gate.batches[1]?.end()
    const later = batcher.push(13)
    await turn()
    expect(gate.batches.map(({ items }) => items).slice(2)).toEqual([[13]])
    gate.batches[0]?.end()
    await turn()
    expect(gate.batches.at(-1)?.items).toEqual([5, 6])
    for (const { end } of gate.batches) end()
    expect(await results).toEqual([10, 20, 30, 40, 50, 110, 60, 120])
    expect(await later).toBe(130)
    await batcher.idle()
  })
  it('shares the waiting items between the batches, so that one can be answered while the other runs', async () => {
    const gate = createGate()
    const batcher = open(gate, { sizeMax: 256, queueMax: 1000 })
    const results = Promise.all(Array.from({ length: 100 }, (_, index) => batcher.push(index)))
    await turn()
    expect(gate.batches.map(({ items }) => items.length)).toEqual([50, 50])
    const more = Promise.all(Array.from({ length: 120 }, (_, index) => batcher.push(index)))
    gate.batches[0]?.end()
    await turn()
    // Half of the 50 under way and the 120 that wait.
    expect(gate.batches[2]?.items).toHaveLength(85)
    for (let index = 1; index < gate.batches.length; index += 1) {
      gate.batches[index]?.end()
      await turn()
    }
    expect(await results).toHaveLength(100)
    expect(await more).toHaveLength(120)
  })
  it('does not split a small number of items', async () => {
    const gate = createGate()
    const batcher = open(gate, { sizeMax: 256, queueMax: 1000 })
    const results = Promise.all(Array.from({ length: 32 }, (_, index) => batcher.push(index)))
    await turn()
    expect(gate.batches.map(({ items }) => items.length)).toEqual([32])
    gate.batches[0]?.end()
    expect(await results).toHaveLength(32)
  })
  it('collects items that arrive while batches are in flight into the next one', async () => {
    const gate = createGate()
    const batcher = open(gate, { inFlightMax: 1 })
    const first = batcher.push(1)
    await turn()
    const later = [batcher.push(2), batcher.push(3)]
    await turn()
    expect(gate.batches).toHaveLength(1)
    gate.batches[0]?.end()
    await first
    await turn()
    expect(gate.batches[1]?.items).toEqual([2, 3])
    gate.batches[1]?.end()
    expect(await Promise.all(later)).toEqual([20, 30])
  })
  describe('that gathers', () => {
    const gather = { enough: 3, restMs: 100, restFrom: 2 }
    it('begins no batch beside another until enough items wait', async () => {
      const gate = createGate()
      const batcher = open(gate, { gather })
      const results = [batcher.push(1)]
      await turn()
      results.push(batcher.push(2), batcher.push(3))
      await turn()
      expect(gate.batches.map(({ items }) => items)).toEqual([[1]])
      results.push(batcher.push(4))
      await turn()
      expect(gate.batches.map(({ items }) => items)).toEqual([[1], [2, 3, 4]])
      for (const { end } of gate.batches) end()
      expect(await Promise.all(results)).toEqual([10, 20, 30, 40])
    })
    it('rests after a batch of several items, unless enough wait, and not after a single one', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      try {
        const gate = createGate()
        const batcher = open(gate, { gather })
        const begin = async (...items: number[]) => {
          const results = Promise.all(items.map((item) => batcher.push(item)))
          await turn()
          return results
        }
        const begun = () => gate.batches.map(({ items }) => items)
        const first = begin(1)
        await turn()
        gate.batches[0]?.end()
        await first
        const pair = begin(2, 3)
        await turn()
        expect(begun()).toEqual([[1], [2, 3]])
        gate.batches[1]?.end()
        await pair
        const late = begin(4)
        await turn()
        vi.advanceTimersByTime(99)
        await turn()
        expect(begun()).toHaveLength(2)
        vi.advanceTimersByTime(1)
        await turn()
        expect(begun()[2]).toEqual([4])
        gate.batches[2]?.end()
        await late
        const another = begin(5, 6)
        await turn()
        gate.batches[3]?.end()
        await another
        const many = begin(7, 8, 9)
        await turn()
        expect(begun()[4]).toEqual([7, 8, 9])
        gate.batches[4]?.end()
        await many
        await batcher.idle()
      } finally {
        vi.useRealTimers()
      }
    })
  })
  it('refuses items immediately while the queue is full, and accepts them again when it has room', async () => {
    const gate = createGate()
    const batcher = open(gate, { queueMax: 2, inFlightMax: 1, sizeMax: 2 })
    const taken = [batcher.push(1), batcher.push(2)]
    await expect(batcher.push(3)).rejects.toBeInstanceOf(QueueFullError)
    await turn()
    taken.push(batcher.push(4))
    gate.batches[0]?.end()
    await Promise.all(taken.slice(0, 2))
    await turn()
    gate.batches[1]?.end()
    expect(await Promise.all(taken)).toEqual([10, 20, 40])
  })
  it('rejects the items of a batch that failed, and only those', async () => {
    const gate = createGate()
    const batcher = open(gate, { sizeMax: 1 })
    const results = Promise.allSettled([batcher.push(1), batcher.push(2)])
    await turn()
    gate.batches[0]?.fail(new Error('broken'))
    gate.batches[1]?.end()
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    const next = batcher.push(3)
    await turn()
    gate.batches[2]?.end()
    expect(await next).toBe(30)
  })
  it('is idle when nothing is queued or in flight, even after a failure', async () => {
    const gate = createGate()
    const batcher = open(gate, { sizeMax: 1, inFlightMax: 1 })
    await batcher.idle()
    const results = Promise.allSettled([batcher.push(1), batcher.push(2)])
    let isIdle = false
    const idle = batcher.idle().then(() => (isIdle = true))
    await turn()
    gate.batches[0]?.fail(new Error('broken'))
    await turn()
    expect(isIdle).toBe(false)
    gate.batches[1]?.end()
    await Promise.all([results, idle])
    expect(isIdle).toBe(true)
  })
})

it('every item gets its own result, whatever the limits and groups; a batch contains one group in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(50), { maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (items, sizeMax, inFlightMax, groups) => {
        const batches: (readonly number[])[] = []
        let underWay = 0
        const batcher = createBatcher<number, number>({
          run: async (batch) => {
            batches.push(batch)
            underWay += 1
            expect(underWay).toBeLessThanOrEqual(inFlightMax)
            await turn()
            underWay -= 1
            return batch.map((item) => item + 1000)
          },
          sizeMax,
          inFlightMax,
          queueMax: 1000,
          groupOf: (item) => String(item % groups),
        })
        const results = await Promise.all(items.map((item) => batcher.push(item)))
        expect(results).toEqual(items.map((item) => item + 1000))
        await batcher.idle()
        for (const batch of batches) {
          expect(batch.length).toBeLessThanOrEqual(sizeMax)
          expect(new Set(batch.map((item) => item % groups)).size).toBe(1)
        }
        for (let group = 0; group < groups; group += 1) {
          const ofGroup = (list: readonly number[]) => list.filter((item) => item % groups === group)
          expect(ofGroup(batches.flat())).toEqual(ofGroup(items))
        }
      },
    ),
    { numRuns: 50 },
  )
})
