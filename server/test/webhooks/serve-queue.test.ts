// How a worker serves one queue: how much it takes and sends at a time, when it stops, and what it records. The test answers each request.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { createWebhookBox } from '../../src/webhooks/assemble.ts'
import { createDeliverySlots } from '../../src/webhooks/delivery-slots.ts'
import type { Round, TakenRow } from '../../src/webhooks/queries.ts'
import { NameNotResolvedError, ResolverFailureError } from '../../src/webhooks/resolver.ts'
import { serveQueue } from '../../src/webhooks/serve-queue.ts'
import { Book } from '../ledger/book.ts'
import { type Reply as Response, toDispatcher } from '../support/dispatcher.ts'
import { QueueBook } from './queue-book.ts'

let shared: Book
let book: QueueBook
beforeAll(async () => {
  shared = await Book.open()
})
afterAll(() => shared.close())
beforeEach(async () => {
  book = await QueueBook.start(shared)
  await book.addEndpoint('one')
})

type Reply = number | Error | { status: number; retryAfter: string }

/** So far ahead that a slow machine is not late. */
const inTime = () => performance.now() + 600_000

/** Serves the queue of `one`, which has these many deliveries for each time that the worker takes some. */
function serve(takes: readonly number[], more: { failures?: number; claimedAtMs?: number; slots?: number } = {}) {
  const held: ((reply: Reply) => void)[] = []
  const state = { sent: 0, isStopping: false, hasGivenUp: false, hasFailedForLong: false, free: more.slots ?? Infinity }
  const sizes: number[] = []
  const rounds: Round[] = []
  const request = async () => {
    state.sent += 1
    const reply = await new Promise<Reply>((resolve) => held.push(resolve))
    if (reply instanceof Error) throw reply
    const { status, retryAfter } = typeof reply === 'number' ? { status: reply } : reply
    const headers: Response['headers'] = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    return { statusCode: status, headers, body: [] }
  }
  const slots = createDeliverySlots()
  const deps = {
    db: book.db,
    clock: shared.clock,
    log: createLog({ level: 'silent' }),
    openAgent: async () => toDispatcher(request),
    secretBox: createWebhookBox({ secretKey: Buffer.alloc(32, 7) }),
    showOperation: () => ({}),
    slots: { ...slots, tryTake: () => state.free-- > 0 },
  }
  const worker = {
    id: randomUUID(),
    leaseUntil: () => book.at(30),
    isStopping: () => state.isStopping,
    hasGivenUp: () => state.hasGivenUp,
    stop: () => {},
    giveUp: () => {},
    take: async ({ size }: { size: number }) => Array.from({ length: takes[sizes.push(size) - 1] ?? 0 }, toRow),
    record: async (round: Round) => {
      rounds.push(round)
      return state.hasFailedForLong
    },
  }
  const queue = { key: book.key('one'), failures: more.failures ?? 0, claimedAtMs: more.claimedAtMs ?? inTime() }
  const served = serveQueue(deps, worker, queue)
  /** Lets everything go on that does not wait for an answer. */
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  }
  return {
    state,
    sizes,
    /** Answers requests one after the other, in the order in which they were sent. */
    async answer(count: number, reply: Reply): Promise<void> {
      for (let index = 0; index < count; index += 1) {
        await settle()
        const next = held.shift()
        if (next === undefined) throw new Error('nothing was sent')
        next(reply)
      }
      await settle()
    },
    /** Waits for the end and returns what was recorded. */
    async end() {
      await settle()
      expect(held).toEqual([])
      await served
      return rounds.map(({ attempts, until, hasSucceeded, failures }) => {
        const pauseMs = until === null ? null : until.getTime() - book.now.getTime()
        return { made: attempts.length, pauseMs, hasSucceeded, failures }
      })
    },
  }
}

const toRow = (_: unknown, index: number): TakenRow => ({
  item: 1,
  url: index === 0 ? 'https://example.com/hooks' : null,
  secrets: index === 0 ? [] : null,
  attempt_count: 0,
  resend_count: 0,
  company_id: book.scope.companyId,
  environment: 'sandbox',
  id: randomUUID(),
  type: 'card.updated',
  object_id: randomUUID(),
  sequence: 2,
  data: {},
  created_at: book.now,
  operation_type: null,
  amount: null,
  fee: null,
  card_id: null,
  receipt: null,
  failure_code: null,
  failure_message: null,
  operation_created_at: null,
})
const GOOD = { hasSucceeded: true, failures: 0 }
const WENT_ON = { made: 16, pauseMs: null, ...GOOD }

describe('a queue that goes well', () => {
  it('is served until it has less than was asked for: sixteen at first, then sixty-four, sixteen in flight', async () => {
    const serving = serve([16, 64, 3])
    await serving.answer(16, 200)
    expect(serving.state.sent).toBe(32)
    await serving.answer(67, 200)
    const last = { made: 3, pauseMs: 0, ...GOOD }
    expect(await serving.end()).toEqual([WENT_ON, { ...WENT_ON, made: 64 }, last])
    expect(serving.sizes).toEqual([16, 64, 64])
  })

  it('is returned when it has nothing more', async () => {
    const serving = serve([16])
    await serving.answer(16, 204)
    expect(await serving.end()).toEqual([WENT_ON, { made: 0, pauseMs: 0, hasSucceeded: true, failures: 0 }])
    expect(await serve([]).end()).toEqual([{ made: 0, pauseMs: 0, hasSucceeded: false, failures: 0 }])
  })

  it('is returned after two seconds, so that others get their turn', async () => {
    const serving = serve([16, 64], { claimedAtMs: performance.now() - 2001 })
    await serving.answer(16, 200)
    expect(await serving.end()).toEqual([{ made: 16, pauseMs: 0, ...GOOD }])
  })

  it('is not sent after ten seconds', async () => {
    const serving = serve([16], { claimedAtMs: performance.now() - 10_001 })
    expect(await serving.end()).toEqual([{ made: 0, pauseMs: 0, hasSucceeded: false, failures: 0 }])
  })
})

