// The job that removes old events works in runs that end soon, because a stop of the server waits for the one under way.
import { afterAll, expect, it } from 'vitest'
import { must } from '../../src/lib/invariant.ts'
import { webhookJobs } from '../../src/webhooks/jobs.ts'
import { createSecretBox } from '../../src/webhooks/secrets.ts'
import { Book } from '../ledger/book.ts'

const DAY_MS = 86_400_000

const book = await Book.open()
afterAll(() => book.close())

/** Adds old events of a new company, and returns how many there are. */
async function addOldEvents(events: number) {
  const { scope } = await book.addCompany()
  const old = new Date(book.clock.now().getTime() - 31 * DAY_MS)
  await book.run(
    `insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
     select $1, $2, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'card.updated', gen_random_uuid(), 1, '{}', $3
     from generate_series(1, $4) n`,
    [scope.companyId, scope.environment, old, events],
  )
  const count = async () => {
    const [row] = await book.many<{ count: number }>('select count(*)::int as count from event where company_id = $1', [
      scope.companyId,
    ])
    return row?.count
  }
  return { ...scope, count }
}

function createJob() {
  const secretBox = createSecretBox(() => [Buffer.alloc(32, 1)])
  const jobs = webhookJobs({ db: book.db, clock: book.clock, secretBox, retention: { eventsDays: 30 } })
  return must(jobs.find(({ name }) => name === 'old-events'))
}

it('old events of one company are removed in several runs, and a run never removes all of very many', async () => {
  const { count } = await addOldEvents(10_500)
  const job = createJob()
  expect([await job.run(), await count()]).toEqual([true, 500])
  expect([await job.run(), await count()]).toEqual([false, 0])
})

it('a company whose old events cannot be removed does not keep those of the others', async () => {
  const both = [await addOldEvents(1), await addOldEvents(1)]
  const [first, second] = both.toSorted((one, other) => (one.companyId < other.companyId ? -1 : 1))
  await book.run(`create function fail() returns trigger language plpgsql as $$ begin raise 'kept'; end $$`)
  await book.run(
    `create trigger fails before delete on event for each row when (old.company_id = '${first?.companyId}') execute function fail()`,
  )
  const job = createJob()
  await expect(job.run()).rejects.toThrow('kept')
  expect([await job.run(), await first?.count(), await second?.count()]).toEqual([false, 1, 0])
})
