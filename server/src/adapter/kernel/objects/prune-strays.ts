// Removes old events about cards that the adapter never got to know, such as cards that somebody made at the provider by hand.
import { INTERVAL_MS, keptSince, ROWS_PER_RUN_MAX } from '../../outbox/prune.ts'
import type { Job } from '../../../worker/loop.ts'
import type { KernelDeps } from '../carry-out.ts'
import { deleteOldStrays } from './queries.ts'

export function pruneStraysJob({ db, clock }: KernelDeps): Job {
  const run = async () => (await deleteOldStrays(db, keptSince(clock), ROWS_PER_RUN_MAX)) === ROWS_PER_RUN_MAX
  return { name: 'prune events of unknown cards', intervalMs: INTERVAL_MS, run }
}
