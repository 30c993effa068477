// Answers that come in part, late or not at all, over real connections: what is asked for again, and for how long.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  AbortedError,
  AuthenticationError,
  BadRequestError,
  CardstockError,
  PermissionError,
  RateLimitError,
  UnreachableError,
} from '../src/errors.ts'
import { type CallOptions, type ClientOptions, readSettings } from '../src/options.ts'
import { createTransport } from '../src/transport.ts'
import { type Listener, type Reply, startListener } from './listener.ts'

const operation = { type: 'topup', cardId: 'card_1', amount: '10.00' } as const
let listener: Listener

beforeEach(async () => {
  listener = await startListener()
})
afterEach(() => {
  vi.restoreAllMocks()
  return listener.close()
})

/** A transport whose waits take no time. */
function connect(options: ClientOptions = {}) {
  const secret = { name: 'apiKey', variable: 'CARDSTOCK_API_KEY', value: 'cstk_sandbox_secret' }
  return createTransport(readSettings({ baseUrl: listener.baseUrl, ...options }, secret), async () => undefined)
}

const get = (options: ClientOptions = {}) => connect(options).call('GET /api/v1/balance', {})
const create = (options: ClientOptions = {}, idempotencyKey?: string) =>
  connect(options).callOnce('POST /api/v1/operations', { body: operation }, { idempotencyKey })
const freeze = (options: ClientOptions = {}) =>
  connect(options).call('POST /api/v1/cards/{id}/freeze', { params: { id: 'card_1' } })

/** Answers with each reply in turn. */
function replyInTurn(...replies: Reply[]): void {
  listener.reply = () => replies[listener.asked.length - 1]
}

async function failure(promise: Promise<unknown>): Promise<CardstockError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CardstockError)
  return error as CardstockError
}

/** The limits of the tries, which end when a test says so: a real one would be too short for a busy machine, or too slow. */
function holdLimits() {
  const limits: number[] = []
  let current: AbortController | undefined
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms)
    current = new AbortController()
    return current.signal
  })
  return { limits, expire: () => current?.abort(new DOMException('The time is over.', 'TimeoutError')) }
}

