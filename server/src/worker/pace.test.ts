// On a distributed database one statement asks for all jobs, and the others rest.
import { expect, it } from 'vitest'
import type { Db } from '../db/pool.ts'
import type { Statement } from '../db/sql.ts'
import { askForWork, slowDown } from './pace.ts'

const clock = { now: () => new Date('2026-03-10T12:00:00Z') }

it('wakes the jobs that have something to do, with one statement', async () => {
  const asked: Statement[] = []
  const db = {
    many: (statement: Statement) => {
      asked.push(statement)
      return Promise.resolve([{ kind: 'operations' }, { kind: 'webhooks' }])
    },
  } as Partial<Db> as Db
  const woken: string[] = []
  const job = askForWork({ db, clock }, (name) => woken.push(name))
  expect(await job.run()).toBe(false)
  expect(woken).toEqual(['operations', 'webhooks'])
  expect(asked.map(({ text, values }) => [text, values])).toEqual([
    [expect.stringContaining('list_due_kinds'), [clock.now()]],
  ])
})

it('sixteen jobs that rest and the one that asks send fewer than two statements a second', () => {
  const resting = slowDown({ name: 'any', intervalMs: 50, run: () => Promise.resolve(false) })
  const asking = askForWork({ db: {} as Db, clock }, () => undefined)
  // A job of operations asks once for each of the two environments.
  expect((17 * 1000) / resting.intervalMs + 1000 / asking.intervalMs).toBeLessThan(2)
  expect(slowDown({ ...resting, intervalMs: 60_000 }).intervalMs).toBe(60_000)
})
