// What people read when something fails, and what the console does about it.
import { AuthenticationError, BadRequestError, NotFoundError, ServerError, UnreachableError } from '@cardstock/sdk'
import { describe, expect, test } from 'vitest'
import {
  asHarmless,
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
    expect(describeError(new ServerError('Check baseUrl.', { code: 'unexpected_answer' })).message).toContain(
      'did not come from this server',
    )
    expect(describeError(new TypeError('x is undefined')).message).toContain('Something went wrong')
    expect(describeError(new SaidError('Choose a smaller file.')).message).toBe('Choose a smaller file.')
  })
})

describe('a change that may have been carried out', () => {
  const unknown = 'It is not known whether the request was carried out.'
  const again = 'Send it again without changes to find out: it is carried out at most once.'
  const internal = 'It broke. Try again with the same Idempotency-Key; give the requestId to the operator.'
  const advice = `${unknown} Send it again with idempotencyKey "k": it is carried out at most once.`
  const keyed = { isOutcomeUnknown: true, idempotencyKey: 'k' } as const
  test.each([
    [
      'that got no answer',
      new UnreachableError(`Gone. ${advice}`, { code: 'timeout', reason: 'Gone.', ...keyed }),
      `The server did not answer. ${unknown} ${again}`,
    ],
    [
      'that has no key',
      new UnreachableError('Gone.', { code: 'unreachable', isOutcomeUnknown: true }),
      `The server did not answer. ${unknown} Check whether it was before you try again.`,
    ],
    [
      'that the server failed at',
      new ServerError(`${internal} ${advice}`, { code: 'internal', statusCode: 500, reason: internal, ...keyed }),
      `It broke. ${unknown} ${again}`,
    ],
    [
      'that was refused after a try without an answer',
      new BadRequestError(`No. ${advice}`, { code: 'x', reason: 'No.', isAfterLostTry: true, ...keyed }),
      `No. An earlier try ended without a clear answer. ${unknown} ${again}`,
    ],
  ])('%s is told apart from one that was not, in words for people', (_name, error, message) => {
    expect(describeError(error).message).toBe(message)
  })

  test('is not what reading is, nor a call that does no harm when it is made twice', () => {
    const read = new ServerError(internal, { code: 'internal', statusCode: 500, reason: internal })
    expect(describeError(read).message).toBe('It broke. Try again shortly.')
    const lost = new UnreachableError('Gone.', { code: 'unreachable', isOutcomeUnknown: true })
    expect(describeError(asHarmless(lost)).message).toBe(
      'The server did not answer. Check your connection, then try again.',
    )
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
