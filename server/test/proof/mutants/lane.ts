// Tries one mutant at a time on a database of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Connection } from '../../../src/db/pool.ts'
import { until } from '../../support/wait.ts'
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

export interface Place {
  readonly superuser: Setup['connection']
  /** A migrated database. The lane changes functions in a copy of it. */
  readonly template: string
}

const ROOT = fileURLToPath(new URL('../', SERVER))
/** A child process may not start in time on a busy machine. */
const TRIES_MAX = 3
/** The classes of errors that say nothing about a function: connection lost, out of resources, shutting down. */
const UNAVAILABLE = /^(?:08|53|57)/
const TOO_MANY_CONNECTIONS = '53300'
const CHILD = new URL('lane-child.ts', import.meta.url)

/** When the signal is given, the tests are ended and what waits for them fails. */
export async function withLane(
  { superuser, template: original }: Place,
  use: (lane: Lane) => Promise<void>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const name = `lane_${randomBytes(6).toString('hex')}`
  await query(superuser, `create database ${name} template ${original}`)
  const template = { ...superuser, database: name }
  const setup = { connection: superuser, template: name, reachFile: undefined }
  const runner = new Runner(setup, signal)
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
          await dropCopies(superuser, name)
        }
      },
      measure: async (tests, reachFile) => {
        const recorder = new Runner({ ...setup, reachFile }, signal)
        try {
          return await recorder.do({ mutant: undefined, tests })
        } finally {
          recorder.end()
          await dropCopies(superuser, name)
        }
      },
    })
  } finally {
    runner.end()
    await query(superuser, `drop database ${name} with (force)`)
  }
}

/** Has a child process that is replaced when a test hangs. */
class Runner {
  readonly #setup: Setup
  readonly #signal: AbortSignal
  #child: ChildProcess | undefined

  constructor(setup: Setup, signal: AbortSignal) {
    this.#setup = setup
    this.#signal = signal
    signal.addEventListener('abort', () => this.end())
  }

  async do(task: Task): Promise<Result> {
    this.#signal.throwIfAborted()
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
      if (triesLeft === 0 || this.#signal.aborted) throw error
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
  try {
    await query(template, text)
    return true
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || UNAVAILABLE.test(error.code ?? '')) throw error
    return false
  }
}

/** Tests that were ended leave their databases behind. */
async function dropCopies(superuser: Connection, template: string): Promise<void> {
  const rows = await query(superuser, `select datname from pg_database where datname like '${template}\\_%'`)
  for (const { datname } of rows) await query(superuser, `drop database if exists ${datname} with (force)`)
}

/** Connections of tests that were ended may still be in use, so it waits until one is free. */
async function query(connection: Connection, text: string): Promise<{ datname: string }[]> {
  const client = await until('a connection is free', async () => {
    const wanted = new pg.Client(connection)
    try {
      await wanted.connect()
      return wanted
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== TOO_MANY_CONNECTIONS) throw error
      return undefined
    }
  })
  try {
    const { rows } = await client.query<{ datname: string }>(text)
    return rows
  } finally {
    await client.end()
  }
}
