// The whole live cycle against the reference issuer: activation, funding, cards, card payments, card status, and the
// comparison of both sides' records.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import { findDifference } from '../../src/reconciliation/reconcile.ts'
import { addHolder } from '../api/rows.ts'
import { expectError } from '../api/expect-error.ts'
import type { TestCompany } from '../support/harness.ts'
import { expectSoundLedger, INVOICES } from '../support/invoices.ts'
import { LiveWorld } from '../support/live.ts'

let world: LiveWorld
let company: TestCompany
beforeAll(async () => {
  world = await LiveWorld.start()
  company = await world.createCompany()
})
afterAll(async () => {
  await expectSoundLedger(world.server)
  await world.stop()
})

interface Reconciled {
  compared: number
  differences: { id: string; kind: string; difference: string }[]
}
const reconcile = async () =>
  (await world.server.get<Reconciled>('/admin/v1/reconciliation', world.server.operatorToken)).body
const order = async (body: Record<string, unknown>) =>
  (await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)).body.id
const report = (type: string, data: Record<string, unknown>) =>
  world.control('POST', 'events', { event: { type, companyId: company.wireId, data } })

test('a company that is not activated is refused, and an activated company completes the whole cycle', async () => {
  const { server } = world
  const idle = await server.createCompany()
  const idleKey = await server.createKey(idle.id, { environment: 'live' })
  expectError(await server.post(INVOICES, idleKey, { amount: '100' }), 'capability_not_activated')
  expectError(await server.post('/api/v1/operations', idleKey, { type: 'service' }), 'capability_not_activated')

  await world.sendEvents('duplicate')
  expect((await world.fund(company, '1000')).creditAmount).toBe('985.00')
  await world.sendEvents('normal')

  const holderId = await addHolder(server, company.scope)
  const issue = await order({ type: 'issue', productId: 'prod_card_virtual', amount: '100', holderId })
  const { result } = await world.waitForOperation(company, issue, 'completed')
  const { cardId } = result as { cardId: string }
  await world.waitForOperation(company, await order({ type: 'topup', amount: '50', cardId }), 'completed')
  const service = { type: 'service', productId: 'prod_service_vpn', amount: '49', recipient: 'a@example.com' }
  await world.waitForOperation(company, await order(service), 'completed')

  const readCard = async () =>
    (await server.get<{ balance: string; status: string }>(`/api/v1/cards/${cardId}`, company.key)).body
  await world.sendEvents('reorder')
  const payment = { cardId, transactionId: 't1', type: 'purchase', amount: '-12.30', currency: 'USD' }
  const occurredAt = server.clock.now().toISOString()
  await report('card.transaction', { ...payment, status: 'pending', merchant: 'Books', country: 'DE', occurredAt })
  await report('card.transaction', {
    ...payment,
    status: 'settled',
    merchant: 'Books',
    merchantCategory: '5942',
    occurredAt,
  })
  await expect.poll(async () => (await readCard()).balance).toBe('137.70')
  await expect
    .poll(
      async () =>
        (await server.get<{ data: { status: string }[] }>('/api/v1/transactions', company.key)).body.data[0]?.status,
    )
    .toBe('settled')
  // The authorisation had no category; the settlement brought it.
  const day = occurredAt.slice(0, 10)
  const spend = await server.get(`/api/v1/spend?by=category&from=${day}&to=${day}`, company.key)
  expect(spend.body).toMatchObject({ data: [{ count: 1, amount: '12.30', category: { name: 'Shopping' } }] })
  await report('card.status', { cardId, status: 'blocked' })
  await expect.poll(async () => (await readCard()).status).toBe('blocked')
  await report('card.status', { cardId, status: 'closed' })
  await expect.poll(async () => (await readCard()).status).toBe('closed')
  const statement = await server.get<{ data: { kind: string; amount: string }[] }>(
    '/api/v1/account-statements?from=2026-03-10&to=2026-03-10',
    company.key,
  )
  expect(statement.body.data.map(({ kind }) => kind)).toContain('adjustment')
  expect(statement.body.data.at(-1)).toMatchObject({ kind: 'adjustment', amount: '137.70' })
})

describe('reconciliation', () => {
  test('finds no difference between the two sides, and reports money and requests that only one side has', async () => {
    expect((await reconcile()).differences).toEqual([])
    const { body: invoice } = await world.server.post<Invoice>(INVOICES, company.key, { amount: '70' })
    await world.sendEvents('hold')
    await world.seePayment(invoice.id)
    expect((await reconcile()).differences).toEqual([
      {
        companyId: company.wireId,
        companyName: 'Test company',
        id: invoice.id,
        kind: 'invoice',
        difference: `0.000000 USDT received here, ${invoice.payAmount} at the issuer`,
      },
    ])
    await world.sendEvents('normal')
    await world.waitForInvoice(company, invoice.id, 'completed')

    await world.behave('service', 'act_then_fail')
    await world.behave('look_up', 'fail')
    const open = await order({
      type: 'service',
      productId: 'prod_service_vpn',
      amount: '49',
      recipient: 'a@example.com',
    })
    await world.waitForReview(company, `/api/v1/operations/${open}`)
    expect((await reconcile()).differences).toMatchObject([
      { id: open, difference: 'undecided here, done at the issuer' },
    ])
    const path = `/admin/v1/reviews/${open}/resolve`
    await world.server.post(path, world.server.operatorToken, { outcome: 'failed', reason: 'wrongly' })
    expect((await reconcile()).differences).toMatchObject([{ id: open, difference: 'failed here, done at the issuer' }])
  })

  const row = {
    id: 'x',
    kind: 'topup',
    status: 'completed',
    amount: 2_000n,
    failure_code: null,
    received: null,
  } as const
  const record = {
    token: 'x',
    companyId: 'c',
    kind: 'topup',
    outcome: 'done',
    amount: '20.00',
    received: null,
  } as const
  test.each([
    ['agree', {}, {}, undefined],
    ['still under way', { status: 'processing' }, { outcome: 'refused' }, undefined],
    ['refused there', {}, { outcome: 'refused' }, 'completed here, refused at the issuer'],
    ['another amount', {}, { amount: '20.01' }, '20.00 here, 20.01 at the issuer'],
    ['another kind', {}, { kind: 'issue' }, 'topup here, issue at the issuer'],
  ] as const)('%s', (_name, ours, theirs, difference) => {
    expect(findDifference({ ...row, ...ours }, { ...record, ...theirs })).toBe(difference)
  })
  test('a completed operation must be in the issuer’s records', () => {
    expect(findDifference(row, undefined)).toBe("completed here, not in the issuer's book")
    expect(findDifference({ ...row, status: 'failed', failure_code: 'declined' }, undefined)).toBeUndefined()
  })
})
