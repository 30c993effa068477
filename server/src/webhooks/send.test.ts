// Sending one request: what is kept of the answer, and what each failure is called.
import type { Dispatcher } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Reply, type Request, toDispatcher } from '../../test/support/dispatcher.ts'
import { ForbiddenAddressError } from './connector.ts'
import { NameNotResolvedError, ResolverFailureError } from './resolver.ts'
import { send, targetOf } from './send.ts'

afterEach(() => {
  vi.useRealTimers()
})

const HEADERS = { 'service-signature': '', 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '' }
const MESSAGE = { target: targetOf('https://example.com/hooks?a=b'), headers: HEADERS, body: Buffer.from('{}') }

/** Sends to a receiver that answers so, or fails so. */
function sendTo(reply: Partial<Reply> | ((request: Request) => Promise<Partial<Reply>>), deadlineMs = 60_000) {
  const request = async (options: Request) => {
    const given = typeof reply === 'function' ? await reply(options) : reply
    return { statusCode: 200, headers: {}, body: [], ...given }
  }
  return send(toDispatcher(request), MESSAGE, deadlineMs)
}
const failWith = (error: unknown) =>
  sendTo(async () => {
    throw error
  })
const withCode = (error: Error, code: unknown) => Object.assign(error, { code })

describe('an answer', () => {
  it('comes from the path with its query', async () => {
    let asked: Request | undefined
    const sent = await sendTo(async (request) => {
      asked = request
      return { statusCode: 202, body: [Buffer.from('thanks')] }
    })
    expect(asked).toMatchObject({
      origin: 'https://example.com',
      path: '/hooks?a=b',
      method: 'POST',
      body: MESSAGE.body,
    })
    expect(sent).toMatchObject({ statusCode: 202, response: 'thanks', hasResolverFailed: false })
    expect(sent).toMatchObject({ error: undefined, retryAfter: undefined })
  })

  it.each([
    [299, undefined],
    [300, 'redirects are not followed'],
    [399, 'redirects are not followed'],
    [400, undefined],
  ])('of %i has the error %s', async (statusCode, error) => {
    expect(await sendTo({ statusCode })).toMatchObject({ statusCode, error })
  })

  it('has a Retry-After if there is exactly one', async () => {
    expect((await sendTo({ headers: { 'retry-after': '60' } })).retryAfter).toBe('60')
    expect((await sendTo({ headers: { 'retry-after': ['60', '70'] } })).retryAfter).toBeUndefined()
  })

  it('is kept up to 1 KB, however it is divided, and without the character that cannot be stored', async () => {
    const parts = [1000, 20, 100, 100].map((length, index) => Buffer.alloc(length, String(index)))
    const { response } = await sendTo({ body: parts })
    expect(response).toBe('0'.repeat(1000) + '1'.repeat(20) + '2'.repeat(4))
    expect((await sendTo({ body: [Buffer.from('a\0b')] })).response).toBe('a\uFFFDb')
  })

  it('is read up to 64 KB and no further', async () => {
    let read = 0
    const body = function* () {
      for (; read < 9; read += 1) yield Buffer.alloc(32 * 1024)
    }
    await sendTo({ body: body() })
    // The second one was the last: the reader did not come back for a third.
    expect(read).toBe(1)
  })
})

describe('no answer', () => {
  it.each([
    ['an error without a code', new Error('10.0.0.1 refused'), 'the exchange failed'],
    [
      'an error with a code',
      withCode(new Error('10.0.0.1 refused'), 'ECONNREFUSED'),
      'the exchange failed (ECONNREFUSED)',
    ],
    ['a code that is no text', withCode(new Error('10.0.0.1 refused'), 7), 'the exchange failed'],
    [
      'several errors',
      new AggregateError([new Error('10.0.0.1'), withCode(new Error('::1'), 'ETIMEDOUT')]),
      'the exchange failed (ETIMEDOUT)',
    ],
    ['a text', 'code', 'the exchange failed'],
    ['a name without addresses', new NameNotResolvedError('ENODATA'), 'the name could not be resolved (ENODATA)'],
    ['a forbidden address', new ForbiddenAddressError('not a public one'), 'not a public one'],
  ])('because of %s has a reason without addresses', async (_what, error, reason) => {
    const sent = await failWith(error)
    expect(sent).toMatchObject({ statusCode: undefined, error: reason, hasResolverFailed: false, response: undefined })
  })

  it('because of our own DNS servers says so', async () => {
    expect(await failWith(new ResolverFailureError('ETIMEOUT'))).toMatchObject({ hasResolverFailed: true })
  })

  it('within the deadline ends the request', async () => {
    const sent = await sendTo(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(withCode(new Error('aborted'), 'ABORTED')))
        }),
      20,
    )
    expect(sent.error).toBe('no complete answer within 0.02 s')
  })
})

it('ends at the deadline without a connection, and is not sent over one that opens later', async () => {
  let open = () => {}
  const aborted: unknown[] = []
  const dispatch = (_options: unknown, handler: Dispatcher.DispatchHandler) => {
    const abort = (reason: Error) => {
      aborted.push(reason.message)
      handler.onResponseError?.(controller, reason)
    }
    const controller = { abort } as unknown as Dispatcher.DispatchController
    open = () => handler.onRequestStart?.(controller, {})
    return true
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const sent = send({ dispatch } as unknown as Dispatcher, MESSAGE, 1_000)
  vi.advanceTimersByTime(1_000)
  expect((await sent).error).toBe('no complete answer within 1 s')
  expect(aborted).toEqual([])
  open()
  expect(aborted).toEqual(['the deadline has passed'])
})

it('that the client refuses is no answer', async () => {
  const dispatch = () => {
    throw withCode(new Error('destroyed'), 'UND_ERR_DESTROYED')
  }
  const sent = await send({ dispatch } as unknown as Dispatcher, MESSAGE, 1_000)
  expect(sent).toMatchObject({ statusCode: undefined, error: 'the exchange failed (UND_ERR_DESTROYED)' })
})

it('leaves no timer behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await sendTo({})
  await failWith(new Error('no'))
  expect(vi.getTimerCount()).toBe(0)
})
