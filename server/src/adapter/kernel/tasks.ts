// Goes on with requests whose outcome is open: those that wait for another request, for the provider or for a look-up, and those whose
// process died.
import type { Job } from '../../worker/loop.ts'
import { carryOut, type KernelDeps } from './carry-out.ts'
import { claimTasks } from './queries.ts'
import { LEASE_MS } from './server.ts'

/** A request that waits for another one goes on within a moment. */
const INTERVAL_MS = 250
/** Requests that are carried out at once, beside those that the server waits for. */
const TASKS_MAX = 10

export function taskJob(deps: KernelDeps): Job {
  return { name: 'open requests', intervalMs: INTERVAL_MS, run: () => runTasks(deps) }
}

/** Returns true if there may be more. */
export async function runTasks(deps: KernelDeps): Promise<boolean> {
  const now = deps.clock.now()
  const tasks = await claimTasks(deps.db, now, new Date(now.getTime() + LEASE_MS), TASKS_MAX)
  const results = await Promise.allSettled(tasks.map(({ token }) => carryOut(deps, token, { isLate: true })))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return tasks.length === TASKS_MAX
}
