// Which invoice a transfer belongs to, as a table of times and amounts.
import { expect, test } from 'vitest'
import { attribute, type InvoiceSpan, isDust } from './attribute.ts'

const at = (text: string) => new Date(`2026-03-${text}Z`)
// The invoice expires at 10T13:00:00; its quarantine lasts a day longer. The second one has the address from the same moment on.
const FIRST: InvoiceSpan = {
  token: 'first',
  companyId: 'one',
  createdAt: at('10T12:00:00.500'),
  freeAt: at('11T13:00:00.500'),
}
const SECOND: InvoiceSpan = {
  token: 'second',
  companyId: 'two',
  createdAt: at('11T13:00:00.500'),
  freeAt: at('12T14:00:00.500'),
}

test.each([
  ['before it was ever given', '10T12:00:00.499', 'no_invoice'],
  ['in the moment of its creation', '10T12:00:00.500', 'first'],
  ['in time', '10T12:30:00', 'first'],
  ['exactly at expiry', '10T13:00:00.500', 'first'],
  ['late', '11T12:00:00', 'first'],
  ['in the last moment of the quarantine', '11T13:00:00.499', 'first'],
  ['when the next invoice has the address', '11T13:00:00.500', 'second'],
  ['after the last quarantine', '12T14:00:00.500', 'no_invoice'],
])('a transfer %s', (_name, time, expected) => {
  const decision = attribute({ time: at(time), amount: 100_000_000n, isFromOurs: false }, [FIRST, SECOND])
  expect(decision.kind === 'invoice' ? decision.invoice.token : decision.cause).toBe(expected)
})

test.each([
  ['too small', 10_000n, 'first'],
  ['too large for the invoice', 999_999_999_999_999n, 'first'],
  ['too large for the server', 1_000_000_000_000_000n, 'too_large'],
])('a transfer that is %s', (_name, amount, expected) => {
  const decision = attribute({ time: at('10T12:30:00'), amount, isFromOurs: false }, [FIRST])
  expect(decision.kind === 'invoice' ? decision.invoice.token : decision.cause).toBe(expected)
})

test("a transfer from one of our own addresses is nobody's payment", () => {
  const decision = attribute({ time: at('10T12:30:00'), amount: 100_000_000n, isFromOurs: true }, [FIRST])
  expect(decision).toEqual({ kind: 'none', cause: 'own_transfer' })
})

test('dust is what is below one cent', () => {
  expect([0n, 1n, 9_999n].every(isDust)).toBe(true)
  expect(isDust(10_000n)).toBe(false)
})
