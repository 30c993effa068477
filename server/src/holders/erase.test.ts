// The job that goes on with erasures leaves the database to others between its parts.
import { expect, it } from 'vitest'
import type { Db } from '../db/pool.ts'
import { erasureJob } from './erase.ts'

it('rests after each part of an erasure, and not when there is none', async () => {
  const parts = [true, true, false]
  const steps: string[] = []
  const db = {
    find: async () => {
      steps.push('part')
      return { more: parts.shift() }
    },
  } as unknown as Db
  const rest = async () => void steps.push('rest')
  const job = erasureJob({ db, clock: { now: () => new Date(0) }, rest })
  expect([await job.run(), await job.run(), await job.run()]).toEqual([true, true, false])
  expect(steps).toEqual(['part', 'rest', 'part', 'rest', 'part'])
})