describe('an answer that is cut in the middle of its body', () => {
  const whole = { status: 201, body: { id: 'op_1', available: '1.00' } }
  const halves = ['cut', 'end', 'hang'] as const
  let halfOf: (half: (typeof halves)[number]) => Reply
  beforeEach(() => {
    const { expire } = holdLimits()
    halfOf = (half) => ({ ...whole, half, ...(half === 'hang' ? { onHalf: expire } : {}) })
  })

  test.each(halves)('is asked for again by a GET (%s)', async (half) => {
    replyInTurn(halfOf(half), whole)
    expect(await get()).toEqual(whole.body)
    expect(listener.asked).toHaveLength(2)
  })

  test.each(halves)('is asked for again by a POST with the same idempotency key (%s)', async (half) => {
    replyInTurn(halfOf(half), whole)
    expect(await create()).toEqual(whole.body)
    const keys = listener.asked.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  test.each(halves)('is not asked for again by a POST without a key (%s)', async (half) => {
    listener.reply = () => halfOf(half)
    const error = await failure(freeze())
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error.message).toContain('Read the object before you repeat the call.')
    expect(listener.asked).toHaveLength(1)
  })

  test.each([
    ['cut', 'unreachable', /^The answer from \S+ was cut short \(.+\), in the last of 3 tries\./],
    [
      'end',
      'unreachable',
      /^The answer from \S+ was cut short \(the answer ends too early\), in the last of 3 tries\./,
    ],
    // The time may be over before the first half has arrived.
    ['hang', 'timeout', /^No (?:complete )?answer from \S+ within 30000 ms, in the last of 3 tries\./],
  ] as const)('every time is an error that says so (%s)', async (half, code, message) => {
    listener.reply = () => halfOf(half)
    const error = await failure(create({}, 'k-5'))
    expect(error).toMatchObject({ code, idempotencyKey: 'k-5' })
    expect(error.message).toMatch(message)
    expect(listener.asked).toHaveLength(3)
  })

  test('is asked for again if it is a refusal', async () => {
    const refusal = { status: 400, body: { code: 'some_code', message: 'No.' } }
    replyInTurn({ ...refusal, half: 'cut' }, refusal)
    expect(await failure(get())).toBeInstanceOf(BadRequestError)
    expect(listener.asked).toHaveLength(2)
  })

  test('is asked for again if nothing of it came', async () => {
    replyInTurn({ text: '' }, whole)
    expect(await get()).toEqual(whole.body)
  })

  test('is asked for again in the middle of a list', async () => {
    const pages: Reply[] = [
      { body: { data: [{ id: 'a' }], nextCursor: 'c1' } },
      { body: { data: [{ id: 'b' }], nextCursor: null }, half: 'cut' },
      { body: { data: [{ id: 'b' }], nextCursor: null } },
    ]
    replyInTurn(...pages)
    const ids: string[] = []
    for await (const card of connect().list('GET /api/v1/cards', {})) ids.push(card.id)
    expect(ids).toEqual(['a', 'b'])
    expect(listener.asked.map(({ url }) => url)).toEqual([
      '/api/v1/cards',
      '/api/v1/cards?cursor=c1',
      '/api/v1/cards?cursor=c1',
    ])
  })
})

describe('a refusal after a try that was lost', () => {
  const drop: Reply = { drop: true }
  const refuse = (status: number): Reply => ({ status, body: { code: 'some_code', message: 'No.' } })
  const advice =
    ' An earlier try of this call ended without a clear answer. It is not known whether the request was carried out. ' +
    'Send it again with idempotencyKey "k-6": it is carried out at most once.'
  const refused = [
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [429, RateLimitError],
  ] as const

  /** Answers with each reply in turn, then with the last one: a 429 is asked for again. */
  function replyInTurnThenLast(...replies: Reply[]): void {
    listener.reply = () => replies[Math.min(listener.asked.length, replies.length) - 1]
  }

  test.each(refused)('%i keeps its class, and says that the order may have been carried out', async (status, type) => {
    replyInTurnThenLast(drop, refuse(status))
    const error = await failure(create({}, 'k-6'))
    expect(error.constructor).toBe(type)
    expect(error).toMatchObject({ statusCode: status, isAfterLostTry: true, idempotencyKey: 'k-6' })
    expect(error).toMatchObject({ isOutcomeUnknown: true, reason: 'No.' })
    expect(error.message).toBe(`No.${advice}`)
    expect(listener.asked).toHaveLength(status === 429 ? 3 : 2)
  })

  test.each(refused)('is not what %i of the first try is', async (status, type) => {
    listener.reply = () => refuse(status)
    const error = await failure(create({}, 'k-6'))
    expect(error.constructor).toBe(type)
    expect([error.isAfterLostTry, error.isOutcomeUnknown]).toEqual([undefined, undefined])
    expect(error.message).toBe('No.')
  })

  test.each<[string, Reply]>([
    ['a 503, which a proxy may send after the server has begun', refuse(503)],
    ['a 2xx that was cut short', { status: 201, body: { id: 'op_1' }, half: 'cut' }],
    ['a redirect that was cut short', { status: 307, body: { id: 'op_1' }, half: 'cut' }],
  ])('is also one after %s', async (_name, lost) => {
    replyInTurn(lost, refuse(401))
    const error = await failure(create({}, 'k-6'))
    expect(error).toMatchObject({ statusCode: 401, isAfterLostTry: true })
    expect(error.message).toBe(`No.${advice}`)
  })

  test.each<[string, Reply]>([
    ['a 429, which refused the first try', refuse(429)],
    ['a refusal that was cut short, whose status was known', { ...refuse(400), half: 'cut' }],
  ])('is none after %s', async (_name, first) => {
    replyInTurn(first, refuse(400))
    const error = await failure(create({}, 'k-6'))
    expect(listener.asked).toHaveLength(2)
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error.isAfterLostTry).toBeUndefined()
    expect(error.message).toBe('No.')
  })

  test('is none of a GET, which changes nothing', async () => {
    replyInTurn(drop, refuse(401))
    const error = await failure(get())
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error.isAfterLostTry).toBeUndefined()
    expect(error.message).toBe('No.')
  })

  test('is none of a call that found no server before', async () => {
    const refusing = refuse(401)
    let tries = 0
    const flaky: typeof fetch = async (...request) => {
      tries += 1
      if (tries === 1)
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
      return fetch(...request)
    }
    listener.reply = () => refusing
    const error = await failure(create({ fetch: flaky }, 'k-6'))
    expect(tries).toBe(2)
    expect(error.isAfterLostTry).toBeUndefined()
    expect(error.message).toBe('No.')
  })
})

describe('whether a call was carried out', () => {
  test.each<[string, Reply]>([
    ['is lost', { drop: true }],
    ['is a 5xx', { status: 500, body: { code: 'internal', message: 'It broke.' } }],
    ['is not from a Cardstock server', { status: 502, text: '<html>' }],
  ])('is unknown of a change, and no question of a GET, if the answer %s', async (_name, reply) => {
    listener.reply = () => reply
    const [changed, read] = [await failure(freeze()), await failure(get())]
    expect([changed.isOutcomeUnknown, read.isOutcomeUnknown]).toEqual([true, undefined])
    expect(changed.message).toBe(
      `${changed.reason} It is not known whether the request was carried out. Read the object before you repeat the call.`,
    )
    expect(read.message).toBe(read.reason)
  })

  test('is known if nothing was sent', async () => {
    await listener.close()
    const error = await failure(create())
    expect(error.isOutcomeUnknown).toBeUndefined()
    expect(error.message).toBe(`${error.reason} Nothing was sent.`)
    listener = await startListener()
  })
})

