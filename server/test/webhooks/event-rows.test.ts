// Which endpoints an event goes to, at first and when it is sent again, and what that changes in the database.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resendEvent } from '../../src/webhooks/queries.ts'
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

const NOBODY = randomUUID()

describe('an event', () => {
  beforeEach(async () => {
    await book.addEndpoint('all')
    await book.addEndpoint('these', ['card.created', 'card.updated'])
    await book.addEndpoint('others', ['card.created'])
    await book.addEndpoint('away')
    await book.setEndpoint('away', { status: 'disabled', disabled_reason: 'gone' })
    const queues = { all: 60, these: -60, others: 60, away: null }
    for (const [name, seconds] of Object.entries(queues))
      await book.setQueue(name, { due_at: seconds === null ? null : book.at(seconds), not_before: book.at(90) })
    await book.addEvent('event')
    await book.addEvent('bystander')
  })
  const resend = (options: { event?: string; endpoint?: string; oldest?: Date } = {}) =>
    resendEvent(book.db, book.scope, options.event ?? book.id('event'), {
      now: book.now,
      oldest: options.oldest ?? book.at(-1000),
      endpointId: options.endpoint === undefined ? null : book.id(options.endpoint),
    })
  const added = (name: string) => ({
    endpoint_id: book.id(name),
    event_id: book.id('event'),
    status: 'pending',
    attempt_count: 0,
    resend_count: 0,
    due_at: book.now,
  })

  it('goes to the endpoints that ask for it and are enabled, and makes their queues due', async () => {
    await book.copyToOthers()
    const { companyId, environment } = book.scope
    const fanOut = (events: readonly string[] | null) =>
      shared.run('select fan_out($1, $2, $3, $4, $5)', [
        book.now,
        events?.map(() => companyId) ?? null,
        events?.map(() => environment) ?? null,
        events?.map((event) => book.id(event)) ?? null,
        events?.map(() => 'card.updated') ?? null,
      ])
    expect(await book.changesOf(() => fanOut(null))).toEqual({})
    expect(await book.changesOf(() => fanOut(['event']))).toEqual({
      'delivery all event': added('all'),
      'delivery these event': added('these'),
      'delivery_queue all': { due_at: book.now },
    })
  })

  it('is sent again from the start, to one endpoint or to all that ask for it', async () => {
    for (const [name, status] of Object.entries({ all: 'delivered', these: 'pending', away: 'failed' }))
      for (const event of ['event', 'bystander'])
        await book.addDelivery(name, event, { status, due_at: book.at(40), attempt_count: 4, resend_count: 1 })
    await book.copyToOthers()
    const started = { attempt_count: 0, resend_count: 2, due_at: book.now }
    const restarted = {
      'delivery all event': { ...started, status: 'pending' },
      'delivery_queue all': { due_at: book.now },
    }
    const sendsTo = (count: number | null, ...options: Parameters<typeof resend>) =>
      book.changesOf(async () => expect(await resend(...options)).toEqual({ deliveries: count }))
    expect(await sendsTo(1, { endpoint: 'all' })).toEqual(restarted)
    expect(await sendsTo(2)).toEqual({
      'delivery all event': { resend_count: 3 },
      'delivery these event': started,
    })
    expect(await sendsTo(0, { endpoint: 'away' })).toEqual({})
    expect(await sendsTo(0, { endpoint: 'others' })).toEqual({})
    expect(await sendsTo(null, { event: NOBODY })).toEqual({})
    expect(await sendsTo(null, { oldest: book.at(-499.999) })).toEqual({})
    expect(await sendsTo(1, { endpoint: 'these', oldest: book.at(-500) })).toEqual({
      'delivery these event': { resend_count: 3 },
    })
  })
})
