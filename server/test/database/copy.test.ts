// COPY through the driver: every byte arrives, whatever the pieces are in which the socket gives them and however slow the reader is.
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyIn, copyOut } from '../../src/db/copy.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'

const ROWS = 60_000

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createDatabase('template0')
  client = new pg.Client(database.connection)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Rows of many lengths, so that they begin and end everywhere in the driver's buffer. */
const textOf = (number: number) => `${number}:`.repeat(1 + ((number * 7919) % 97))
const expected = () => {
  const hash = createHash('sha256')
  for (let number = 1; number <= ROWS; number += 1) hash.update(`${number}\t${textOf(number)}\n`)
  return hash.digest('hex')
}

async function readAll(statement: string) {
  const hash = createHash('sha256')
  const copying = copyOut(client, statement)
  let pieces = 0
  let step = await copying.next()
  for (; step.done !== true; step = await copying.next()) {
    pieces += 1
    // Slower than the database, so that pieces wait while others are read.
    if (pieces % 50 === 0) await turn()
    hash.update(step.value)
  }
  return { rows: step.value, digest: hash.digest('hex') }
}

it('brings every byte of many rows out, and in again', async () => {
  const text = `repeat(n || ':', 1 + (n * 7919) % 97)`
  const read = await readAll(`copy (select n, ${text} from generate_series(1, ${ROWS}) as s (n)) to stdout`)
  expect(read).toEqual({ rows: ROWS, digest: expected() })

  await client.query('create table copied (n integer, value text)')
  await client.query(`insert into copied select n, ${text} from generate_series(1, ${ROWS}) as s (n)`)
  await client.query('create table again (n integer, value text)')
  const other = new pg.Client(database.connection)
  await other.connect()
  expect(await copyIn(other, 'copy again from stdin', copyOut(client, 'copy copied to stdout'))).toBe(ROWS)
  await other.end()
  expect(await readAll('copy (select * from again order by n) to stdout')).toEqual({ rows: ROWS, digest: expected() })
})
