// What every measurement gets: the database, the child processes, the plan, and a function for progress messages.
import type { Connection, Pool } from '../../server/src/db/pool.ts'
import { keepServer } from './cores.ts'
import type { Child } from './processes.ts'
import { startChild } from './processes.ts'
import type { LoadJob, LoadResult, ServerMode } from './wire.ts'

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  /** Number of short rounds. Both sides of a ratio then run within the same second, at the same speed of the machine. */
  readonly sprints: number
  /** Number of short rounds of engine against stub. Their rates are close, so noise matters most there. */
  readonly closeSprints: number
  readonly sprintSeconds: number
  readonly warmUpSeconds: number
  readonly claims: number
}

/** Every count is odd and at least three, so that there is a median. */
export const QUICK: Plan = {
  rounds: 5,
  seconds: 1.5,
  sprints: 9,
  closeSprints: 37,
  sprintSeconds: 0.25,
  warmUpSeconds: 1.5,
  claims: 121,
}
export const FULL: Plan = {
  rounds: 9,
  seconds: 6,
  sprints: 41,
  closeSprints: 151,
  sprintSeconds: 0.6,
  warmUpSeconds: 4,
  claims: 301,
}

export const COMPANIES = 1000

export interface Bench {
  readonly plan: Plan
  readonly folder: string
  /** The main database. The backlogs of a given size have databases of their own. */
  readonly connection: Connection
  /** For creating databases, which the server's own role may not do. */
  readonly superuser: Connection
  readonly db: Pool
  readonly children: Child[]
  readonly load: Child
  note(text: string): void
}

/** A server that answers nothing for this long is broken. */
const SECONDS_MAX = 16

export interface Listening {
  readonly child: Child
  readonly port: number
}

export async function startServer(bench: Bench, mode: ServerMode, connection = bench.connection): Promise<Listening> {
  const child = startChild('./server.ts', bench.children)
  const port = await child.ask<number>({ mode, connection })
  keepServer(child.pid)
  return { child, port }
}

/**
 * Runs the load generator. Throws when an answer has a status that is not expected. On a machine so busy that no answer comes in time, it
 * measures again for longer: a rate of zero would say nothing.
 */
export async function runLoad(bench: Bench, job: LoadJob, expected: readonly number[]): Promise<LoadResult> {
  const result = await bench.load.ask<LoadResult>(job)
  const wrong = Object.keys(result.statuses).filter((status) => !expected.includes(Number(status)))
  if (wrong.length > 0) {
    throw new Error(`Unexpected answers from port ${job.port}: ${JSON.stringify(result.statuses)}`)
  }
  if (result.rate > 0) return result
  if (job.seconds >= SECONDS_MAX) throw new Error(`No answer from port ${job.port} within ${job.seconds} s.`)
  return runLoad(bench, { ...job, seconds: job.seconds * 2 }, expected)
}
