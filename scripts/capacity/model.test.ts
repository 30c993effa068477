// The model's arithmetic, and the limits that it must show.
import { describe, expect, it } from 'vitest'
import { CONSTANTS, type Options, predict } from './model.ts'

const options: Options = { batch: 64, coresPerNode: 4, coreHour: 0.04, gigabyteMonth: 0.1 }

describe('the model of a cluster', () => {
  it('gives one PostgreSQL the rate at which its cores are seven tenths busy', () => {
    const { call, operation } = CONSTANTS.plain
    const { acceptsPerSecond, limit } = predict(1, options)
    expect(acceptsPerSecond * (call / 64 + operation)).toBeCloseTo(4 * 0.7 * 1_000)
    expect(limit).toBe('node')
  })

  it('grows with the nodes until the coordinator is busy, and not after that', () => {
    const rates = [2, 4, 8, 16, 32, 64].map((nodes) => predict(nodes, options))
    expect(rates[0]?.limit).toBe('nodes')
    expect(rates[1]?.acceptsPerSecond).toBeCloseTo(2 * (rates[0]?.acceptsPerSecond ?? 0))
    expect(rates.at(-1)?.limit).toBe('coordinator')
    expect(rates.at(-1)?.acceptsPerSecond).toBe(rates.at(-2)?.acceptsPerSecond)
  })

  it('gives less for small batches, because each is a call by itself', () => {
    const small = predict(4, { ...options, batch: 1 })
    expect(small.acceptsPerSecond).toBeLessThan(predict(4, options).acceptsPerSecond / 10)
    expect(small.costPerMillion).toBeGreaterThan(predict(4, options).costPerMillion)
  })

  it('adds the storage of a month to the cost of the machines', () => {
    const free = predict(8, { ...options, gigabyteMonth: 0 }).costPerMillion
    expect(predict(8, options).costPerMillion - free).toBeCloseTo(1.6 * 0.1)
  })
})
