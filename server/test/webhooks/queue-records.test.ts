// What the outcome of a round changes in its queue, its deliveries and the log, and nowhere else.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AttemptRecord, recordAttempts, type Round } from '../../src/webhooks/queries.ts'
import { newId } from '../../src/lib/ids.ts'
import { Book } from '../ledger/book.ts'
import { QueueBook } from './queue-book.ts'

let shared: Book
let book: QueueBook
beforeAll(async () => {
  shared = await Book.open()
})
afterAll(() => shared.close())
beforeEach(async () => {
  book = await QueueBook.start(shared)
})

const worker = randomUUID()
const attempt = (event: string, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  event_id: book.id(event),
  id: newId(book.now),
  number: 1,
  resend_count: 0,
  status: 'pending',
  status_code: 500,
  error: null,
  latency_ms: 7,
  response: 'no',
  started_at: book.at(-1),
  due_at: book.at(60),
  ...more,
})
const round = (endpoint: string, more: Partial<Round> = {}): Round => ({
  queue: book.key(endpoint),
  attempts: [],
  until: book.at(5),
  hasSucceeded: false,
  failures: 0,
  ...more,
})
const record = (rounds: readonly Round[], failingLimit = book.at(-900)) =>
  recordAttempts(book.db, book.now, worker, failingLimit, rounds)

