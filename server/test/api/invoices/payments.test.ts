// Payments: an exact payment in time is credited once; any other waits for a decision that credits what was received.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Invoice } from '../../../src/funding/schema.ts'
import { formatMicros, parseMicros } from '../../../src/tron/usdt.ts'
import {
  balanceOf,
  complete,
  entriesOf,
  INVOICES,
  openInvoice,
  pay,
  readInvoice,
  resolve,
} from '../../support/invoices.ts'
import type { TestCompany } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import { startServer } from './server.ts'

const HOUR_MS = 3_600_000
const server = await startServer()

let company: TestCompany
let invoice: Invoice
beforeEach(async () => {
  company = await server.createCompany()
  invoice = await openInvoice(server, company, '100')
})

interface ReviewBody {
  id: string
  object: string
  invoiceId?: string
  amount?: string
  heldAmount: string
  reasons: string[]
  dossier: { payments: unknown[] }
}
const plus = (amount: string | null, more: bigint) => formatMicros(parseMicros(amount ?? '') + more)
const readReview = (id: string) => server.get<ReviewBody>(`/admin/v1/reviews/${id}`, server.operatorToken)
const after = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString()

describe('complete', () => {
  test('credits the deposit less its fee, and a repeat returns the same answer and credits nothing', async () => {
    const first = await complete(server, company, invoice.id)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ ...invoice, status: 'completed', receivedAmount: invoice.payAmount })
    expect(await balanceOf(server, company)).toBe('98.50')
    const again = await complete(server, company, invoice.id)
    expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text })
    expect(await balanceOf(server, company)).toBe('98.50')
    expect(await entriesOf(server, company.scope, invoice.id)).toEqual([
      { kind: 'deposit', available_delta: 10_000n },
      { kind: 'fee', available_delta: -150n },
    ])
  })

  test('twenty concurrent requests credit once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => complete(server, company, invoice.id)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.status}`))).toEqual(new Set(['200 completed']))
    expect(await balanceOf(server, company)).toBe('98.50')
  })

  test('an expired, a failed and an unknown invoice are refused', async () => {
    server.clock.advance(HOUR_MS)
    expect(expectError(await complete(server, company, invoice.id), 'invoice_not_payable').details).toEqual({
      status: 'expired',
    })
    const other = await openInvoice(server, company)
    await pay(server, company, other.id, { amount: '1' })
    expectError(await complete(server, company, other.id), 'invoice_not_payable')
    await resolve(server, other.id, { outcome: 'failed' })
    expectError(await complete(server, company, other.id), 'invoice_not_payable')
    expectError(await complete(server, company, `inv_${'0'.repeat(32)}`), 'not_found')
    expect(await balanceOf(server, company)).toBe('0.00')
  })
})

