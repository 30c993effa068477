// Card payments in words.
import { type Transaction, TRANSACTION_STATUSES } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { describeTransaction, titleOf } from './words.ts'

const payment = (more: Partial<Transaction>) =>
  ({ amount: '-5.00', merchant: '', description: '', type: 'purchase', ...more }) as Transaction

test('a payment says where the money is, and credits and debits have different words', () => {
  const sentences = TRANSACTION_STATUSES.map((status) => describeTransaction(payment({ status })))
  expect(new Set(sentences).size).toBe(TRANSACTION_STATUSES.length)
  expect(describeTransaction(payment({ status: 'settled' }))).toContain('collected')
  expect(describeTransaction(payment({ status: 'declined', description: 'Card frozen' }))).toContain('Card frozen.')
  expect(describeTransaction(payment({ status: 'settled', amount: '5.00' }))).toContain('credited')
  expect(describeTransaction(payment({ status: 'pending', amount: '5.00' }))).toContain('announced')
})

test.each([
  ['reversed', '-5.00', 'The merchant cancelled the reservation. The amount is no longer reserved.'],
  ['reversed', '5.00', 'The credit was withdrawn. It did not reach the card.'],
  [
    'expired',
    '-5.00',
    'The merchant did not collect the amount in time. It is no longer reserved, but may still be collected later.',
  ],
  ['expired', '5.00', 'The credit did not arrive in time. It is not on the card. It may still arrive later.'],
  ['settled', '0.00', 'The amount is zero. No money moved.'],
] as const)('a payment that is %s, with the amount %s: %s', (status, amount, sentence) => {
  expect(describeTransaction(payment({ status, amount }))).toBe(sentence)
})

test('a check of the card moves no money, and one that was declined says why', () => {
  const check = { type: 'verification', amount: '0.00' } as const
  for (const status of ['pending', 'settled', 'reversed', 'expired'] as const)
    expect(describeTransaction(payment({ ...check, status }))).toBe('The card was checked. No money moved.')
  expect(describeTransaction(payment({ ...check, status: 'declined', description: 'Card frozen' }))).toContain(
    'Card frozen.',
  )
})

test('a payment without a merchant is named after its type', () => {
  expect([titleOf(payment({})), titleOf(payment({ merchant: 'Kiosk' }))]).toEqual(['Purchase', 'Kiosk'])
})
