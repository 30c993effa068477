// The statements that read invoices, payments and reviews return those of one account, or of all where an operator asks, in the
// promised order. Four accounts have invoices with the same ids and keys.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listInvoices } from '../../src/funding/lists/queries.ts'
import {
  findAnswer,
  findInvoice,
  findInvoiceAnywhere,
  findInvoiceByKey,
  findPaymentReview,
  findPaymentReviewAnywhere,
  listInvoiceReviews,
  listPaymentReviews,
  listPayments,
  settleFirstAnswer,
} from '../../src/funding/queries.ts'
import { must } from '../../src/lib/invariant.ts'
import { LATEST_TIME, NEWEST_ID } from '../../src/lib/slice.ts'
import type { Environment, Scope } from '../../src/lib/scope.ts'
import { Book } from './book.ts'
import { Cast, type Name, PAY_URL } from './invoice-cast.ts'

const OLDEST_ID = '00000000-0000-0000-0000-000000000000'

let book: Book
let cast: Cast
beforeAll(async () => {
  book = await Book.open()
  cast = await Cast.create(book)
  await cast.bring(cast.mine, 'in review')
  await cast.bring(must(cast.scopes[1]), 'pending')
})
afterAll(() => book.close())

const page = (after: string, limit = 100) => ({ after, afterTime: LATEST_TIME, limit })
const nameOf = ({ id }: { id: string }) => Object.entries(cast.ids).find(([, known]) => known === id)?.[0]
const ownerOf = ({ company_id, environment }: { company_id: string; environment: Environment }) =>
  cast.scopes.findIndex((scope) => scope.companyId === company_id && scope.environment === environment)

test('an invoice and a review of a payment are found in their account only', async () => {
  for (const [owner, scope] of cast.scopes.entries()) {
    for (const name of ['earlier', 'reopened', 'subject'] as const) {
      const row = must(await findInvoice(book.db, scope, cast.ids[name]))
      expect([ownerOf(row), nameOf(row)]).toEqual([owner, name])
    }
    const review = must(await findPaymentReview(book.db, scope, cast.ids['late payment']))
    expect([ownerOf(review), nameOf(review)]).toEqual([owner, 'late payment'])
  }
  const stranger: Scope = { companyId: OLDEST_ID, environment: 'sandbox' }
  expect(await findInvoice(book.db, stranger, cast.ids.subject)).toBeUndefined()
  expect(await findPaymentReview(book.db, stranger, cast.ids['late payment'])).toBeUndefined()
})

test('an operator finds an invoice and a review by the id alone', async () => {
  await cast.addElsewhere('expired', [must(cast.scopes[2])])
  const invoice = must(await findInvoiceAnywhere(book.db, cast.ids['later payment']))
  expect([ownerOf(invoice), nameOf(invoice), invoice.status]).toEqual([2, 'later payment', 'expired'])
  const review = must(await findPaymentReviewAnywhere(book.db, cast.ids['later payment']))
  expect([ownerOf(review), nameOf(review)]).toEqual([2, 'later payment'])
  expect(await findInvoiceAnywhere(book.db, OLDEST_ID)).toBeUndefined()
  expect(await findPaymentReviewAnywhere(book.db, OLDEST_ID)).toBeUndefined()
})

test('the answer to a request is the invoice as it is until there is a first answer', async () => {
  const url = 'https://pay.example/other'
  const answerOf = (owner: number, name: Name = 'subject') =>
    findAnswer(book.db, must(cast.scopes[owner]), cast.ids[name], url)
  expect(await answerOf(0)).toMatchObject({
    status: 'manual_review',
    look_up_count: 0,
    is_first: false,
    answer: { status: 'manual_review', payUrl: url },
  })
  expect(await answerOf(1)).toMatchObject({ status: 'pending', is_first: false, answer: { environment: 'live' } })
  expect(await answerOf(2)).toMatchObject({ status: 'creating', is_first: false, answer: { status: 'creating' } })
  expect(await answerOf(0, 'earlier')).toMatchObject({ status: 'completed', is_first: false })
  await settleFirstAnswer(book.db, cast.mine, cast.ids.subject, PAY_URL)
  expect(await answerOf(0)).toMatchObject({ is_first: true, answer: { status: 'manual_review', payUrl: PAY_URL } })
  expect(await answerOf(0, 'later payment')).toBeUndefined()
})

