// The decisions about invoices, as tables: fees, minimums, and what every answer of an issuer leads to.
import { expect, test } from 'vitest'
import type { InvoiceOutcome } from '../issuer/port.ts'
import { cents } from '../lib/money.ts'
import { makeUnownedAddress } from '../tron/address.ts'
import { micros } from '../tron/usdt.ts'
import { creationOf, creditOf, INVOICE_MAXIMUM, invoiceFee, requireInvoiceAmount } from './rules.ts'

const WEEK_MS = 7 * 24 * 3_600_000
const now = new Date('2026-03-10T12:00:00Z')
const good = {
  kind: 'confirmed',
  address: makeUnownedAddress('rules'),
  payAmount: micros(100_004_711n),
  expiresAt: new Date('2026-03-10T13:00:00Z'),
} as const

test.each([
  [1_000n, 15n],
  [1_100n, 17n],
  [3_300n, 50n],
  [10_000n, 150n],
  [33n, 0n],
  [34n, 1n],
])('a deposit of %s cents costs %s', (deposit, fee) => expect(invoiceFee(cents(deposit))).toBe(fee))

test('less than a cent received credits nothing', () => {
  expect(creditOf(micros(9_999n))).toBeUndefined()
  expect(creditOf(micros(57_339_999n))).toEqual({ deposit: 5_733n, fee: 86n })
})

test('an invoice is of whole dollars, up to the maximum', () => {
  expect(requireInvoiceAmount(INVOICE_MAXIMUM, cents(0n))).toBe(INVOICE_MAXIMUM)
  expect(() => requireInvoiceAmount(cents(INVOICE_MAXIMUM + 100n), cents(0n))).toThrow('at most "10000000.00"')
  expect(() => requireInvoiceAmount(cents(10_001n), cents(0n))).toThrow('whole US dollars')
})

test("the issuer's minimum applies if it is higher", () => {
  expect(requireInvoiceAmount(cents(2_000n), cents(2_000n))).toBe(2_000n)
  expect(() => requireInvoiceAmount(cents(1_900n), cents(2_000n))).toThrow('at least "20.00"')
  expect(() => requireInvoiceAmount(cents(900n), cents(500n))).toThrow('at least "10.00"')
})

test.each<[string, InvoiceOutcome, string]>([
  ['confirmed', good, 'pending'],
  ['confirmed with a broken address', { ...good, address: `${good.address.slice(0, -1)}0` }, 'creating'],
  ['confirmed with the lowest tail', { ...good, payAmount: micros(100_000_001n) }, 'pending'],
  ['confirmed with the highest tail', { ...good, payAmount: micros(100_009_999n) }, 'pending'],
  ['confirmed with the bare deposit', { ...good, payAmount: micros(100_000_000n) }, 'creating'],
  ['confirmed with a cent too much', { ...good, payAmount: micros(100_010_000n) }, 'creating'],
  ['confirmed for another amount', { ...good, payAmount: micros(200_000_001n) }, 'creating'],
  ['confirmed and expired already', { ...good, expiresAt: now }, 'creating'],
  ['confirmed for a moment', { ...good, expiresAt: new Date(now.getTime() + 1) }, 'pending'],
  ['confirmed for a week', { ...good, expiresAt: new Date(now.getTime() + WEEK_MS) }, 'pending'],
  ['confirmed for more than a week', { ...good, expiresAt: new Date(now.getTime() + WEEK_MS + 1) }, 'creating'],
  ['confirmed until no time', { ...good, expiresAt: new Date(Number.NaN) }, 'creating'],
  ['confirmed for years', { ...good, expiresAt: new Date('2030-01-01T00:00:00Z') }, 'creating'],
  ['declined', { kind: 'declined', code: 'no', message: 'No.' }, 'failed'],
  ['not sent', { kind: 'not_sent', reason: 'refused' }, 'failed'],
  ['unknown', { kind: 'unknown', reason: 'time-out' }, 'creating'],
])('%s, first seen, leads to %s', (_name, outcome, status) => {
  const invoice = { requested: 10_000n, look_up_count: 0 }
  expect(creationOf(invoice, outcome, { now, since: now, purpose: 'request', lookUpDelaysMs: [1000] }).status).toBe(
    status,
  )
})

test('the exact amount of an invoice is free again a day after it expired', () => {
  const context = { now, since: now, purpose: 'request', lookUpDelaysMs: [1000] } as const
  const { kind: _, ...instructions } = good
  expect(creationOf({ requested: 10_000n, look_up_count: 0 }, good, context)).toEqual({
    status: 'pending',
    ...instructions,
    freeAt: new Date('2026-03-11T13:00:00Z'),
  })
})

test('a person decides when no look-up found the outcome', () => {
  const outcome = { kind: 'unknown', reason: 'not found', answered: true } as const
  const look = { now, since: now, purpose: 'look_up', lookUpDelaysMs: [1000, 5000] } as const
  const second = creationOf({ requested: 10_000n, look_up_count: 0 }, outcome, look)
  expect(second).toEqual({ status: 'creating', dueAt: new Date(now.getTime() + 5000), lookUps: 1 })
  expect(creationOf({ requested: 10_000n, look_up_count: 1 }, outcome, look)).toEqual({ status: 'manual_review' })
})
