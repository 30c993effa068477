// What a request may use alone: it takes its subjects before its end or never, so that an ended request blocks no card.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { fenceRequest, takeRequest, takeSubjects } from '../../../src/adapter/kernel/queries.ts'
import { statusSubject } from '../../../src/adapter/provider.ts'
import type { Db } from '../../../src/db/pool.ts'
import { sql, type Statement } from '../../../src/db/sql.ts'
import { selectWaiting } from '../../support/on-citus.ts'
import { until } from '../../support/wait.ts'
import { COMPANY, issueOf, KernelWorld, statusOf } from './world.ts'

const world = await KernelWorld.start()
afterAll(() => world.stop())
beforeEach(() => world.clear())

const SUBJECT = statusSubject('card_1')
const listSubjects = () => world.db.many<{ name: string }>(sql`select name from issuer_adapter.subject`)

async function issueCard(): Promise<string> {
  const body = issueOf()
  expect((await world.put(randomUUID(), body)).answer.outcome).toBe('done')
  return body.cardId
}

async function takeNewRequest(): Promise<string> {
  const token = randomUUID()
  const now = world.clock.now()
  await takeRequest(world.db, { token, companyId: COMPANY, body: statusOf('card_1', 'frozen') }, now, now)
  return token
}

const fence = (db: Db, token: string) =>
  fenceRequest(db, { token, companyId: COMPANY }, { companyId: COMPANY }, world.clock.now())
const take = (token: string) => takeSubjects(world.db, token, [SUBJECT], { now: world.clock.now() })

test('a request that is fenced at the same moment takes no subject that stays', async () => {
  const token = await takeNewRequest()
  let taken: Promise<boolean> | undefined
  await world.deps().transact(async (tx) => {
    await fence(tx, token)
    let isDone = false
    taken = take(token).finally(() => {
      isDone = true
    })
    await until('the other connection waits', async () => isDone || (await world.db.many(selectWaiting())).length > 0)
  })
  expect(await taken).toBe(false)
  expect(await listSubjects()).toEqual([])
})

test('a request that was fenced after it was read takes none', async () => {
  const token = await takeNewRequest()
  await fence(world.db, token)
  expect(await take(token)).toBe(false)
  expect(await listSubjects()).toEqual([])
})

test('a card whose request was fenced between two statements can be changed by the next request', async () => {
  const cardId = await issueCard()
  const token = randomUUID()
  const deps = world.deps()
  const find = async (statement: Statement) => {
    if (statement.text.includes('take_subjects')) await world.fence(token)
    return deps.db.find(statement)
  }
  const fenced = await world.put(token, statusOf(cardId, 'frozen'), { ...deps, db: { ...deps.db, find } as Db })
  expect(fenced.answer).toMatchObject({ outcome: 'refused', code: 'fenced' })
  expect((await world.put(randomUUID(), statusOf(cardId, 'frozen'))).answer.outcome).toBe('done')
})

test('a subject that an ended request has left is taken by the next one', async () => {
  const cardId = await issueCard()
  const ended = randomUUID()
  await world.put(ended, statusOf(cardId, 'frozen'))
  await world.db.run(
    sql`insert into issuer_adapter.subject (name, token) values (${statusSubject(cardId)}, ${ended}::uuid)`,
  )
  expect((await world.put(randomUUID(), statusOf(cardId, 'active'))).answer.outcome).toBe('done')
  expect(await listSubjects()).toEqual([])
})

test('a request that has no answer keeps its subject, and somebody who only reads keeps it for a time', async () => {
  const [token, reader] = [await takeNewRequest(), randomUUID()]
  expect(await take(token)).toBe(true)
  const now = world.clock.now()
  const read = (at: Date) =>
    takeSubjects(world.db, reader, [SUBJECT], { now: at, expiresAt: new Date(at.getTime() + 1_000) })
  expect(await read(now)).toBe(false)
  await fence(world.db, token)
  expect(await read(now)).toBe(true)
  const other = await takeNewRequest()
  expect(await take(other)).toBe(false)
  world.clock.advance(1_000)
  expect(await take(other)).toBe(true)
})