test('a key finds the invoice of its account', async () => {
  const digest = async (scope: Scope, key: string) => {
    const found = await findInvoiceByKey(book.db, scope, key)
    return found && [found.id, found.request_digest.toString('hex')]
  }
  for (const name of ['earlier', 'reopened', 'subject'] as const)
    expect(await digest(cast.mine, name)).toEqual([cast.ids[name], '00'])
  expect(await digest(cast.mine, 'unused')).toBeUndefined()
  // Nobody else's invoice stands for a key that the account has not used.
  await book.run(
    `update invoice set idempotency_key = 'theirs' where company_id <> $1 and idempotency_key = 'subject'`,
    [cast.mine.companyId],
  )
  await book.run(
    `update invoice set idempotency_key = 'live' where environment = 'live' and idempotency_key = 'subject'`,
  )
  expect([await digest(cast.mine, 'theirs'), await digest(cast.mine, 'live')]).toEqual([undefined, undefined])
})

test('the list of invoices is newest first, after an id, with a status, and never longer than the page', async () => {
  const list = async (status: string | undefined, after = NEWEST_ID, limit = 100) => {
    const rows = await listInvoices(book.db, cast.mine, status === undefined ? {} : { status }, page(after, limit))
    for (const row of rows) expect(ownerOf(row)).toBe(0)
    return rows.map(nameOf)
  }
  expect(await list(undefined)).toEqual(['subject', 'reopened', 'earlier'])
  expect(await list(undefined, NEWEST_ID, 2)).toEqual(['subject', 'reopened'])
  expect(await list(undefined, cast.ids.subject)).toEqual(['reopened', 'earlier'])
  expect(await list('manual_review')).toEqual(['subject', 'reopened'])
  expect(await list('manual_review', cast.ids.subject)).toEqual(['reopened'])
  expect(await list('completed')).toEqual(['earlier'])
})

test('the payments of an invoice are newest first', async () => {
  const list = async (name: Name, limit = 100) =>
    (await listPayments(book.db, cast.mine, cast.ids[name], limit)).map(({ payment_key: key }) => key)
  expect(await list('earlier')).toEqual(['after the end', 'exact'])
  expect(await list('earlier', 1)).toEqual(['after the end'])
  expect(await list('reopened')).toEqual(['too late'])
  expect(await list('subject')).toEqual(['paid'])
})

test('operators see the reviews of all accounts or of one environment, oldest first', async () => {
  const shown = (rows: readonly { id: string; company_id: string; environment: Environment }[]) =>
    rows.map((row) => `${nameOf(row)} ${ownerOf(row)}`).toSorted()
  const invoices = async (environment?: Environment, after = OLDEST_ID, limit = 100) =>
    listInvoiceReviews(book.db, { ...page(after, limit), environment })
  const reopened = [0, 1, 2, 3].map((owner) => `reopened ${owner}`)
  expect(shown(await invoices())).toEqual([...reopened, 'subject 0'])
  expect((await invoices()).map(nameOf).at(-1)).toBe('subject')
  expect(shown(await invoices('sandbox'))).toEqual(['reopened 0', 'reopened 2', 'subject 0'])
  expect(shown(await invoices('live'))).toEqual(['reopened 1', 'reopened 3'])
  expect(shown(await invoices(undefined, cast.ids.earlier, 4))).toEqual(reopened)
  expect(shown(await invoices(undefined, cast.ids.reopened))).toEqual(['subject 0'])
  expect(shown(await invoices('live', cast.ids.reopened))).toEqual([])

  const payments = async (environment?: Environment, after = OLDEST_ID, limit = 100) =>
    (await listPaymentReviews(book.db, { ...page(after, limit), environment })).filter(
      (row) => nameOf(row) === 'late payment',
    )
  expect(shown(await payments())).toEqual([0, 1, 2, 3].map((owner) => `late payment ${owner}`))
  expect(shown(await payments('live'))).toEqual(['late payment 1', 'late payment 3'])
  expect(await payments(undefined, cast.ids['late payment'])).toEqual([])
  expect(await payments('sandbox', cast.ids['late payment'])).toEqual([])
  expect(await payments(undefined, OLDEST_ID, 2)).toHaveLength(2)
  await book.run(`update payment_review set status = 'failed' where environment = 'sandbox' and id = $1`, [
    cast.ids['late payment'],
  ])
  expect(shown(await payments())).toEqual(['late payment 1', 'late payment 3'])
  expect(shown(await payments('live'))).toEqual(['late payment 1', 'late payment 3'])
  expect(await payments('sandbox')).toEqual([])
})
