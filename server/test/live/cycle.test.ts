// The whole live cycle against the reference issuer: activation, funding, cards, card payments, card status, and the
// comparison of both sides' records.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import { createAbout } from '../../src/issuer/http/about.ts'
import { type BookRange, createHttpIssuer } from '../../src/issuer/http/issuer.ts'
import type { BookRecord } from '../../src/issuer/http/protocol.ts'
import { formatId } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import { cents } from '../../src/lib/money.ts'
import { findDifference, reconcile as compareBooks } from '../../src/reconciliation/reconcile.ts'
import { addHolder } from '../api/rows.ts'
import { expectError } from '../api/expect-error.ts'
import type { TestCompany } from '../support/harness.ts'
import { expectSoundLedger, INVOICES } from '../support/invoices.ts'
import { LiveWorld, SECRET } from '../support/live.ts'

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
  /** Compares the books, with `change` between the server and what the issuer answers. */
  async function compareWith(change: (range: BookRange, read: () => Promise<BookRecord[]>) => Promise<BookRecord[]>) {
    const peer = { baseUrl: world.issuer.url, secret: SECRET, clock: world.server.clock, timeoutMs: 60_000 }
    const limits = { invoiceMinimum: cents(1_000n), callsMax: 1, hasFence: false }
    const issuer = createHttpIssuer({ ...peer, ...limits, about: createAbout(peer) })
    const readBook = (range: BookRange) => change(range, async () => must(await issuer.readBook(range)))
    return (await compareBooks({ db: world.server.db, issuer: { ...issuer, readBook } })).differences
  }
  /** Compares the books. Before that of the issuer is read for this company, or for all, something happens. */
  async function compareAfter(wireId: string | undefined, happen: () => Promise<unknown>) {
    let hasHappened = false
    const differences = await compareWith(async ({ companyId }, read) => {
      if (!hasHappened && companyId === wireId) await happen()
      hasHappened ||= companyId === wireId
      return read()
    })
    expect(hasHappened).toBe(true)
    return differences
  }

  test('does not report what is carried out after our records were read', async () => {
    const differences = await compareAfter(company.wireId, async () => {
      const service = { type: 'service', productId: 'prod_service_vpn', amount: '49', recipient: 'a@example.com' }
      await world.waitForOperation(company, await order(service), 'completed')
      await world.fund(company, '60')
    })
    expect(differences).toEqual([])
  })

  test('does not report a company that is added after ours were read', async () => {
    const differences = await compareAfter(undefined, async () => {
      const added = await world.createCompany()
      const { body } = await world.server.post<Invoice>(INVOICES, added.key, { amount: '60' })
      expect(body.status).toBe('pending')
    })
    expect(differences).toEqual([])
  })

  test('reports what only the issuer has, also of a company that does not exist here', async () => {
    const record = { kind: 'service', outcome: 'done', amount: '49.00', received: null } as const
    const lost = { ...record, token: randomUUID(), companyId: company.wireId }
    const strange = { ...record, token: randomUUID(), companyId: formatId('co', randomUUID()) }
    const differences = await compareWith(async ({ companyId }, read) => {
      if (companyId === undefined) return [...(await read()), lost, strange]
      return companyId === lost.companyId ? [...(await read()), lost] : read()
    })
    expect(differences).toEqual([
      { companyId: lost.companyId, id: lost.token, kind: 'service', difference: 'done at the issuer, unknown here' },
      {
        companyId: strange.companyId,
        id: strange.token,
        kind: 'service',
        difference: 'of a company that does not exist here',
      },
    ])
  })

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
