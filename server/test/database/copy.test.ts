// COPY through the driver: every byte arrives, whatever the pieces are in which the socket gives them and however slow the reader is. What
// fails on either side is reported, and the connection can be used afterwards unless it is gone.
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyIn, copyOut } from '../../src/db/copy.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { until } from '../support/wait.ts'

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

const open = async () => {
  const own = new pg.Client(database.connection)
  own.on('error', () => undefined)
  await own.connect()
  return own
}
const pidOf = async (own: pg.Client) =>
  (await own.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
/** Far more than the buffers of a socket hold. */
const MANY = 'copy (select repeat($$x$$, 1000) from generate_series(1, 1000000)) to stdout'
const begin = async (own: pg.Client, statement = MANY) => {
  const copying = copyOut(own, statement)
  expect((await copying.next()).done).toBe(false)
  return copying
}

it('a reader that waits makes the database wait', async () => {
  const own = await open()
  const pid = await pidOf(own)
  const copying = await begin(own)
  const isWaiting = () =>
    client.query('select from pg_stat_activity where pid = $1 and wait_event = $2', [pid, 'ClientWrite'])
  expect(await until('the database waits', async () => (await isWaiting()).rowCount === 1)).toBe(true)
  await copying.return(0)
  await own.end()
})

describe('a failure', () => {
  const drain = async (rows: AsyncIterable<unknown>) => {
    for await (const _row of rows);
  }
  const some = function* () {
    for (let count = 0; count < 200; count += 1) yield Buffer.from('1\ta\n'.repeat(1000))
  }
  const endless = async function* () {
    for (;;) yield Buffer.from('1\ta\n'.repeat(1000))
  }
  const isUsable = async (own: pg.Client) => (await pidOf(own)) > 0

  it('of the statement is reported, on the way out and in', async () => {
    const own = await open()
    await expect(drain(copyOut(own, 'copy nothing to stdout'))).rejects.toThrow(/"nothing" does not exist/)
    expect(await isUsable(own)).toBe(true)
    await expect(copyIn(own, 'copy nothing from stdin', endless())).rejects.toThrow(/"nothing" does not exist/)
    expect(await isUsable(own)).toBe(true)
    await own.end()
  })

  it('in the middle of the rows is reported, on the way out and in', async () => {
    const own = await open()
    const failing = 'copy (select 1 / (5000 - n), repeat($$x$$, 1000) from generate_series(1, 9999) as s (n)) to stdout'
    await expect(drain(await begin(own, failing))).rejects.toThrow(/division by zero/)
    expect(await isUsable(own)).toBe(true)
    await own.query('create temporary table strict (n integer, value text check (value <> $$b$$))')
    const rows = async function* () {
      yield* some()
      yield Buffer.from('1\tb\n')
      yield* endless()
    }
    await expect(copyIn(own, 'copy strict from stdin', rows())).rejects.toThrow(/violates check constraint/)
    expect(await isUsable(own)).toBe(true)
    await own.end()
  })

  it('of the source leaves no row, and its own error is the one that is reported', async () => {
    const own = await open()
    await own.query('create temporary table partial (n integer, value text)')
    const rows = async function* () {
      yield* some()
      throw new Error('the disk is gone')
    }
    await expect(copyIn(own, 'copy partial from stdin', rows())).rejects.toThrow('the disk is gone')
    expect((await own.query<{ count: string }>('select count(*) from partial')).rows).toEqual([{ count: '0' }])
    await own.end()
  })

  it('of the connection is reported, on the way out and in', async () => {
    const [out, into] = [await open(), await open()]
    const [outPid, intoPid] = [await pidOf(out), await pidOf(into)]
    const copying = await begin(out)
    await client.query('select pg_terminate_backend($1)', [outPid])
    await expect(drain(copying)).rejects.toThrow(/terminat/)
    await into.query('create temporary table lost (n integer, value text)')
    const filling = copyIn(into, 'copy lost from stdin', endless())
    filling.catch(() => undefined)
    await client.query('select pg_terminate_backend($1)', [intoPid])
    await expect(filling).rejects.toThrow(/terminat|EPIPE|ECONNRESET/)
    await Promise.all([out.end(), into.end()])
  })
})
