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

test('a payment without a merchant is named after its type', () => {
  expect([titleOf(payment({})), titleOf(payment({ merchant: 'Kiosk' }))]).toEqual(['Purchase', 'Kiosk'])
})
