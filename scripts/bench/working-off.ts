// Measures the worker's rate: claiming, the sandbox issuer and settling together, with a queue that never runs empty.
import type { Bench, Listening } from './bench.ts'
import { format, type Rounds } from './rounds.ts'

/** The beginning is not counted, because the worker's calls are not in flight yet. */
const LEAD_IN_MS = 300
/** A completed operation writes a capture and a fee. Accounts store the number of their entries, so counting them is cheap. */
const ENTRIES_PER_END = 2

/** Accepts first in every round, because the worker processes what was accepted. */
export async function measureWorkingOff(
  bench: Bench,
  rounds: Rounds,
  { worker, accept }: { worker: Listening; accept: () => Promise<number> },
): Promise<void> {
  for (let round = 1; round <= bench.plan.rounds; round += 1) {
    const [accepted, ended] = [await accept(), await workOff(bench, worker)]
    rounds.add('filling the queue', accepted)
    rounds.add('working off', ended)
    bench.note(`round ${round}/${bench.plan.rounds} working off: ${format(ended)} after accepting ${format(accepted)}`)
  }
}

/** Returns how many operations per second become final. */
export async function workOff(bench: Bench, worker: Listening, seconds = bench.plan.seconds): Promise<number> {
  await worker.child.ask('start-worker')
  await pause(LEAD_IN_MS)
  const [before, startMs] = [await countEntries(bench), performance.now()]
  await pause(seconds * 1000)
  const [after, endMs] = [await countEntries(bench), performance.now()]
  const hasMore = await isAnythingQueued(bench)
  await worker.child.ask('stop-worker')
  if (!hasMore) throw new Error('The worker ran out of work, so its rate is not known.')
  return ((after - before) * 1000) / ENTRIES_PER_END / (endMs - startMs)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function countEntries({ db }: Bench): Promise<number> {
  const text = 'select sum(sequence)::float8 as entries from account'
  return (await db.find<{ entries: number }>({ name: undefined, text, values: [] }))?.entries ?? 0
}

async function isAnythingQueued({ db }: Bench): Promise<boolean> {
  const text = `select 1 from issuer_request where status = 'queued' limit 1`
  return (await db.find({ name: undefined, text, values: [] })) !== undefined
}
