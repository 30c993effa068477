// What people read when something fails, and what the console does about it.
import { AuthenticationError, BadRequestError, NotFoundError, ServerError, UnreachableError } from '@cardstock/sdk'
import { describe, expect, test } from 'vitest'
import {
  codeOf,
  describeError,
  detailOf,
  isPassing,
  isSignedOut,
  listOf,
  needsSecondFactor,
  SaidError,
} from './errors.ts'

const refusal = new BadRequestError('The quote has changed.', {
  code: 'quote_changed',
  requestId: 'req_1',
  statusCode: 400,
  details: { total: '28.05', count: 3, methods: ['totp', 7, 'passkey'] },
})

describe('what is shown', () => {
  test('is the message of the API, with its code and its request', () => {
    expect(describeError(refusal)).toEqual({
      message: 'The quote has changed.',
      code: 'quote_changed',
      requestId: 'req_1',
      isNotFound: false,
    })
    expect(describeError(new NotFoundError('There is no such card.', { code: 'not_found' })).isNotFound).toBe(true)
  })

  test('is in the words of the console if the server cannot be reached or the page is broken', () => {
    expect(describeError(new UnreachableError('ECONNREFUSED', { code: 'unreachable' })).message).toContain(
      'The server did not answer',
    )
    expect(describeError(new TypeError('x is undefined')).message).toContain('Something went wrong')
    expect(describeError(new SaidError('Choose a smaller file.')).message).toBe('Choose a smaller file.')
  })
})

test('details are read only in the type that is asked for', () => {
  expect([detailOf(refusal, 'total'), detailOf(refusal, 'count'), detailOf(refusal, 'none')]).toEqual([
    '28.05',
    undefined,
    undefined,
  ])
  expect([listOf(refusal, 'methods'), listOf(refusal, 'total')]).toEqual([['totp', 'passkey'], []])
  expect([codeOf(refusal), codeOf(new Error('x'))]).toEqual(['quote_changed', undefined])
})

test('an ended session is not a wrong password', () => {
  const refused = (code: string) => new AuthenticationError('No.', { code })
  for (const code of ['invalid_session', 'missing_api_key', 'malformed_api_key', 'invalid_api_key'])
    expect(isSignedOut(refused(code)), code).toBe(true)
  expect(isSignedOut(refused('invalid_credentials'))).toBe(false)
  expect(isSignedOut(new BadRequestError('No.', { code: 'invalid_session' }))).toBe(false)
})

test('only errors that may be temporary are tried again', () => {
  expect(isPassing(new UnreachableError('lost', { code: 'unreachable' }))).toBe(true)
  expect(isPassing(new ServerError('broken', { code: 'unavailable', statusCode: 503 }))).toBe(true)
  expect([isPassing(refusal), isPassing(new Error('x'))]).toEqual([false, false])
  expect([
    needsSecondFactor(new AuthenticationError('No.', { code: 'step_up_required' })),
    needsSecondFactor(refusal),
  ]).toEqual([true, false])
})
