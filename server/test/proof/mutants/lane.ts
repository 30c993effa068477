// Tries one mutant at a time on a database of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Connection } from '../../../src/db/pool.ts'
import { prepareTemplate, TEMPLATE } from '../../support/global-setup.ts'
import { withCluster } from '../support/cluster.ts'
import { ask } from '../support/processes.ts'
import { readSource, SERVER } from './find.ts'
import type { Result, Setup, Task } from './lane-child.ts'
import { applyMutant, type Mutant } from './mutant.ts'

/** A mutant is invalid if the database refuses its function. */
export type Verdict =
  | { readonly kind: 'noticed'; readonly by: string; readonly error: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'invalid' }

export interface Lane {
  /** Runs the tests in this order until one fails or the time is over. */
  run(mutant: Mutant, tests: readonly string[], limitMs: number): Promise<Verdict>
  /** Runs the tests without a mutant, and writes to the file which functions each of them calls. */
  measure(tests: readonly string[], reachFile: string): Promise<Result>
}

const ROOT = fileURLToPath(new URL('../', SERVER))
/** A child process may not start in time on a busy machine. */
const TRIES_MAX = 3
const CHILD = new URL('lane-child.ts', import.meta.url)

export function withLane(use: (lane: Lane) => Promise<void>): Promise<void> {
  return withCluster(async (superuser) => {
    await query(superuser, `create database ${TEMPLATE}`)
    const template = { ...superuser, database: TEMPLATE }
    await prepareTemplate(template)
    const connection = superuser as Setup['connection']
    const runner = new Runner({ connection, reachFile: undefined })
    try {
      await use({
        run: async (mutant, tests, limitMs) => {
          const isFunction = mutant.file.endsWith('.sql')
          if (isFunction && !(await isAccepted(template, applyMutant(readSource(mutant.file), mutant))))
            return { kind: 'invalid' }
          try {
            return await runner.run({ mutant: isFunction ? undefined : mutant, tests }, limitMs)
          } finally {
            if (isFunction) await query(template, readSource(mutant.file))
            await dropCopies(superuser)
          }
        },
        measure: async (tests, reachFile) => {
          const recorder = new Runner({ connection, reachFile })
          try {
            return await recorder.do({ mutant: undefined, tests })
          } finally {
            recorder.end()
            await dropCopies(superuser)
          }
        },
      })
    } finally {
      runner.end()
    }
  })
}

/** Has a child process that is replaced when a test runs in circles. */
class Runner {
  readonly #setup: Setup
  #child: ChildProcess | undefined

  constructor(setup: Setup) {
    this.#setup = setup
  }

  async do(task: Task): Promise<Result> {
    if (this.#child === undefined) {
      // A process group of its own, so that it can be ended with all that it started.
      this.#child = fork(CHILD, [], {
        cwd: ROOT,
        detached: true,
        execArgv: ['--import', 'tsx'],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      await ask(this.#child, { setup: this.#setup })
    }
    return ask<Setup, Task, Result>(this.#child, { task })
  }

  async run(task: Task, limitMs: number, triesLeft = TRIES_MAX - 1): Promise<Verdict> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.end()
    }, limitMs)
    try {
      const { failed, error } = await this.do(task)
      return failed === undefined ? { kind: 'survived' } : { kind: 'noticed', by: failed, error }
    } catch (error) {
      this.end()
      if (isLate) return { kind: 'noticed', by: 'time limit', error: '' }
      if (triesLeft === 0) throw error
    } finally {
      clearTimeout(timer)
    }
    return this.run(task, limitMs, triesLeft - 1)
  }

  end(): void {
    const pid = this.#child?.pid
    this.#child = undefined
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

async function isAccepted(template: Connection, text: string): Promise<boolean> {
  return query(template, text).then(
    () => true,
    () => false,
  )
}

/** Tests that were ended leave their databases behind. */
async function dropCopies(superuser: Connection): Promise<void> {
  const rows = await query(superuser, "select datname from pg_database where datname like 'test\\_%'")
  for (const { datname } of rows) await query(superuser, `drop database if exists ${datname} with (force)`)
}

async function query(connection: Connection, text: string): Promise<{ datname: string }[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ datname: string }>(text)
    return rows
  } finally {
    await client.end()
  }
}
