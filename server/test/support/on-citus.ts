// What differs while the tests run on Citus (TEST_CITUS_URL in CONTRIBUTING.md), and why a test is left out there. `npm run
// left-out-on-citus` lists those tests with their reasons.
import { inject } from 'vitest'
import { type Config, readConfig } from '../../src/config/config.ts'
import type { Statement } from '../../src/db/sql.ts'
import type { Grouping } from '../../src/lib/grouping.ts'
import type { Job } from '../../src/worker/loop.ts'
import type { LeftOut } from './left-out-on-citus.ts'

/** Whether the tests run on Citus, where a statement is about one company. */
export const isDistributed = () => inject('workers').length > 0

/** For `skipIf`: whether a test is left out because the tests run on Citus. The reason is for the reader and for the list. */
export const onCitus = (_reason: LeftOut): boolean => isDistributed()

export const testGrouping = (): Grouping => (isDistributed() ? 'citus' : 'all')

/** Reads a configuration and, as a server does when it starts, puts operations of one company into each batch on Citus. */
export function readTestConfig(environ: Record<string, string>): Config {
  const config = readConfig(environ)
  return isDistributed() ? { ...config, intakeGrouping: 'citus' } : config
}

/** Returns a job that does all the work there is. On Citus a run takes that of one node. */
export function onAllNodes(job: Job): Job {
  return { ...job, run: () => untilNothingIsLeft(() => job.run()) }
}

/** Calls a claim until it finds nothing more on Citus, where it takes what is due on one node, and once elsewhere. */
export async function untilNothingIsLeft(claim: () => Promise<boolean>): Promise<boolean> {
  if (!isDistributed()) return claim()
  while (await claim());
  return false
}

/** Selects a row for each statement that waits for a lock. On Citus it waits on the node of its company. */
export function selectWaiting(): Statement {
  const activity = isDistributed() ? 'citus_stat_activity' : 'pg_stat_activity'
  const text = `select from ${activity} where datname = current_database() and wait_event_type = 'Lock'`
  return { name: undefined, text, values: [] }
}