describe('payments', () => {
  test('the exact amount in time completes the invoice', async () => {
    const { body } = await pay(server, company, invoice.id, { amount: invoice.payAmount ?? '' })
    expect(body).toMatchObject({ status: 'completed', receivedAmount: invoice.payAmount, reasons: [] })
    expect(await balanceOf(server, company)).toBe('98.50')
  })

  test.each([
    ['a millionth less', -1n, 'underpaid'],
    ['a millionth more', 1n, 'overpaid'],
    ['the bare deposit', undefined, 'underpaid'],
  ])('%s waits for review', async (_name, more, reason) => {
    const amount = more === undefined ? '100' : plus(invoice.payAmount, more)
    const { body } = await pay(server, company, invoice.id, { amount })
    expect(body).toMatchObject({ status: 'manual_review', reasons: [reason] })
    expect(body.receivedAmount).toBe(formatMicros(parseMicros(amount)))
    expect(await balanceOf(server, company)).toBe('0.00')
    expectError(await server.post(INVOICES, company.key, { amount: '10' }), 'invoice_unresolved')
  })

  test('a payment is judged by the time of its block: a late report of a payment in time completes an expired invoice', async () => {
    const at = after(HOUR_MS - 1)
    server.clock.advance(HOUR_MS + 60_000)
    expect((await readInvoice(server, company, invoice.id)).body.status).toBe('expired')
    const { body } = await pay(server, company, invoice.id, { amount: invoice.payAmount ?? '', at })
    expect(body).toMatchObject({ status: 'completed', reasons: [] })
    expect(await balanceOf(server, company)).toBe('98.50')
  })

  test.each([
    ['while it still shows as pending', 0],
    ['after it expired', HOUR_MS],
  ])('a block at the exact time of expiry is late, %s', async (_name, waitMs) => {
    const at = after(HOUR_MS)
    server.clock.advance(waitMs)
    const { body } = await pay(server, company, invoice.id, { amount: invoice.payAmount ?? '', at })
    expect(body).toMatchObject({ status: 'manual_review', reasons: ['paid_late'], receivedAmount: invoice.payAmount })
  })

  test('late money for an expired invoice is reviewed even if another invoice is open', async () => {
    server.clock.advance(HOUR_MS)
    const next = await openInvoice(server, company)
    const { body } = await pay(server, company, invoice.id, { amount: '100' })
    expect(body).toMatchObject({ status: 'manual_review', reasons: ['underpaid', 'paid_late'] })
    expect((await complete(server, company, next.id)).body.status).toBe('completed')
    const error = expectError(await server.post(INVOICES, company.key, { amount: '10' }), 'invoice_unresolved')
    expect(error.details).toMatchObject({ invoiceId: invoice.id })
  })

  test('a second payment is added and gives a reason for the review', async () => {
    await pay(server, company, invoice.id, { amount: '40' })
    const { body } = await pay(server, company, invoice.id, { amount: plus(invoice.payAmount, -40_000_000n) })
    expect(body).toMatchObject({
      status: 'manual_review',
      reasons: ['multiple_payments'],
      receivedAmount: invoice.payAmount,
    })
    const review = await readReview(invoice.id)
    expect(review.body).toMatchObject({ object: 'invoice', heldAmount: '100.00', reasons: ['multiple_payments'] })
    expect(review.body.dossier.payments).toHaveLength(2)
    const { body: events } = await server.get<{ data: { type: string; data: { id: string } }[] }>(
      '/api/v1/events?type=invoice.manual_review',
      company.key,
    )
    expect(events.data.map(({ data }) => data.id)).toEqual([invoice.id])
  })

  test('invalid input is refused and changes nothing', async () => {
    for (const amount of ['0', '0.000000', '1.0000001', '-1', 'x', '1234567890']) {
      expectError(await pay(server, company, invoice.id, { amount }), 'validation_failed')
    }
    expectError(await pay(server, company, invoice.id, { amount: '1', at: 'yesterday' }), 'validation_failed')
    expect((await readInvoice(server, company, invoice.id)).body).toEqual(invoice)
    const live = await server.createKey(company.id, { environment: 'live' })
    const path = `/api/v1/sandbox/invoices/${invoice.id}/payments`
    expectError(await server.post(path, live, { amount: '1' }), 'sandbox_only')
  })
})

