// The job that removes old events works in runs that end soon, because a stop of the server waits for the one under way.
import { afterAll, expect, it } from 'vitest'
import { webhookJobs } from '../../src/webhooks/jobs.ts'
import { createSecretBox } from '../../src/webhooks/secrets.ts'
import { Book } from '../ledger/book.ts'

const DAY_MS = 86_400_000

const book = await Book.open()
afterAll(() => book.close())

it('old events of one company are removed in several runs, and a run never removes all of very many', async () => {
  const { scope } = await book.addCompany()
  const old = new Date(book.clock.now().getTime() - 31 * DAY_MS)
  await book.run(
    `insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
     select $1, $2, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'card.updated', gen_random_uuid(), 1, '{}', $3
     from generate_series(1, 10500) n`,
    [scope.companyId, scope.environment, old],
  )
  const count = async () => {
    const [row] = await book.many<{ count: number }>('select count(*)::int as count from event where company_id = $1', [
      scope.companyId,
    ])
    return row?.count
  }
  const secretBox = createSecretBox(() => [Buffer.alloc(32, 1)])
  const jobs = webhookJobs({ db: book.db, clock: book.clock, secretBox, retention: { eventsDays: 30 } })
  const job = jobs.find(({ name }) => name === 'old-events')
  expect([await job?.run(), await count()]).toEqual([true, 500])
  expect([await job?.run(), await count()]).toEqual([false, 0])
})
