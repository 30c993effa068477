// What happened to an invoice, and cancelling one: it ends the time to pay and loses no payment.
import { beforeEach, expect, test } from 'vitest'
import type { Invoice } from '../../../src/funding/schema.ts'
import { takeSettlement } from '../../../src/funding/payments.ts'
import { findId } from '../../../src/lib/ids.ts'
import { balanceOf, complete, INVOICES, openInvoice, pay, readInvoice, resolve } from '../../support/invoices.ts'
import type { TestCompany } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import { startServer } from './server.ts'

const MINUTE_MS = 60_000
const server = await startServer()

let company: TestCompany
let invoice: Invoice
beforeEach(async () => {
  company = await server.createCompany()
  invoice = await openInvoice(server, company, '100')
})

interface Timeline {
  steps: { step: string; at: string; amount?: string; fee?: string; reference?: string; transactionId?: string }[]
}
const stepsOf = async (id: string, key = company.key) =>
  (await server.get<Timeline>(`${INVOICES}/${id}/timeline`, key)).body.steps
const cancel = (id: string, key = company.key) =>
  server.request<Invoice>('POST', `${INVOICES}/${id}/cancel`, { token: key })
const now = () => server.clock.now().toISOString()

test('a paid invoice shows when it was paid and confirmed, and what was credited', async () => {
  const createdAt = now()
  server.clock.advance(MINUTE_MS)
  const paidAt = now()
  await pay(server, company, invoice.id, { amount: invoice.payAmount ?? '' })
  const about = { amount: invoice.payAmount, reference: expect.stringMatching(/^sandbox /) }
  expect(await stepsOf(invoice.id)).toEqual([
    { step: 'created', at: createdAt },
    { step: 'paid', at: paidAt, ...about },
    { step: 'received', at: paidAt, ...about },
    { step: 'credited', at: paidAt, amount: '98.50', fee: '1.50' },
  ])
})

test("the issuer's id of a transfer names its transaction on TRON", async () => {
  const transactionId = 'ab'.repeat(32)
  const { db, clock } = server
  const payment = { token: findId('inv', invoice.id) ?? '', amount: invoice.payAmount ?? '', paidAt: now() }
  const parts = { db, clock, payLinks: { urlOf: () => invoice.payUrl } } as never
  expect(await takeSettlement(parts, company.scope, { ...payment, paymentId: `${transactionId}:2` })).toBe('taken')
  expect((await stepsOf(invoice.id))[1]).toMatchObject({ step: 'paid', transactionId, reference: `${transactionId}:2` })
})

test('money that comes after the end is a step of its own, and so is the decision about it', async () => {
  await complete(server, company, invoice.id)
  await pay(server, company, invoice.id, { amount: '20' })
  const { body } = await server.get<{ data: { id: string }[] }>('/admin/v1/reviews', server.operatorToken)
  const id = body.data.at(-1)?.id ?? ''
  expect(await stepsOf(invoice.id)).toContainEqual({ step: 'manual_review', at: now(), paymentId: id })
  await resolve(server, id, { outcome: 'completed' })
  expect((await stepsOf(invoice.id)).at(-1)).toEqual({
    step: 'credited',
    at: now(),
    amount: '19.70',
    fee: '0.30',
    paymentId: id,
  })
})

test('a cancelled invoice is expired from then on, says who cancelled it, and leaves room for another', async () => {
  server.clock.advance(MINUTE_MS)
  const answer = await cancel(invoice.id)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    status: 'expired',
    expiresAt: now(),
    cancelledBy: { kind: 'key', id: expect.stringMatching(/^key_/), name: 'test' },
  })
  expect((await stepsOf(invoice.id)).map(({ step }) => step)).toEqual(['created', 'cancelled'])
  server.clock.advance(MINUTE_MS)
  expect((await cancel(invoice.id)).body).toEqual(answer.body)
  await openInvoice(server, company, '50')
})

test('what was paid before it was cancelled is credited, and what comes later is decided by a person', async () => {
  const before = now()
  server.clock.advance(MINUTE_MS)
  await cancel(invoice.id)
  await pay(server, company, invoice.id, { amount: invoice.payAmount ?? '', at: before })
  expect((await readInvoice(server, company, invoice.id)).body.status).toBe('completed')
  expect(await balanceOf(server, company)).toBe('98.50')
  const late = await openInvoice(server, company, '100')
  await cancel(late.id)
  await pay(server, company, late.id, { amount: late.payAmount ?? '' })
  expect((await readInvoice(server, company, late.id)).body).toMatchObject({
    status: 'manual_review',
    reasons: ['paid_late'],
  })
  expect((await stepsOf(late.id)).map(({ step }) => step)).toContain('cancelled')
})

test('an invoice that was paid cannot be cancelled, and nobody cancels or reads that of another company', async () => {
  const other = await server.createCompany()
  expectError(await cancel(invoice.id, other.key), 'not_found')
  expectError(await server.get(`${INVOICES}/${invoice.id}/timeline`, other.key), 'not_found')
  await complete(server, company, invoice.id)
  expect(expectError(await cancel(invoice.id), 'invoice_not_payable').details).toEqual({ status: 'completed' })
})