describe('a queue whose receiver fails', () => {
  it.each([
    [0, 4, 0],
    [0, 5, 5_000],
    [3, 1, 0],
    [4, 1, 5_000],
    [4, 2, 10_000],
  ])('rests after %i failures before and %i now for %i ms', async (failures, count, pauseMs) => {
    const serving = serve([count], { failures })
    await serving.answer(count, 500)
    expect(await serving.end()).toEqual([{ made: count, pauseMs, hasSucceeded: false, failures: count }])
  })

  it('counts only the failures since its last success', async () => {
    const serving = serve([16, 1], { failures: 4 })
    await serving.answer(16, 200)
    await serving.answer(1, 500)
    expect(await serving.end()).toEqual([WENT_ON, { made: 1, pauseMs: 0, hasSucceeded: true, failures: 1 }])
  })

  it('goes well if one of several was delivered', async () => {
    const serving = serve([3], { failures: 9 })
    await serving.answer(1, 500)
    await serving.answer(1, new NameNotResolvedError('ENOTFOUND'))
    await serving.answer(1, 200)
    expect(await serving.end()).toEqual([{ made: 3, pauseMs: 0, ...GOOD }])
  })

  it('gets no more requests after five failures in a row', async () => {
    const serving = serve([16, 64])
    await serving.answer(16, 200)
    await serving.answer(4, 500)
    await serving.answer(1, 200)
    await serving.answer(4, 500)
    // Each answer was followed by a request.
    expect(serving.state.sent).toBe(16 + 16 + 9)
    await serving.answer(1, 500)
    expect(serving.state.sent).toBe(16 + 16 + 9)
    await serving.answer(15, 500)
    expect(await serving.end()).toEqual([WENT_ON, { made: 25, pauseMs: 0, ...GOOD }])
  })

  it('rests for as long as it asks, or for as long as it has failed if that is longer', async () => {
    const asking = serve([2])
    await asking.answer(1, { status: 503, retryAfter: '20' })
    await asking.answer(1, { status: 429, retryAfter: '10' })
    expect(await asking.end()).toEqual([{ made: 2, pauseMs: 20_000, hasSucceeded: false, failures: 2 }])
    const failing = serve([1], { failures: 9 })
    await failing.answer(1, { status: 503, retryAfter: '10' })
    expect(await failing.end()).toMatchObject([{ pauseMs: 60_000 }])
    const busy = serve([16, 64])
    await busy.answer(15, 200)
    await busy.answer(1, { status: 429, retryAfter: '10' })
    expect(await busy.end()).toEqual([{ made: 16, pauseMs: 10_000, ...GOOD }])
  })

  it.each([
    ['gone', 410, false],
    ['failures', 500, true],
  ])('is disabled for %s, whatever else was answered', async (reason, status, hasFailedForLong) => {
    const serving = serve([2])
    serving.state.hasFailedForLong = hasFailedForLong
    await serving.answer(1, status)
    await serving.answer(1, 500)
    await serving.end()
    const [row] = await shared.many('select status, disabled_reason from webhook_endpoint where id = $1', [
      book.id('one'),
    ])
    expect(row).toEqual({ status: 'disabled', disabled_reason: reason })
  })
})

describe('a queue that cannot be sent now', () => {
  it('rests when our own DNS servers do not answer, and what was sent counts', async () => {
    const serving = serve([16, 64])
    await serving.answer(16, 200)
    await serving.answer(1, 200)
    await serving.answer(1, new ResolverFailureError('ETIMEOUT'))
    await serving.answer(15, 200)
    expect(serving.state.sent).toBe(16 + 17)
    expect(await serving.end()).toEqual([WENT_ON, { made: 16, pauseMs: 15_000, ...GOOD }])
    const alone = serve([1])
    await alone.answer(1, new ResolverFailureError('ETIMEOUT'))
    expect(await alone.end()).toEqual([{ made: 0, pauseMs: 15_000, hasSucceeded: false, failures: 0 }])
  })

  it('rests shortly when there is no slot, but not if others were sent', async () => {
    const none = serve([3], { slots: 0 })
    expect(await none.end()).toEqual([{ made: 0, pauseMs: 250, hasSucceeded: false, failures: 0 }])
    const some = serve([16, 64], { slots: 32 })
    await some.answer(32, 200)
    expect(await some.end()).toEqual([WENT_ON, { made: 16, pauseMs: 0, ...GOOD }])
  })

  it('is returned when the worker stops, after the requests in flight', async () => {
    const serving = serve([16, 64])
    await serving.answer(16, 200)
    serving.state.isStopping = true
    await serving.answer(16, 200)
    expect(await serving.end()).toEqual([WENT_ON, { made: 16, pauseMs: 0, ...GOOD }])
  })

  it('is not asked for by a worker that stops', async () => {
    const serving = serve([16, 64])
    await serving.answer(15, 200)
    serving.state.isStopping = true
    await serving.answer(1, 200)
    expect(await serving.end()).toEqual([WENT_ON, { made: 0, pauseMs: 0, ...GOOD }])
    expect(serving.sizes).toEqual([16])
  })

  it('is not recorded by a worker that has given up', async () => {
    const serving = serve([1])
    serving.state.hasGivenUp = true
    await serving.answer(1, 200)
    expect(await serving.end()).toEqual([])
  })
})
