// What an operator reads about an invoice or a late payment in review, and which decisions are refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { programActor } from '../../src/access/audit.ts'
import { createPayLinks } from '../../src/funding/pay-link.ts'
import { findInvoice, findPaymentReview } from '../../src/funding/queries.ts'
import { paymentReviewKind, paymentReviews } from '../../src/funding/payment-review.ts'
import { invoiceReviewKind, invoiceReviews } from '../../src/funding/review.ts'
import { formatId } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import type { ReviewDecision, ReviewSource } from '../../src/reviews/review.ts'
import { resolveReview } from '../../src/reviews/source.ts'
import { Book } from './book.ts'
import { Cast, type Name } from './invoice-cast.ts'

const ACTOR = programActor('test')
const payLinks = createPayLinks({ key: Buffer.alloc(32), baseUrl: () => 'https://pay.example' })

let book: Book
let cast: Cast
let invoices: ReviewSource
let payments: ReviewSource
beforeAll(async () => {
  book = await Book.open()
})
beforeEach(async () => {
  cast = await Cast.create(book)
  // An operator names an invoice by its id alone, so the ids of the other accounts must be others here.
  for (const table of ['payment_review', 'invoice_payment']) await dropOthers(table)
  await dropOthers('invoice')
  invoices = invoiceReviews(depsOf())
  payments = paymentReviews(depsOf())
})
afterAll(() => book.close())

const dropOthers = async (table: string) => {
  for (const { companyId, environment } of cast.others)
    await book.run(`delete from ${table} where company_id = $1 and environment = $2`, [companyId, environment])
}
const depsOf = () => ({ db: book.db, clock: { now: () => cast.at(100) }, payLinks })
const time = (minute: number) => cast.at(minute).toISOString()
const decide = (decision: Partial<ReviewDecision>): ReviewDecision => ({
  outcome: 'failed',
  reason: 'a test',
  ...decision,
})
const resolve = (source: ReviewSource, name: Name, decision: Partial<ReviewDecision>, within = cast.mine) =>
  source.resolve(ACTOR, cast.ids[name], decide(decision), within)

describe('the dossier', () => {
  const describeSubject = () => ({
    id: formatId('inv', cast.ids.subject),
    object: 'invoice',
    title: 'Invoice for 100.00 USD',
    companyId: formatId('co', cast.mine.companyId),
    companyName: expect.any(String),
    environment: 'sandbox',
  })
  const request = () => ({ token: formatId('inv', cast.ids.subject), type: 'invoice', amount: '100.00' })

  test('of an invoice has the instructions and the payments, oldest first', async () => {
    await cast.bring(cast.mine, 'in review')
    await cast.pay(cast.mine, 'subject', 95, { key: 'second', amount: 2_345_678n, paid: 93 })
    expect(await invoices.find(cast.ids.subject)).toEqual({
      ...describeSubject(),
      heldAmount: '42.34',
      since: time(91),
      reasons: ['underpaid', 'multiple_payments'],
      dossier: {
        type: 'invoice',
        acceptedAt: time(80),
        claimedAt: time(80),
        request: { ...request(), address: cast.address, payAmount: '100.000030', expiresAt: time(140) },
        names: {},
        exchanges: [],
        payments: [
          { reference: 'paid', amount: '40.000000', paidAt: time(91), recordedAt: time(91) },
          { reference: 'second', amount: '2.345678', paidAt: time(93), recordedAt: time(95) },
        ],
        note: null,
      },
    })
  })

  test('of an invoice whose creation stayed unknown says so and has no instructions', async () => {
    await cast.bring(cast.mine, 'unknown')
    expect(await invoices.find(cast.ids.subject)).toEqual({
      ...describeSubject(),
      heldAmount: '0.00',
      since: time(90),
      reasons: ['issuer_unknown'],
      dossier: {
        type: 'invoice',
        acceptedAt: time(80),
        claimedAt: time(80),
        request: { ...request(), address: null, payAmount: null, expiresAt: null },
        names: {},
        exchanges: [],
        payments: [],
        note: 'It is not known whether the issuer created this invoice. The issuer is not asked again.',
      },
    })
  })

  test('of a late payment has the instructions and all payments of its invoice', async () => {
    expect(await payments.find(cast.ids['late payment'])).toEqual({
      id: formatId('rev', cast.ids['late payment']),
      object: 'payment',
      title: 'Late payment of 5.00 USDT',
      invoiceId: formatId('inv', cast.ids.earlier),
      amount: '5.000000',
      companyId: formatId('co', cast.mine.companyId),
      companyName: expect.any(String),
      environment: 'sandbox',
      heldAmount: '5.00',
      since: time(2),
      reasons: ['late_payment'],
      dossier: {
        type: 'payment',
        acceptedAt: time(2),
        claimedAt: null,
        request: {
          token: formatId('inv', cast.ids.earlier),
          type: 'invoice',
          amount: '100.00',
          address: cast.address,
          payAmount: '100.000010',
          expiresAt: time(60),
        },
        names: {},
        exchanges: [],
        payments: [
          { reference: 'exact', amount: '100.000010', paidAt: time(1), recordedAt: time(1) },
          { reference: 'after the end', amount: '5.000000', paidAt: time(2), recordedAt: time(2) },
        ],
        note: 'The invoice was completed when this payment arrived, and stays so.',
      },
    })
  })

  test('is not shown of an invoice or a payment that never was in review, and is shown of a decided one', async () => {
    await cast.bring(cast.mine, 'pending')
    await resolve(payments, 'late payment', {})
    expect(await invoices.find(cast.ids.subject)).toBeUndefined()
    expect(await invoices.find(cast.ids['late payment'])).toBeUndefined()
    expect(await payments.find(cast.ids['late payment'])).toMatchObject({ decision: { outcome: 'failed' } })
    expect(await payments.find(cast.ids.subject)).toBeUndefined()
  })
})

