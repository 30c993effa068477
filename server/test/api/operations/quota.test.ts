// An individual company gets 500 issue operations per UTC month and environment. Failed ones do not count.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { acceptOperations } from '../../../src/ledger/queries.ts'
import { findId, newId } from '../../../src/lib/ids.ts'
import { issue } from '../../ledger/book.ts'
import {
  accept,
  createCard,
  createCustomer,
  type Customer,
  expectCleanAudit,
  expectRefused,
  issueBody,
  perform,
  send,
  serviceBody,
  topupBody,
} from '../../support/operations.ts'
import { startServer } from './server.ts'

const server = await startServer()

const QUOTA = 500

/** Sends this many issues over HTTP at the same time and returns the statuses of the answers. */
async function issueMany(customer: Customer, count: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => send(server, customer, issueBody(customer))))
  return answers.map(({ status }) => status)
}
/** Accepts this many issues without HTTP, to fill the month quickly. Every one must be accepted. */
async function fill(customer: Customer, count: number): Promise<void> {
  const now = server.clock.now()
  const holderId = findId('hld', customer.holderId) ?? ''
  const items = Array.from({ length: count }, () => {
    const more = { holderId, idempotencyKey: randomUUID(), issuanceQuota: QUOTA }
    return { id: newId(now), candidate: issue({ scope: customer.scope, holderId }, more) }
  })
  expect(await acceptOperations(server.db, now, items)).toEqual([])
}
const accepted = (statuses: number[]) => statuses.filter((status) => status === 201).length

it('of 600 concurrent issues exactly 500 are accepted, and the next month allows 500 more', async () => {
  server.clock.set('2026-03-31T23:59:59.999Z')
  const customer = await createCustomer(server, { funds: '100000.00', kind: 'individual' })
  const statuses = await issueMany(customer, 600)
  expect(accepted(statuses)).toBe(QUOTA)
  expect(new Set(statuses)).toEqual(new Set([201, 400]))
  expectRefused(await send(server, customer, issueBody(customer)), 'issuance_quota_exceeded')
  // Other kinds do not count, and what was accepted is still replayed.
  await accept(server, customer, serviceBody())
  server.clock.set('2026-04-01T00:00:00.000Z')
  await accept(server, customer, issueBody(customer))
  await fill(customer, QUOTA - 11)
  expect(accepted(await issueMany(customer, 30))).toBe(10)
})

it('a failed issue frees its place in the quota, and one in review does not', async () => {
  const customer = await createCustomer(server, { funds: '100000.00', kind: 'individual' })
  await fill(customer, QUOTA - 2)
  expect((await perform(server, customer, issueBody(customer, { name: 'fail' }))).status).toBe('failed')
  expect((await perform(server, customer, issueBody(customer, { name: 'unknown' }))).status).toBe('manual_review')
  await accept(server, customer, issueBody(customer))
  expectRefused(await send(server, customer, issueBody(customer)), 'issuance_quota_exceeded')

  const reviews = await server.get<{ data: { id: string }[] }>('/api/v1/operations?status=manual_review', customer.key)
  const path = `/api/v1/sandbox/reviews/${reviews.body.data[0]?.id}/resolve`
  expect((await server.post(path, customer.key, { outcome: 'failed' })).status).toBe(200)
  await accept(server, customer, issueBody(customer))
  expectRefused(await send(server, customer, issueBody(customer)), 'issuance_quota_exceeded')
})

it('a failure in the next month does not free a place in that month', async () => {
  server.clock.set('2026-05-31T12:00:00.000Z')
  const customer = await createCustomer(server, { funds: '100000.00', kind: 'individual' })
  const { id } = await perform(server, customer, issueBody(customer, { name: 'unknown' }))
  server.clock.set('2026-06-01T12:00:00.000Z')
  await fill(customer, QUOTA - 1)
  expect(accepted(await issueMany(customer, 10))).toBe(1)
  await server.post(`/api/v1/sandbox/reviews/${id}/resolve`, customer.key, { outcome: 'failed' })
  expectRefused(await send(server, customer, issueBody(customer)), 'issuance_quota_exceeded')
})

it('around midnight, a request of the old month does not change the count of the new month', async () => {
  server.clock.set('2026-07-31T23:59:59.000Z')
  const customer = await createCustomer(server, { funds: '100000.00', kind: 'individual' })
  await fill(customer, QUOTA - 2)
  server.clock.set('2026-08-01T00:00:00.000Z')
  expect(accepted(await issueMany(customer, 10))).toBe(10)
  // Stamped before midnight, decided after it: two nodes whose clocks differ, or two batches that overtake each other.
  server.clock.set('2026-07-31T23:59:59.999Z')
  await accept(server, customer, issueBody(customer))
  expect(accepted(await issueMany(customer, 5))).toBe(1)
  await expectCleanAudit(server)
  server.clock.set('2026-08-01T00:00:01.000Z')
  await fill(customer, QUOTA - 12)
  expect(accepted(await issueMany(customer, 10))).toBe(2)
})

it('a corporate company has no quota', async () => {
  const customer = await createCustomer(server, { funds: '100000.00' })
  await fill(customer, QUOTA)
  expect(accepted(await issueMany(customer, 10))).toBe(10)
})

it('the quota is checked after the holder and before the funds', async () => {
  const customer = await createCustomer(server, { funds: '6515.00', kind: 'individual' })
  const cardId = await createCard(server, customer)
  await fill(customer, QUOTA - 1)
  expectRefused(await send(server, customer, issueBody(customer, { amount: '9000.00' })), 'issuance_quota_exceeded')
  const missing = issueBody(customer, { holderId: 'hld_00000000000000000000000000000000' })
  expectRefused(await send(server, customer, missing), 'not_found')
  expectRefused(await send(server, customer, topupBody(cardId)), 'insufficient_funds')
})

it('issues in the sandbox do not count for live', async () => {
  const customer = await createCustomer(server, { funds: '100.00', kind: 'individual' })
  await createCard(server, customer)
  const rows = await server.db.many<{ environment: string; issued_count: number }>({
    name: undefined,
    text: 'select environment::text, issued_count from account where company_id = $1 order by account.environment',
    values: [customer.id],
  })
  expect(rows).toEqual([
    { environment: 'sandbox', issued_count: 1 },
    { environment: 'live', issued_count: 0 },
  ])
})
