// Every job of the worker on a database that has work for it, so that none has a statement that this database refuses.
import { afterAll, expect, it } from 'vitest'
import { addIssuerMinute } from '../../src/issuer/queries.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { addServerMinute } from '../../src/programme/queries.ts'
import { furnish } from '../support/furnish.ts'
import { createDatabase, TestClock, TestServer } from '../support/harness.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/wait.ts'

const LATER = '2026-09-01T12:00:00.000Z'
const database = await createDatabase()
const receiver = await startReceiver(500)
afterAll(() => receiver.close())

it('every job runs without a failure, and removes what has been kept for long enough', async () => {
  const before = await TestServer.start({}, { database: { ...database, drop: () => Promise.resolve() } })
  await furnish(before, await before.createCompany(), receiver.url)
  await addIssuerMinute(before.db, {
    environment: 'sandbox',
    minute: before.clock.now(),
    answered: 1,
    unanswered: 0,
    answeredMs: 1,
    lastAnswerAt: before.clock.now(),
    firstUnansweredAt: null,
    lastUnansweredAt: null,
  })
  const counts = {
    requests: 1,
    serverErrors: 0,
    webhookAttempts: 0,
    webhookFailures: 0,
    callsInFlight: 0,
    areCallsStopped: false,
  }
  const writer = { processId: newId(before.clock.now()), measurer: null }
  await addServerMinute(before.db, { minute: before.clock.now(), ...counts }, writer)
  await before.stop()

  const failures: string[] = []
  const log = createLog({ level: 'error', destination: { write: (line) => failures.push(line) } })
  const clock = new TestClock(LATER)
  const server = await TestServer.start({ RETENTION_EXCHANGES_DAYS: '30' }, { database, clock, log })
  const dayAgo = new Date(clock.now().getTime() - 86_400_000)
  for (const [table, time] of [
    ['event', 'created_at'],
    ['issuer_minute', 'minute'],
    ['server_minute', 'minute'],
  ]) {
    const old = { name: undefined, text: `select from ${table} where ${time} < $1`, values: [dayAgo] }
    await until(`nothing old is left in ${table}`, async () => (await server.db.many(old)).length === 0)
  }
  await server.stop()
  expect(failures).toEqual([])
})