describe('a decision on an invoice', () => {
  const rowOf = async () => must(await findInvoice(book.db, cast.mine, cast.ids.subject))
  const refused = (status: string) => ({ code: 'already_resolved', details: { status } })

  test('is refused if it is not in review, before anything else is looked at', async () => {
    await cast.bring(cast.mine, 'pending')
    await expect(resolve(invoices, 'subject', { outcome: 'completed' })).rejects.toMatchObject(refused('pending'))
  })

  test('that was made on outdated figures is refused', async () => {
    await cast.bring(cast.mine, 'in review')
    const outdated = await rowOf()
    const resolveRow = (row: typeof outdated, decision: ReviewDecision) =>
      resolveReview(depsOf(), invoiceReviewKind(depsOf()), row, { actor: ACTOR, decision })
    const decideOutdated = () => resolveRow(outdated, decide({ outcome: 'completed' }))
    await cast.pay(cast.mine, 'subject', 95, { key: 'second', amount: 1n })
    await expect(decideOutdated()).rejects.toThrow('More money arrived')
    await resolve(invoices, 'subject', { outcome: 'expired' })
    await expect(decideOutdated()).rejects.toMatchObject(refused('expired'))
    const gone = { ...outdated, id: cast.ids['later payment'] }
    await expect(resolveRow(gone, decide({}))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('needs an amount of which at least a cent can be credited', async () => {
    await cast.bring(cast.mine, 'unknown')
    const complete = (receivedAmount?: string) =>
      resolve(invoices, 'subject', {
        outcome: 'completed',
        ...(receivedAmount === undefined ? {} : { receivedAmount }),
      })
    await expect(complete()).rejects.toThrow('body.receivedAmount is required')
    await expect(complete('0.009999')).rejects.toThrow('Less than a cent')
    expect(await complete('33.339999')).toMatchObject({
      id: formatId('inv', cast.ids.subject),
      status: 'completed',
      depositAmount: '33.33',
      fee: '0.50',
      receivedAmount: '33.339999',
      payUrl: payLinks.urlOf(cast.mine, cast.ids.subject),
    })
  })

  test('is only found in the account that it is limited to, and takes no fields of operations', async () => {
    await cast.bring(cast.mine, 'in review')
    const elsewhere = must(cast.scopes[1])
    await expect(resolve(invoices, 'subject', {}, elsewhere)).rejects.toMatchObject({ code: 'not_found' })
    const invalid = { code: 'validation_failed' }
    await expect(resolve(invoices, 'subject', { receipt: 'R' })).rejects.toMatchObject(invalid)
    expect((await rowOf()).status).toBe('manual_review')
    // An operator need not name the account.
    const decided = await invoices.resolve(ACTOR, cast.ids.subject, decide({ outcome: 'expired' }))
    expect(decided).toMatchObject({ status: 'expired' })
  })
})

describe('a decision on a late payment', () => {
  const rowOf = async () => must(await findPaymentReview(book.db, cast.mine, cast.ids['late payment']))
  const resolveLate = (decision: Partial<ReviewDecision>, within = cast.mine) =>
    resolve(payments, 'late payment', decision, within)

  test('credits what was received', async () => {
    expect(await resolveLate({ outcome: 'completed', receivedAmount: '4' })).toEqual({
      id: formatId('rev', cast.ids['late payment']),
      object: 'payment',
      environment: 'sandbox',
      status: 'completed',
      invoiceId: formatId('inv', cast.ids.earlier),
      amount: '5.000000',
      depositAmount: '4.00',
      fee: '0.06',
      creditAmount: '3.94',
      createdAt: time(2),
    })
  })

  test('is refused once it is made, before anything else is looked at', async () => {
    const outdated = await rowOf()
    expect(await resolveLate({})).toMatchObject({ status: 'failed', depositAmount: null, fee: null })
    const refused = { code: 'already_resolved', details: { status: 'failed' } }
    await expect(resolveLate({ outcome: 'completed', receivedAmount: '0.001' })).rejects.toMatchObject(refused)
    const decision = decide({ outcome: 'completed' })
    const again = (row = outdated) =>
      resolveReview(depsOf(), paymentReviewKind(depsOf()), row, { actor: ACTOR, decision })
    await expect(again()).rejects.toMatchObject(refused)
    await expect(again({ ...outdated, id: cast.ids.subject })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is only found in the account that it is limited to, and takes no fields of operations', async () => {
    await expect(resolveLate({}, must(cast.scopes[2]))).rejects.toMatchObject({ code: 'not_found' })
    await expect(resolveLate({ last4: '1234' })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(resolveLate({ outcome: 'completed', receivedAmount: '0.001' })).rejects.toThrow('Less than a cent')
    expect((await rowOf()).status).toBe('manual_review')
    expect(await payments.resolve(ACTOR, cast.ids['late payment'], decide({}))).toMatchObject({ status: 'failed' })
  })
})
