// What a decision on a review does.
import type { Review } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { choicesOf, describeDecision, describeReason } from './words.ts'

const review = (object: Review['object'], type: string, more: object = {}) =>
  ({ object, heldAmount: '1028.05', amount: '990.00', dossier: { type }, ...more }) as unknown as Review
const decisions = (shown: Review) => choicesOf(shown).map(({ value, text }) => [value, text])

test('a decision on an operation names the money that it captures or releases', () => {
  expect(decisions(review('operation', 'issue'))).toEqual([
    ['completed', 'Charge 1,028.05 USD and create the card.'],
    ['failed', 'Release 1,028.05 USD to the company.'],
  ])
})

test('only an invoice can be decided as not paid, and only a late payment leaves its invoice as it is', () => {
  expect(decisions(review('invoice', 'invoice')).map(([value]) => value)).toEqual(['completed', 'failed', 'expired'])
  expect(decisions(review('payment', 'payment'))).toEqual([
    ['completed', 'Credit 990.00 USDT, less the fee, to the company.'],
    ['failed', 'Credit nothing. The invoice does not change.'],
  ])
})

test('a change of a card says whether money moves', () => {
  expect(decisions(review('card_change', 'closed'))[0]).toEqual([
    'completed',
    'The card is closed and its balance returns to the card account.',
  ])
  expect(decisions(review('card_change', 'frozen'))[0]?.[1]).toContain('No money moves')
})

test('reasons and decisions have words, and unknown ones are still shown', () => {
  expect([describeReason('underpaid'), describeReason('new_reason')]).toEqual([
    'Less was paid than the invoice asked for.',
    'new reason',
  ])
  const outcomes = ['completed', 'failed', 'expired'] as const
  const describeAll = (shown: Review) => outcomes.map((outcome) => describeDecision(shown, outcome))
  // Money that is refused did arrive.
  expect(describeAll(review('invoice', 'invoice'))).toEqual([
    'the money is ours',
    'do not accept it',
    'nothing was paid',
  ])
  expect(describeAll(review('operation', 'issue'))).toEqual(['it happened', 'it did not happen', 'expired'])
})
