// Endpoints and attempts in words.
import type { WebhookAttempt, WebhookEndpoint } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { describeAttempt } from './attempt-words.ts'
import { describeDisabled, describeEvents } from './webhooks/words.ts'

test('an attempt was delivered, refused, or not answered', () => {
  const words = (attempt: Partial<WebhookAttempt>) => describeAttempt(attempt as WebhookAttempt)
  expect(words({ succeeded: true, statusCode: 204 })).toBe('Delivered, 204')
  expect(words({ succeeded: false, statusCode: 500 })).toBe('Refused, 500')
  expect(words({ succeeded: false, statusCode: null, error: 'timeout' })).toBe('No answer: timeout')
})

test('an endpoint says which events it gets, and why it is disabled', () => {
  expect([describeEvents(['*']), describeEvents(['card.created']), describeEvents(['a', 'b'])]).toEqual([
    'All',
    'card.created',
    '2 types',
  ])
  const disabled = (disabledReason: string | null) => describeDisabled({ disabledReason } as WebhookEndpoint)
  expect(disabled('gone')).toContain('410')
  expect(disabled(null)).toBe('')
})
