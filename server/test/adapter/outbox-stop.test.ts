// An issuer that stops does not wait for a server that takes its events and does not answer.
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createNotice } from '../../src/adapter/outbox/notice.ts'
import { EVENT_TIMEOUT_MS, eventJob, queueEvent } from '../../src/adapter/outbox/outbox.ts'
import { createPool } from '../../src/db/pool.ts'
import { systemClock as clock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { startLoop } from '../../src/worker/loop.ts'
import { createDatabase } from '../support/harness.ts'
import { until } from '../support/wait.ts'

it('events that nobody answers do not keep an issuer from stopping, and wait for its next start', async () => {
  const database = await createDatabase()
  const db = createPool(database.connection, { size: 2, onError: () => undefined })
  let connections = 0
  const silent = createServer(() => (connections += 1))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    silent.close()
    await db.close()
    await database.drop()
  })
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const ids = []
  for (let count = 0; count < 3; count += 1) {
    ids.push(await queueEvent({ db, clock }, { type: 'card.updated', cardId: 'card_1', status: 'closed' } as never))
  }
  const log = createLog({ level: 'silent' })
  const findServer = () => ({ baseUrl, secret: 'secret', clock, timeoutMs: EVENT_TIMEOUT_MS })
  const loop = startLoop(eventJob({ db, clock, findServer, notice: createNotice({ clock, log }) }), log)
  await until('the first event was sent', () => connections > 0)
  const beganMs = performance.now()
  await loop.stop()
  expect(performance.now() - beganMs).toBeLessThan(EVENT_TIMEOUT_MS)
  const waiting = await db.many({
    name: undefined,
    text: `select id from issuer_adapter.event where status = 'waiting' and id = any ($1)`,
    values: [ids],
  })
  expect(waiting).toHaveLength(ids.length)
}, 60_000)