describe('a stream', () => {
  const text = 'id: pos_1\n\n'.repeat(10)
  const open = (options: CallOptions = {}) =>
    connect().stream('GET /api/v1/events/stream', {}, 'text/event-stream', options)
  const events = { text, headers: { 'content-type': 'text/event-stream' } }

  test('arrives as it was sent', async () => {
    listener.reply = () => events
    expect(await new Response(await open()).text()).toBe(text)
  })

  test('that breaks off fails with an error of this package, and is not opened again', async () => {
    listener.reply = () => ({ ...events, half: 'cut' })
    const error = await failure(new Response(await open()).text())
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error.message).toMatch(/^The answer from \S+ was cut short/)
    expect(listener.asked).toHaveLength(1)
  })

  test('that falls silent ends with its time limit', async () => {
    const { expire } = holdLimits()
    listener.reply = () => ({ ...events, half: 'hang' })
    const reader = (await open()).getReader()
    await reader.read()
    expire()
    const error = await failure(reader.read())
    expect(error).toMatchObject({ code: 'timeout' })
    expect(error.message).toMatch(/^No complete answer from/)
  })

  test('ends when its signal is aborted', async () => {
    const controller = new AbortController()
    listener.reply = () => ({ ...events, half: 'hang' })
    const reader = (await open({ signal: controller.signal })).getReader()
    await reader.read()
    controller.abort()
    expect(await failure(reader.read())).toBeInstanceOf(AbortedError)
  })

  test('that nobody reads any more lets go of the connection', async () => {
    listener.reply = () => ({ ...events, half: 'hang' })
    await (await open()).cancel()
    await expect.poll(() => listener.countEnded()).toBeGreaterThan(0)
  })
})

describe('a time limit', () => {
  test('is for one try: a server that hangs once is asked again', async () => {
    const { limits, expire } = holdLimits()
    listener.reply = () => {
      if (listener.asked.length > 1) return { body: { available: '1.00' } }
      expire()
      return undefined
    }
    expect(await get()).toEqual({ available: '1.00' })
    expect(limits).toEqual([30_000, 30_000])
  })

  test('that every try reaches ends the call, with the key to repeat it', async () => {
    const { limits, expire } = holdLimits()
    listener.reply = () => {
      expire()
      return undefined
    }
    const error = await failure(create({ timeoutMs: 700 }, 'k-3'))
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error).toMatchObject({ code: 'timeout', idempotencyKey: 'k-3' })
    expect(error.message).toMatch(/^No answer from \S+ within 700 ms, in the last of 3 tries\./)
    expect(limits).toEqual([700, 700, 700])
  })

  test('of the whole call shortens a try, and lets no further one begin', async () => {
    listener.reply = () => undefined
    expect(await failure(get({ timeoutMs: 60_000, totalTimeoutMs: 50 }))).toMatchObject({ code: 'timeout' })
    // On a busy machine the time may be over before the request has left.
    expect(listener.asked.length).toBeLessThan(2)
  })

  test('of a try ends a call that is not repeated', async () => {
    const { limits, expire } = holdLimits()
    listener.reply = () => {
      expire()
      return undefined
    }
    expect(await failure(freeze())).toMatchObject({ code: 'timeout' })
    expect(limits).toEqual([30_000])
  })

  test.each([{ timeoutMs: 50, maxRetries: 0 }, { totalTimeoutMs: 50 }])(
    'can be set for one call: %j',
    async (options) => {
      listener.reply = () => undefined
      const call = connect().call('GET /api/v1/balance', {}, options)
      expect(await failure(call)).toMatchObject({ code: 'timeout' })
    },
  )

  test.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 31])('of %d is refused', async (ms) => {
    expect(() => connect({ timeoutMs: ms })).toThrow(/^timeoutMs must be a whole number/)
    expect(() => connect({ totalTimeoutMs: ms })).toThrow(/^totalTimeoutMs must be a whole number/)
    const call = connect().call('GET /api/v1/balance', {}, { totalTimeoutMs: ms })
    await expect(call).rejects.toThrow(/^totalTimeoutMs must be a whole number/)
  })

  test('as long as a timer can take is enough for every try', async () => {
    expect(await get({ timeoutMs: 2 ** 31 - 1, maxRetries: 5 })).toEqual({})
  })
})
