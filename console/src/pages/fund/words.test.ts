// Invoices in words and steps.
import { type FundingInvoice, INVOICE_STATUSES } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { stepsOf } from './steps.ts'
import { describeInvoice, isMoving } from './words.ts'

const invoice = (status: FundingInvoice['status'], more: Partial<FundingInvoice> = {}) =>
  ({
    status,
    createdAt: '2026-01-31T12:00:00.000Z',
    expiresAt: '2026-01-31T13:00:00.000Z',
    receivedAmount: null,
    payAmount: '1000.123456',
    creditAmount: '990.00',
    fee: '10.00',
    failure: null,
    reasons: [],
    ...more,
  }) as FundingInvoice

test('nobody is asked to pay an invoice that cannot be paid', () => {
  for (const status of INVOICE_STATUSES.filter((each) => each !== 'pending' && each !== 'completed'))
    expect(describeInvoice(invoice(status)), status).toMatch(/[Dd]o not (pay|send)/)
  expect(describeInvoice(invoice('pending'))).not.toMatch(/[Dd]o not/)
})

test('a completed invoice names what arrived, what was credited, and the fee', () => {
  const text = describeInvoice(invoice('completed', { receivedAmount: '1000.123456' }))
  for (const figure of ['1,000.123456 USDT', '990.00 USD', '10.00 USD']) expect(text).toContain(figure)
})

test('a review says what is wrong with the payment', () => {
  const text = describeInvoice(
    invoice('manual_review', { receivedAmount: '900.00', reasons: ['underpaid', 'paid_late'] }),
  )
  expect(text).toContain('900.00 USDT arrived instead of 1,000.123456. That is too little. It arrived too late.')
  expect(describeInvoice(invoice('manual_review'))).toContain('not confirmed that it set up')
})

test('an expired invoice may still change, a completed or failed one may not', () => {
  expect(INVOICE_STATUSES.filter((status) => !isMoving(invoice(status)))).toEqual(['completed', 'failed'])
})

test('the timeline has what happened, then what comes next', () => {
  const at = '2026-01-31T12:00:00.000Z'
  const titles = (shown: FundingInvoice, ...steps: object[]) =>
    stepsOf(shown, [{ step: 'created', at }, ...steps] as never).map(({ title }) => title)
  expect(titles(invoice('pending'))).toEqual(['Invoice created', 'Waiting for your payment'])
  const paid = { at, amount: '1000.12', reference: 'r' }
  expect(
    titles(
      invoice('completed'),
      { step: 'paid', ...paid },
      { step: 'received', ...paid },
      { step: 'credited', at, amount: '990.00', fee: '10.00' },
    ),
  ).toEqual([
    'Invoice created',
    '1,000.12 USDT paid on the network',
    '1,000.12 USDT confirmed by the issuer',
    '990.00 USD credited, after a fee of 10.00 USD',
  ])
  expect(titles(invoice('expired'), { step: 'cancelled', at })).toEqual(['Invoice created', 'Cancelled'])
})
