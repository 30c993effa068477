// A short form of `npm run chaos`: one fault of each cheap kind, under load, and the judge's verdict.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runChaos } from './chaos.ts'
import { listFaults } from './faults.ts'
import { Ground } from './ground.ts'

const ground = new Ground()
beforeAll(() => ground.open())
afterAll(() => ground.close())

it('a killed server, a stopped database, answers that are cut and requests that hang lose nothing and double nothing', async () => {
  const faults = listFaults(ground).filter(({ isCheap }) => isCheap)
  const report = await runChaos(ground, () => faults.shift())
  expect(report.violations).toEqual([])
  expect(report).toMatchObject({ lost: 0, duplicates: 0, reviews: 0 })
  expect(report.accepted).toBeGreaterThan(0)
})
