// Payments as the issuer reports them, and as the sandbox simulates them: what each is answered with, and what is recorded.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPayLinks } from '../../src/funding/pay-link.ts'
import { completeInSandbox, payInSandbox, takeSettlement } from '../../src/funding/payments.ts'
import { Book } from './book.ts'
import { Cast, type Name } from './invoice-cast.ts'

const payLinks = createPayLinks({ key: Buffer.alloc(32, 1), baseUrl: () => 'https://pay.example' })

let book: Book
let cast: Cast
beforeAll(async () => {
  book = await Book.open()
})
beforeEach(async () => {
  cast = await Cast.create(book)
})
afterAll(() => book.close())

const depsOf = () => ({ db: book.db, clock: { now: () => cast.at(100) }, payLinks })
const paidAts = async () =>
  book.many('select payment_key, amount, paid_at, recorded_at from invoice_payment where invoice_id = $1', [
    cast.ids.subject,
  ])

test('every report of the issuer is taken, refused or left for later', async () => {
  const take = (amount: string, name: Name = 'subject', paymentId = 'first') => {
    const report = { token: cast.ids[name], paymentId, amount, paidAt: cast.at(95).toISOString() }
    return takeSettlement(depsOf(), cast.mine, report)
  }
  expect(await take('100.000030')).toBe('later')
  await cast.bring(cast.mine, 'pending')
  expect(await take('0')).toBe('conflict')
  expect(await take('100.000030', 'later payment')).toBe('not_found')
  expect(await paidAts()).toEqual([])
  expect(await take('40')).toBe('taken')
  expect(await take('40')).toBe('taken')
  expect(await take('41')).toBe('conflict')
  expect(await take('7', 'earlier', 'second')).toBe('taken')
  expect(await paidAts()).toEqual([
    { payment_key: 'first', amount: 40_000_000n, paid_at: cast.at(95), recorded_at: cast.at(100) },
  ])
})

test('the sandbox completes a pending invoice once, with a payment at the time of its creation', async () => {
  const complete = () => cast.watch(() => completeInSandbox(depsOf(), cast.mine, cast.ids.subject))
  const refused = (status: string) => ({ code: 'invoice_not_payable', details: { status } })
  await expect(complete()).rejects.toMatchObject(refused('creating'))
  await cast.bring(cast.mine, 'pending')
  const first = await complete()
  expect(first.value).toMatchObject({ id: cast.ids.subject, status: 'completed', received: 100_000_030n })
  expect(await paidAts()).toMatchObject([{ amount: 100_000_030n, paid_at: cast.at(80), recorded_at: cast.at(100) }])
  expect(await complete()).toEqual({ value: first.value, changes: {} })
})

test('the sandbox pays any amount at any time, but not nothing, not too early and not more than a thousand times', async () => {
  const pay = (amount: bigint, at?: Date) => payInSandbox(depsOf(), cast.mine, cast.ids.subject, { amount, at })
  const early = { code: 'invoice_not_payable', details: { status: 'creating' } }
  await expect(pay(1n)).rejects.toMatchObject(early)
  await cast.bring(cast.mine, 'pending')
  await expect(pay(0n)).rejects.toMatchObject({ code: 'validation_failed' })
  expect(await paidAts()).toEqual([])
  expect(await pay(1n)).toMatchObject({ status: 'manual_review', received: 1n, reasons: ['underpaid'] })
  expect(await paidAts()).toMatchObject([{ paid_at: cast.at(100) }])
  expect(await pay(2n, cast.at(140))).toMatchObject({
    received: 3n,
    reasons: ['underpaid', 'paid_late', 'multiple_payments'],
  })
  await book.run(
    `insert into invoice_payment (company_id, environment, payment_key, invoice_id, amount, paid_at, recorded_at, decided)
     select $1, 'sandbox', 'copy ' || n, $2, 1, $3, $3, true from generate_series(1, 998) n`,
    [cast.mine.companyId, cast.ids.subject, cast.at(99)],
  )
  await expect(pay(1n)).rejects.toThrow('1000 payments')
})
