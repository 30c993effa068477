// Puts one change between the check and the write of another, and lets two changes meet at the lock of a row.
import pg from 'pg'
import { expect } from 'vitest'
import type { Statement } from '../../../src/db/sql.ts'
import { type TestServer } from '../../support/harness.ts'
import { selectWaiting } from '../../support/on-citus.ts'

/** Stops the next statement that contains the text before it is sent. Everything that its request checked before has been checked. */
export function holdNext(server: TestServer, text: string): { reached: Promise<void>; release(): void } {
  const { db } = server
  const original = { find: db.find, run: db.run }
  const [reached, released] = [signal(), signal()]
  const hold = async (statement: Statement) => {
    if (!statement.text.includes(text)) return
    Object.assign(db, original)
    reached.resolve()
    await released.promise
  }
  db.find = async (statement) => {
    await hold(statement)
    return original.find(statement)
  }
  db.run = async (statement) => {
    await hold(statement)
    return original.run(statement)
  }
  return { reached: reached.promise, release: () => released.resolve() }
}

function signal(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve: () => resolve() }
}

/** Starts `request`, makes `change` when the request is about to write with the given SQL, and returns the request's answer. */
export async function changeBefore<Answer>(
  server: TestServer,
  text: string,
  request: () => Promise<Answer>,
  change: () => Promise<unknown>,
): Promise<Answer> {
  const held = holdNext(server, text)
  const answer = request()
  await Promise.race([held.reached, answer.then(() => Promise.reject(new Error(`nothing was sent with ${text}`)))])
  await change()
  held.release()
  return answer
}

/** Starts requests in this order while another connection holds the lock of a row, so that all of them wait for it; then lets go. */
export async function meetAtLock<Answer>(
  server: TestServer,
  row: { table: 'person' | 'company'; id: string },
  requests: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select from ${row.table} where id = $1 for update`, [row.id])
    const answers: Promise<Answer>[] = []
    for (const request of requests) {
      answers.push(request())
      await expect.poll(() => client.query(selectWaiting().text).then(({ rows }) => rows)).toHaveLength(answers.length)
    }
    await client.query('commit')
    return await Promise.all(answers)
  } finally {
    await client.end()
  }
}
