// What the adapter removes of its events: only what the server has taken, and what no open issue can be about.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { pruneStraysJob } from '../../../src/adapter/kernel/objects/prune-strays.ts'
import { insertStray } from '../../../src/adapter/kernel/objects/queries.ts'
import { KEPT_DAYS, pruneEventsJob } from '../../../src/adapter/outbox/prune.ts'
import { insertEvent, updateEvent } from '../../../src/adapter/outbox/queries.ts'
import { sql } from '../../../src/db/sql.ts'
import { issueOf, KernelWorld } from './world.ts'

const DAY_MS = 86_400_000
const world = await KernelWorld.start()
afterAll(() => world.stop())

const idsOf = async (table: 'event' | 'stray_event') => {
  const text = `select id from issuer_adapter.${table} order by id`
  return (await world.db.many<{ id: string }>({ name: undefined, text, values: [] })).map(({ id }) => id)
}

test('events go 90 days after they were delivered; those that wait or were refused stay', async () => {
  await world.db.run(sql`delete from issuer_adapter.event where true`)
  const at = world.clock.now()
  for (const status of ['delivered', 'refused', 'waiting'] as const) {
    await insertEvent(world.db, { id: status, body: '{}', at })
    await updateEvent(world.db, status, { status, dueAt: at })
  }
  world.clock.advance(KEPT_DAYS * DAY_MS)
  await pruneEventsJob(world.deps()).run()
  expect(await idsOf('event')).toEqual(['delivered', 'refused', 'waiting'])
  world.clock.advance(1)
  expect(await pruneEventsJob(world.deps()).run()).toBe(false)
  expect(await idsOf('event')).toEqual(['refused', 'waiting'])
})

test('events of unknown cards go after 90 days, but not while an issue is open that began before them', async () => {
  world.bank.fail('holder', 'dropped')
  await world.put(randomUUID(), issueOf())
  await world.settle()
  const body = { transaction: {} as never, createdAt: world.clock.now().toISOString() }
  await insertStray(world.db, { id: 'stray', providerCardId: 'c-unknown', body, now: world.clock.now() })
  world.clock.advance(KEPT_DAYS * DAY_MS + 1)
  await pruneStraysJob(world.deps()).run()
  expect(await idsOf('stray_event')).toEqual(['stray'])
  await world.db.run(sql`delete from issuer_adapter.task where true`)
  await pruneStraysJob(world.deps()).run()
  expect(await idsOf('stray_event')).toEqual([])
})
