// The names of rows, and the file.
import { expect, test } from 'vitest'
import { nameRow, toCsv } from './words.ts'

const sums = { count: 2, amount: '6.00' }

test.each([
  [{ month: '2026-01' }, 'Jan 2026'],
  [{ merchant: '' }, 'Unknown merchant'],
  [{ category: { id: 'fuel', name: 'Fuel and charging' } as const }, 'Fuel and charging'],
  [{ card: { id: 'card_1', name: 'Travel', last4: '4242' }, holder: { id: 'hld_1', name: 'Ada' } }, 'Travel ·· 4242'],
  [{ holder: { id: 'hld_1', name: 'Ada' } }, 'Ada'],
])('%j is called %s', (names, name) => {
  expect(nameRow({ ...sums, ...names })).toBe(name)
})

test('a month is a month of the API in the file, so that programs can sort it', () => {
  expect(toCsv('month', { data: [{ ...sums, month: '2026-01' }], others: null })).toContain('\r\n2026-01,,2,6.00,USD')
})

test('the file has a line for each row, and a merchant that looks like a formula stays a text', () => {
  expect(toCsv('merchant', { data: [{ ...sums, merchant: '=SUM(A1)' }], others: null })).toBe(
    "merchant,id,payments,amount,currency\r\n'=SUM(A1),,2,6.00,USD\r\n",
  )
})

test('what the server left out is the last line of the file, so that its amounts add up to what was spent', () => {
  const others = { groups: 40, count: 55, amount: '81.20' }
  expect(toCsv('merchant', { data: [{ ...sums, merchant: 'Kiosk' }], others })).toBe(
    'merchant,id,payments,amount,currency\r\nKiosk,,2,6.00,USD\r\nOthers (40 not listed),,55,81.20,USD\r\n',
  )
})
