// Deliveries make the jobs of a worker look for work more often.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { createWebhookBox } from '../../src/webhooks/assemble.ts'
import { createAgent } from '../../src/webhooks/connector.ts'
import { createDeliverer } from '../../src/webhooks/deliver.ts'
import type { Job } from '../../src/worker/loop.ts'
import { createPolling } from '../../src/worker/polling.ts'
import { TestServer } from '../support/harness.ts'
import { emit, register } from '../support/webhooks.ts'
import { startReceiver } from '../support/receiver.ts'

const MINUTE_MS = 60_000

let server: TestServer
beforeAll(async () => {
  // No worker of its own, so that nobody else delivers.
  server = await TestServer.start({}, { role: 'api' })
})
afterAll(() => server.stop())

it('a delivery, and one that failed and is due again, shorten the intervals', async () => {
  let nowMs = 0
  const polling = createPolling(() => nowMs)
  const agent = await createAgent({ allowPrivateAddresses: true, ownHosts: [], resolve: async () => [] })
  const deliverer = createDeliverer({
    db: server.db,
    clock: server.clock,
    log: createLog({ level: 'silent' }),
    openAgent: async () => agent,
    secretBox: createWebhookBox({ secretKey: Buffer.alloc(32, 7) }),
    showOperation: () => ({}),
    polling,
  })
  const [working, failing] = deliverer.jobs as [Job, Job]
  const isIdleAfter = async (job: Job) => {
    nowMs += MINUTE_MS
    await job.run()
    return polling.isIdle
  }
  const receiver = await startReceiver(500)
  const company = await server.createCompany()
  await register(server, company, receiver.url)

  expect(await isIdleAfter(working)).toBe(true)
  await emit(server, company)
  expect(await isIdleAfter(working)).toBe(false)
  await expect.poll(() => receiver.arrivals.length).toBe(1)
  await expect
    .poll(() => {
      server.clock.advance(MINUTE_MS)
      return isIdleAfter(failing)
    })
    .toBe(false)

  await deliverer.stop()
  await agent.close()
  await receiver.close()
})
