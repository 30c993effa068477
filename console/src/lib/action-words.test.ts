// The words of the audit log.
import { expect, test } from 'vitest'
import { describeAction } from './action-words.ts'

test.each([
  ['review.completed', 'Review completed'],
  ['operator_token.revoked', 'Operator token revoked'],
  ['company.verification.approve', 'Company verification approved'],
  ['holder.status', 'Holder status changed'],
])('%s is shown as %s', (action, words) => {
  expect(describeAction(action)).toBe(words)
})
