// Measures how long one operation of a small company takes, from its acceptance until the worker has completed it: beside
// another company's backlog against alone.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../server/src/db/sql.ts'
import { accept, type Queue } from './backlog.ts'
import { type Bench, startServer } from './bench.ts'
import { median, type Rounds } from './rounds.ts'
import { type Company, seedCompanies } from './seed.ts'

/** The beginning is not counted, because the worker's calls are not in flight yet. */
const LEAD_IN_MS = 300
const OPERATIONS_PER_ROUND = 5
const POLL_MS = 2
/** Without turns the operation waits for the whole backlog. */
const WAIT_MAX_MS = 10_000

export async function measureBeside(
  bench: Bench,
  rounds: Rounds,
  queues: { alone: Queue; million: Queue },
): Promise<void> {
  await rounds.run(
    [
      { name: 'one operation alone, ms', measure: await timeOf(bench, queues.alone) },
      { name: 'one operation beside a million, ms', measure: await timeOf(bench, queues.million) },
    ],
    bench.plan.rounds,
    bench.note,
  )
}

/** The worker runs only while its queue is measured, so that it does not slow down the other. */
async function timeOf(bench: Bench, queue: Queue): Promise<() => Promise<number>> {
  const [company] = (await seedCompanies(queue.db, 1, { funded: true })) as [Company]
  const { child } = await startServer(bench, 'worker', queue.connection)
  return async () => {
    await child.ask('start-worker')
    await pause(LEAD_IN_MS)
    const times: number[] = []
    for (let operation = 0; operation < OPERATIONS_PER_ROUND; operation += 1)
      times.push(await finishOne(queue, company))
    await child.ask('stop-worker')
    return median(times)
  }
}

async function finishOne({ db }: Queue, company: Company): Promise<number> {
  const startMs = performance.now()
  const [id] = await accept(db, company, 1)
  for (;;) {
    const row = await db.find<{ status: string }>(
      sql`select status from operation where company_id = ${company.id} and environment = 'sandbox' and id = ${id}`,
    )
    const elapsedMs = performance.now() - startMs
    if (row?.status === 'completed' || elapsedMs > WAIT_MAX_MS) return elapsedMs
    await pause(POLL_MS)
  }
}