describe('decisions', () => {
  test('completed credits what was received, rounded down, with its own fee', async () => {
    await pay(server, company, invoice.id, { amount: '57.339999' })
    const { status, body } = await resolve(server, invoice.id, { outcome: 'completed' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'completed',
      depositAmount: '57.33',
      fee: '0.86',
      creditAmount: '56.47',
      receivedAmount: '57.339999',
      reasons: ['underpaid'],
    })
    expect(await balanceOf(server, company)).toBe('56.47')
    expectError(await resolve(server, invoice.id, { outcome: 'failed' }), 'already_resolved')
    expect(await balanceOf(server, company)).toBe('56.47')
  })

  test('receivedAmount overrides what was reported', async () => {
    await pay(server, company, invoice.id, { amount: '57' })
    const { body } = await resolve(server, invoice.id, { outcome: 'completed', receivedAmount: '60' })
    expect(body).toMatchObject({ depositAmount: '60.00', fee: '0.90', receivedAmount: '60.000000' })
    expect(await balanceOf(server, company)).toBe('59.10')
  })

  test.each(['failed', 'expired'])('%s credits nothing and allows a new invoice', async (outcome) => {
    await pay(server, company, invoice.id, { amount: '57' })
    const { body } = await resolve(server, invoice.id, { outcome })
    expect(body.status).toBe(outcome)
    expect(await balanceOf(server, company)).toBe('0.00')
    await openInvoice(server, company)
  })

  test('less than a cent cannot be credited, and fields of operations are refused', async () => {
    await pay(server, company, invoice.id, { amount: '0.009999' })
    const refusal = async (decision: Record<string, unknown>) =>
      expectError(await resolve(server, invoice.id, decision), 'validation_failed')
    expect((await refusal({ outcome: 'completed' })).param).toBe('outcome')
    expect((await refusal({ outcome: 'completed', receivedAmount: '0.001' })).param).toBe('receivedAmount')
    expectError(await resolve(server, invoice.id, { outcome: 'failed', last4: '1234' }), 'validation_failed')
    expect((await readInvoice(server, company, invoice.id)).body.status).toBe('manual_review')
  })

  test('of ten operators at the same time one decides, and the others are told that it is resolved', async () => {
    await pay(server, company, invoice.id, { amount: '57' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        resolve(server, invoice.id, { outcome: index % 2 === 0 ? 'completed' : 'expired' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 'already_resolved')
  })

  test('the audit log has the decision with its reason', async () => {
    await pay(server, company, invoice.id, { amount: '57' })
    await resolve(server, invoice.id, { outcome: 'completed', evidence: 'block 1' })
    type Log = { data: { action: string; object: string; details: Record<string, unknown> }[] }
    const log = await server.get<Log>(`/admin/v1/audit-log?companyId=${company.wireId}`, server.operatorToken)
    expect(log.body.data[0]).toMatchObject({
      action: 'review.completed',
      object: invoice.id,
      details: { reason: 'seen in the wallet', evidence: 'block 1' },
    })
  })

  test('the list of reviews can be limited to one environment', async () => {
    await pay(server, company, invoice.id, { amount: '57' })
    const idsIn = async (environment: string) => {
      const path = `/admin/v1/reviews?limit=100&environment=${environment}`
      return (await server.get<{ data: ReviewBody[] }>(path, server.operatorToken)).body.data.map(({ id }) => id)
    }
    expect(await idsIn('sandbox')).toContain(invoice.id)
    expect(await idsIn('live')).toEqual([])
  })

  test('in the sandbox a key with funding:write can decide, and a key with only cards:write cannot', async () => {
    await pay(server, company, invoice.id, { amount: '57' })
    const path = `/api/v1/sandbox/reviews/${invoice.id}/resolve`
    const cards = await server.createKey(company.id, { scopes: ['cards:write'] })
    const funding = await server.createKey(company.id, { scopes: ['funding:write'] })
    expectError(await server.post(path, cards, { outcome: 'completed' }), 'scope_missing')
    const { body } = await server.post<Invoice>(path, funding, { outcome: 'completed', receivedAmount: '50' })
    expect(body).toMatchObject({ status: 'completed', depositAmount: '50.00' })
    const stranger = await server.createCompany()
    expectError(await server.post(path, stranger.key, { outcome: 'completed' }), 'not_found')
  })
})

describe('money that arrives after the invoice has ended', () => {
  interface PaymentBody {
    status: string
    invoiceId: string
    depositAmount: string | null
    creditAmount: string | null
  }

  async function openPaymentReview(): Promise<ReviewBody> {
    type List = { data: ReviewBody[] }
    const { body } = await server.get<List>('/admin/v1/reviews?limit=100&environment=sandbox', server.operatorToken)
    const { body: live } = await server.get<List>('/admin/v1/reviews?environment=live', server.operatorToken)
    expect(live.data).toEqual([])
    return body.data.find(({ invoiceId }) => invoiceId === invoice.id) as ReviewBody
  }

  test('leaves the invoice completed and opens a separate review, which credits the money less its fee', async () => {
    const { body: completed } = await complete(server, company, invoice.id)
    const { body } = await pay(server, company, invoice.id, { amount: '20.005' })
    expect(body).toEqual(completed)
    const review = await openPaymentReview()
    expect(review).toMatchObject({
      id: expect.stringMatching(/^rev_[0-9a-f]{32}$/),
      object: 'payment',
      amount: '20.005000',
      heldAmount: '20.00',
      reasons: ['late_payment'],
    })
    expect((await readReview(review.id)).body).toEqual(review)
    const decided = await resolve<PaymentBody>(server, review.id, { outcome: 'completed' })
    expect(decided.body).toMatchObject({ status: 'completed', invoiceId: invoice.id, creditAmount: '19.70' })
    expect(await balanceOf(server, company)).toBe('118.20')
    expect(await entriesOf(server, company.scope, review.id)).toHaveLength(2)
    expectError(await resolve(server, review.id, { outcome: 'completed' }), 'already_resolved')
    expect(await balanceOf(server, company)).toBe('118.20')
  })

  test('failed credits nothing, and expired is not an outcome of a payment', async () => {
    await complete(server, company, invoice.id)
    await pay(server, company, invoice.id, { amount: '20' })
    const { id } = await openPaymentReview()
    expectError(await resolve(server, id, { outcome: 'expired' }), 'validation_failed')
    const path = `/api/v1/sandbox/reviews/${id}/resolve`
    const { body } = await server.post<PaymentBody>(path, company.key, { outcome: 'failed' })
    expect(body).toMatchObject({ status: 'failed', depositAmount: null })
    expect(await balanceOf(server, company)).toBe('98.50')
  })

  test('money for an invoice that a review closed as expired opens a review with the new money only', async () => {
    await pay(server, company, invoice.id, { amount: '57' })
    await resolve(server, invoice.id, { outcome: 'expired' })
    const { body } = await pay(server, company, invoice.id, { amount: '3' })
    expect(body).toMatchObject({ status: 'manual_review', receivedAmount: '3.000000' })
  })
})
