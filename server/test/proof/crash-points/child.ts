// A child process of `npm run crash-points`: explores one scenario with one outcome at a time.
import type { Connection } from '../../../src/db/pool.ts'
import { createDatabase } from '../support/cluster.ts'
import { serveTasks } from '../support/processes.ts'
import type { Explored } from './explore.ts'
import { exploreOne } from './laboratory.ts'
import { SCENARIOS } from './scenarios.ts'

export interface Setup {
  readonly superuser: Connection
  readonly name: string
}

export interface Task {
  readonly scenario: string
  readonly outcome: string
  readonly reads: boolean
}

serveTasks(async ({ superuser, name }: Setup) => {
  let databases = 0
  const createPlace = () => {
    databases += 1
    return createDatabase(superuser, `${name}_${databases}`)
  }
  return async ({ scenario: wanted, ...task }: Task): Promise<Explored> => {
    const scenario = SCENARIOS.find((each) => each.name === wanted)
    if (scenario === undefined) throw new Error(`There is no scenario "${wanted}".`)
    return exploreOne(createPlace, { scenario, ...task })
  }
})
