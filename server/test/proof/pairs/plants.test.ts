// Plants two races. Each must be found by the way of meeting that it was made for.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import type { Db } from '../../../src/db/pool.ts'
import { createDatabase, type TestDatabase } from '../../support/harness.ts'
import type { PairCall } from './calls.ts'
import { connect, type OpenPlay, playBetween, playInside } from './plays.ts'
import { meet } from './run.ts'
import { saveWorld } from './saved.ts'
import { Snapshots } from './snapshot.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const ask = <Row>(db: Db, text: string) => db.many<Row>({ name: undefined, text, values: [] })
const CALL = {
  name: 'planted',
  route: { id: 'planted', method: 'POST' },
  path: '/',
  headers: {},
  body: {},
} as unknown as PairCall

/** Lets a request that does this meet itself, and returns how many results no order explains. */
async function count(open: OpenPlay, request: (db: Db) => Promise<unknown>): Promise<number> {
  const client = await connect(database.connection)
  const play = await open(database.connection, await saveWorld(client))
  const serverOf = (db: Db) => {
    const inject = async () => {
      await request(db)
      return { statusCode: 200 }
    }
    return { server: { inject } } as unknown as App
  }
  const servers = { first: serverOf(play.stage.dbOf('first')), second: serverOf(play.stage.dbOf('second')) }
  const snapshots = await Snapshots.open(play.stage.dbOf(undefined))
  const found = await meet({ play, snapshots, use: async () => servers }, CALL, CALL)
  await play.close()
  await client.query('drop schema saved cascade')
  await client.end()
  return found.length
}

/** Reads a number and writes the next one. */
const increment = async (db: Db) => {
  const [row] = await ask<{ position: number }>(db, `select position from product where id = 'prod_card_virtual'`)
  await ask(db, `update product set position = ${(row?.position ?? 0) + 1} where id = 'prod_card_virtual'`)
}

/** Adds a product if there are fewer than so many, without a lock on anything. */
const addOne = (db: Db) =>
  ask(
    db,
    `insert into product (id, kind, name, description, currency, position)
     select 'prod_' || replace(gen_random_uuid()::text, '-', ''), 'service', 'Planted', '', 'USD', 0
     where (select count(*) from product) <= (select count(*) from saved.product)`,
  )

it('a counter that is read and written in two statements loses a count, which shows between statements', async () => {
  expect(await count(playBetween, increment)).toBeGreaterThan(0)
})

it('two requests that each see room for one more both succeed, which shows only inside a statement', async () => {
  expect(await count(playBetween, addOne)).toBe(0)
  expect(await count(playInside, addOne)).toBeGreaterThan(0)
})

it('a change that one statement makes under a lock is reported in neither way', async () => {
  const raise = (db: Db) => ask(db, `update product set position = position + 1 where id = 'prod_card_virtual'`)
  expect(await count(playBetween, raise)).toBe(0)
  expect(await count(playInside, raise)).toBe(0)
})
