// How often the jobs of a worker look for work.
import { expect, it } from 'vitest'
import { createPolling, pollingJob } from './polling.ts'

it('jobs look for work every 50 ms for two seconds after there was some, and otherwise every 250 ms', () => {
  let nowMs = 0
  const polling = createPolling(() => nowMs)
  const job = pollingJob('work', polling, async () => false)
  expect([polling.isIdle, job.intervalMs]).toEqual([true, 250])
  polling.hurry()
  expect([polling.isIdle, job.intervalMs]).toEqual([false, 50])
  nowMs = 1_500
  polling.hurry()
  nowMs = 3_499
  expect([polling.isIdle, job.intervalMs]).toEqual([false, 50])
  nowMs = 3_500
  expect([polling.isIdle, job.intervalMs]).toEqual([true, 250])
})