describe('a recorded round', () => {
  it('changes the health of its queue by its outcome, and returns the queues that have failed for too long', async () => {
    const failing = { failing_since: book.at(-900), failures: 3, last_success_at: book.at(-950) }
    const released = { worker_id: null, not_before: book.at(5) }
    const none = { hasSucceeded: false, failures: 0 }
    const states = {
      nothing: [failing, none, {}],
      good: [failing, { hasSucceeded: true }, { failing_since: null, failures: 0, last_success_at: book.now }],
      turned: [
        failing,
        { hasSucceeded: true, failures: 1 },
        { failing_since: book.now, failures: 1, last_success_at: book.now },
      ],
      first: [{}, { failures: 1 }, { failing_since: book.now, failures: 1 }],
      long: [failing, { failures: 1 }, { failures: 4 }],
      short: [{ ...failing, failing_since: book.at(-899.999) }, { failures: 2 }, { failures: 5 }],
    } as const
    for (const [name, [before]] of Object.entries(states)) {
      await book.addEndpoint(name)
      await book.setQueue(name, { worker_id: worker, not_before: book.at(30), ...before })
    }
    await book.addEndpoint('bystander')
    await book.setQueue('bystander', { worker_id: worker, not_before: book.at(30), ...failing })
    await book.copyToOthers()
    let returned: unknown[] = []
    const changes = await book.changesOf(async () => {
      returned = await record(Object.entries(states).map(([name, [, outcome]]) => round(name, outcome)))
    })
    expect(changes).toEqual(
      Object.fromEntries(
        Object.entries(states).map(([name, [, , after]]) => [`delivery_queue ${name}`, { ...released, ...after }]),
      ),
    )
    expect(returned).toEqual([book.key('long')])
  })

  it('makes the queue due with its first delivery that still waits, and not at all if it is disabled', async () => {
    const queues = ['waiting', 'idle', 'disabled']
    for (const name of queues) await book.addEndpoint(name)
    await book.setEndpoint('disabled', { status: 'disabled', disabled_reason: 'request' })
    for (const name of queues) await book.setQueue(name, { worker_id: worker, due_at: book.at(-50) })
    for (const event of ['one', 'two', 'three', 'four']) await book.addEvent(event)
    for (const name of ['waiting', 'disabled']) {
      await book.addDelivery(name, 'one', { due_at: book.at(-20), status: 'delivered' })
      await book.addDelivery(name, 'two', { due_at: book.at(40) })
      await book.addDelivery(name, 'three', { due_at: book.at(20) })
    }
    await book.addDelivery('idle', 'one', { due_at: book.at(-20), status: 'failed' })
    await book.copyToOthers()
    // Only after the copy, so that the others have an earlier one.
    await book.addDelivery('waiting', 'four', { due_at: book.at(30) })
    const released = { worker_id: null, not_before: book.at(5) }
    expect(await book.changesOf(() => record(queues.map((name) => round(name))))).toEqual({
      'delivery_queue waiting': { ...released, due_at: book.at(20) },
      'delivery_queue idle': { ...released, due_at: null },
      'delivery_queue disabled': { ...released, due_at: null },
    })
  })

  it('changes the deliveries that it was about, if they are as they were, and writes every attempt into the log', async () => {
    for (const name of ['kept', 'sibling']) {
      await book.addEndpoint(name)
      await book.setQueue(name, { worker_id: worker, due_at: book.at(-50), not_before: book.at(30) })
    }
    const events = ['done', 'again', 'over', 'acknowledged', 'counted', 'asked', 'untouched']
    for (const event of events) {
      await book.addEvent(event)
      for (const name of ['kept', 'sibling']) await book.addDelivery(name, event, { attempt_count: 2, resend_count: 1 })
    }
    const set = (event: string, text: string) =>
      shared.run(`update delivery set ${text} where event_id = $1 and endpoint_id = $2`, [
        book.id(event),
        book.id('kept'),
      ])
    await set('acknowledged', `status = 'delivered'`)
    await set('counted', 'attempt_count = 3')
    await set('asked', 'resend_count = 2')
    await book.copyToOthers()
    const same = { number: 3, resend_count: 1 }
    const attempts = [
      attempt('done', { ...same, status: 'delivered', status_code: 200, due_at: null }),
      attempt('again', { ...same, due_at: book.at(61) }),
      attempt('over', { ...same, status: 'failed', status_code: null, error: 'cut', due_at: null, response: null }),
      attempt('acknowledged', same),
      attempt('counted', same),
      attempt('asked', same),
    ]
    const rounds = [round('kept', { attempts, until: null, hasSucceeded: true, failures: 9 })]
    const logged = attempts.map(
      ({ event_id: _event, resend_count: _count, status: _status, due_at: _due, ...row }) => row,
    )
    expect(await book.changesOf(() => record(rounds))).toEqual({
      'delivery kept done': { status: 'delivered', attempt_count: 3 },
      'delivery kept again': { attempt_count: 3, due_at: book.at(61) },
      'delivery kept over': { status: 'failed', attempt_count: 3 },
      ...Object.fromEntries(
        logged.map((row, index) => {
          const key = { event_id: book.id(events[index] ?? ''), endpoint_id: book.id('kept') }
          return [`webhook_attempt kept ${events[index]}`, { ...row, ...key }]
        }),
      ),
    })
    expect(await book.changesOf(() => record(rounds))).toEqual({})
  })

  it('changes nothing of a queue whose lease another worker has, and everything of the queue beside it', async () => {
    for (const name of ['mine', 'lost']) {
      await book.addEndpoint(name)
      await book.addEvent(`event of ${name}`)
      await book.addDelivery(name, `event of ${name}`)
    }
    await book.setQueue('mine', { worker_id: worker, due_at: book.now, not_before: book.at(30) })
    await book.setQueue('lost', { worker_id: randomUUID(), due_at: book.now, not_before: book.at(30) })
    await book.copyToOthers()
    const rounds = ['mine', 'lost'].map((name) => round(name, { attempts: [attempt(`event of ${name}`)], failures: 1 }))
    let returned: unknown[] = []
    const changes = await book.changesOf(async () => {
      returned = await record(rounds, book.now)
    })
    expect(Object.keys(changes).toSorted()).toEqual([
      'delivery mine event of mine',
      'delivery_queue mine',
      'webhook_attempt mine event of mine',
    ])
    expect(returned).toEqual([book.key('mine')])
  })
})
