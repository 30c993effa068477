// Two ways in which requests meet. Between statements: the first request pauses before one of its statements until the second has its
// answer. Inside a statement: the first request has carried a statement out and not committed it, and the second one does all it can.
import pg from 'pg'
import { type Connection, toClientConfig, toQuery } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'
import type { Saved } from './saved.ts'
import { type Execute, Pause, Stage } from './stage.ts'

/** Carries out what `meet` does. `number` is that of the statement of the first request at which it pauses. */
export interface Play {
  readonly name: string
  readonly stage: Stage
  perform<Value>(
    number: number,
    meet: (pause: Pause, isStuck: () => Promise<boolean>) => Promise<Value>,
  ): Promise<Value>
  close(): Promise<void>
}

export type OpenPlay = (connection: Connection, saved: Saved) => Promise<Play>

export async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(toClientConfig(connection))
  await client.connect()
  return client
}

/** What the database answers to all that follows a statement that failed. */
const IN_FAILED_TRANSACTION = '25P02'

/** All statements run inside one transaction that is rolled back, which is the quickest way to begin each time in the same world. */
export async function playBetween(connection: Connection): Promise<Play> {
  const client = await connect(connection)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (execute: (statement: Statement) => Promise<pg.QueryResult>, statement: Statement) => {
    const asked = last.then(() => execute(statement))
    last = asked.catch(() => {})
    return asked
  }
  let isGuarded = false
  /** A statement that fails ends the transaction of all, unless each has a savepoint, which takes three times as long. */
  const executeInside = async (statement: Statement) => {
    if (!isGuarded) return client.query(toQuery(statement))
    await client.query('savepoint statement')
    try {
      const result = await client.query(toQuery(statement))
      await client.query('release savepoint statement')
      return result
    } catch (error) {
      await client.query('rollback to savepoint statement')
      throw error
    }
  }
  const stage = new Stage((statement) => inTurn((asked) => client.query(toQuery(asked)), statement))
  return {
    name: 'between statements',
    stage,
    async perform(number, meet) {
      const attempt = async () => {
        const pause = new Pause()
        let count = 0
        const execute: Execute = async (statement, side) => {
          if (side === 'first') {
            count += 1
            if (count > number) await pause.hold(statement)
          }
          return inTurn(executeInside, statement)
        }
        await last
        await client.query('begin')
        try {
          return await stage.perform(execute, () => meet(pause, async () => false))
        } finally {
          await last
          await client.query('rollback')
        }
      }
      isGuarded = false
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof pg.DatabaseError && error.code === IN_FAILED_TRANSACTION)) throw error
      }
      isGuarded = true
      return attempt()
    },
    close: () => client.end(),
  }
}

/** Whether the transaction has changed or locked anything. If not, it does not matter when it commits. */
const HAS_EFFECT = 'select pg_current_xact_id_if_assigned() is not null as has_effect'
const IS_WAITING = 'select exists (select from pg_locks where pid = $1 and not granted) as is_waiting'

export async function playInside(connection: Connection, saved: Saved): Promise<Play> {
  const [first, second, nobody] = [
    await connect(connection),
    await connect(connection),
    await connect(connection),
  ] as const
  const { rows } = await second.query<{ pid: number }>('select pg_backend_pid() as pid')
  const isStuck = async () => {
    const found = await nobody.query<{ is_waiting: boolean }>({
      name: 'waiting',
      text: IS_WAITING,
      values: [rows[0]?.pid],
    })
    return found.rows[0]?.is_waiting === true
  }
  const stage = new Stage((statement) => nobody.query(toQuery(statement)))
  return {
    name: 'inside a statement',
    stage,
    async perform(number, meet) {
      const pause = new Pause()
      let count = 0
      const execute: Execute = async (statement, side) => {
        if (side === undefined) return nobody.query(toQuery(statement))
        if (side === 'second') return second.query(toQuery(statement))
        count += 1
        return count > number && pause.at === undefined
          ? holdOpen(first, statement, pause)
          : first.query(toQuery(statement))
      }
      try {
        return await stage.perform(execute, () => meet(pause, isStuck))
      } finally {
        await saved.restore()
      }
    },
    async close() {
      for (const client of [first, second, nobody]) await client.end()
    },
  }
}

/** Commits only when the pause is over, if the statement did anything. */
async function holdOpen(client: pg.Client, statement: Statement, pause: Pause): Promise<pg.QueryResult> {
  await client.query('begin')
  try {
    const result = await client.query(toQuery(statement))
    const { rows } = await client.query<{ has_effect: boolean }>(HAS_EFFECT)
    if (rows[0]?.has_effect === true) await pause.hold(statement)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
