// The database of two requests that meet. Every statement of the server is a transaction of its own, so what two requests can do to
// each other depends on the order of their statements, and on what a statement does while another has not committed yet. A play
// decides both. Afterwards the database is as it was before.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { Db } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'

export type Side = 'first' | 'second'

const requests = new AsyncLocalStorage<true>()

/** Runs a request, so that its statements are told from those of timers. */
export function asRequest<Value>(run: () => Promise<Value>): Promise<Value> {
  return requests.run(true, run)
}

/** Executes a statement of a side. What no request causes, such as what a timer does, has no side and must not wait. */
export type Execute = (statement: Statement, side: Side | undefined) => Promise<pg.QueryResult>

/** A database that a play can take over for a while. */
export class Stage {
  #execute: Execute
  readonly #usual: Execute

  constructor(usual: Execute) {
    this.#usual = usual
    this.#execute = usual
  }

  async perform<Value>(execute: Execute, play: () => Promise<Value>): Promise<Value> {
    this.#execute = execute
    try {
      return await play()
    } finally {
      this.#execute = this.#usual
    }
  }

  /** The database of a server that answers the requests of one side. */
  dbOf(server: Side | undefined): Db {
    const ask = (statement: Statement) => this.#execute(statement, requests.getStore() === true ? server : undefined)
    return {
      many: async (statement) => (await ask(statement)).rows,
      find: async (statement) => (await ask(statement)).rows[0],
      run: async (statement) => (await ask(statement)).rowCount ?? 0,
    }
  }
}

/** Pauses the first request once, until it is told to go on. */
export class Pause {
  readonly reached: Promise<void>
  readonly over: Promise<void>
  /** What the request is about to do, or has just done. Undefined until it pauses. */
  at: string | undefined
  #onReached = () => {}
  end = () => {}

  constructor() {
    this.reached = new Promise((resolve) => (this.#onReached = resolve))
    this.over = new Promise((resolve) => (this.end = resolve))
  }

  async hold({ text }: Statement): Promise<void> {
    this.at ??= text.trim().replaceAll(/\s+/g, ' ').slice(0, 100)
    this.#onReached()
    await this.over
  }
}
