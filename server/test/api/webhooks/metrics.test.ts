// The metrics of deliveries at /metrics.
import { expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { emit, getEndpoint, register } from '../../support/webhooks.ts'
import { until } from '../../support/receiver.ts'
import { prepareReceivers, startServer } from './server.ts'

const server = await startServer()
const company = await server.createCompany()
const listen = prepareReceivers()

async function metrics(): Promise<Map<string, number>> {
  const { text } = await server.request('GET', '/metrics')
  const lines = text.split('\n').filter((line) => line.startsWith('webhook_'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('attempts are counted and timed by outcome, and due queues and their age by the state of the endpoint', async () => {
  const before = await metrics()
  expect(before.get('webhook_attempts_total{outcome="delivered"}')).toBe(0)
  expect(before.get('webhook_queues_due{state="working"}')).toBe(0)

  const receiver = await listen(204)
  const { id } = await register(server, company, receiver.url)
  await emit(server, company)
  await receiver.wait(1)
  receiver.answer = 500
  await emit(server, company)
  await until(async () => ((await getEndpoint(server, company, id)).health.failures === 1 ? true : undefined))
  const after = await metrics()
  expect(after.get('webhook_attempts_total{outcome="delivered"}')).toBe(1)
  expect(after.get('webhook_attempts_total{outcome="retry"}')).toBe(1)
  expect(after.get('webhook_attempts_total{outcome="failed"}')).toBe(0)
  expect(after.get('webhook_attempt_duration_seconds_count{outcome="retry"}')).toBe(1)
  expect(after.get('webhook_attempt_duration_seconds_bucket{le="20",outcome="delivered"}')).toBe(1)

  // Not claimable for an hour, so that it stays due.
  const now = server.clock.now()
  const notBefore = new Date(now.getTime() + 3_600_000)
  for (const [state, other, failures] of [
    ['working', 'failing', 0],
    ['failing', 'working', 2],
  ] as const) {
    for (const [ageMs, count, seconds] of [
      [90_000, 1, 90],
      [0, 1, 0],
      [-1, 0, 0],
    ] as const) {
      await server.db.run(sql`
        update delivery_queue set due_at = ${new Date(now.getTime() - ageMs)}, not_before = ${notBefore}, failures = ${failures}
        where company_id = ${company.id}`)
      const due = await metrics()
      expect(due.get(`webhook_queues_due{state="${state}"}`)).toBe(count)
      expect(due.get(`webhook_oldest_due_age_seconds{state="${state}"}`)).toBe(seconds)
      expect(due.get(`webhook_queues_due{state="${other}"}`)).toBe(0)
      expect(due.get(`webhook_oldest_due_age_seconds{state="${other}"}`)).toBe(0)
    }
  }
})
