// What every measurement is given: the database, the processes, the plan, and where to write.
import type { Connection, Pool } from '../../server/src/db/pool.ts'
import { keepServer } from './cores.ts'
import type { Child } from './processes.ts'
import { startChild } from './processes.ts'
import type { LoadJob, LoadResult, ServerMode } from './wire.ts'

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  /** Short rounds, for what can be measured in a moment: both sides of a ratio meet the same moments of the machine. */
  readonly sprints: number
  /** Of the engine and the stub, which are nearest to each other: what the machine does meanwhile weighs most there. */
  readonly closeSprints: number
  readonly sprintSeconds: number
  readonly warmUpSeconds: number
  readonly claims: number
}

/** Three rounds at least: a median of fewer is no median. */
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
  /** Everything but the backlogs of known size. */
  readonly connection: Connection
  readonly db: Pool
  readonly children: Child[]
  readonly load: Child
  note(text: string): void
}

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

/** One run of the load generator; an answer with another status than these ends the bench. */
export async function runLoad(bench: Bench, job: LoadJob, expected: readonly number[]): Promise<LoadResult> {
  const result = await bench.load.ask<LoadResult>(job)
  const wrong = Object.keys(result.statuses).filter((status) => !expected.includes(Number(status)))
  if (wrong.length > 0 || result.rate === 0) {
    throw new Error(`unexpected answers from port ${job.port}: ${JSON.stringify(result.statuses)}`)
  }
  return result
}
