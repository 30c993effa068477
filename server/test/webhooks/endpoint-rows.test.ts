// What each call about an endpoint changes in the database, and nothing else: neither an endpoint beside it, nor the same ids
// in the other environment or in another company.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  findEndpoint,
  pingEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../src/webhooks/queries.ts'
import { toEndpoint } from '../../src/webhooks/schema.ts'
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
const DISABLED = { status: 'disabled', disabled_reason: 'gone' }
const emptyQueue = () => ({ due_at: null, not_before: book.now, worker_id: null, failures: 0 })

describe('an endpoint', () => {
  it('is created with its queue and its secret, unless there are too many in this environment', async () => {
    const create = (name: string, limit: number) => {
      const secret = { id: book.name(`${name}'s secret`, newId(book.now)), ciphertext: Buffer.from('s'), keyId: 'key' }
      const id = book.name(name, newId(book.now))
      const endpoint = { id, url: 'https://example.com', events: ['*'], description: 'mine', secret, limit }
      return book.changesOf(async () => {
        expect(await createEndpoint(book.db, book.scope, book.now, endpoint)).toEqual({ made: name !== 'third' })
      })
    }
    const added = (name: string) => ({
      [`webhook_endpoint ${name}`]: {
        id: book.id(name),
        url: 'https://example.com',
        events: ['*'],
        description: 'mine',
        status: 'enabled',
        disabled_reason: null,
        created_at: book.now,
      },
      [`delivery_queue ${name}`]: expect.objectContaining({ ...emptyQueue(), endpoint_id: book.id(name) }) as object,
      [`webhook_secret ${name} ${name}'s secret`]: expect.objectContaining({
        ciphertext: Buffer.from('s'),
        key_id: 'key',
        created_at: book.now,
        expires_at: null,
      }) as object,
    })
    expect(await create('first', 2)).toEqual({ account: { has_endpoints: true }, ...added('first') })
    await book.copyToOthers()
    expect(await create('second', 2)).toEqual(added('second'))
    expect(await create('third', 2)).toEqual({})
  })

  describe('that is changed', () => {
    const update = (change: Parameters<typeof updateEndpoint>[4], id = book.id('one')) =>
      book.changesOf(async () => {
        const answer = await updateEndpoint(book.db, book.scope, id, book.now, change)
        expect(answer).toEqual({ found: id !== NOBODY })
      })
    const health = () => ({ failures: 3, failing_since: book.at(-70), last_success_at: book.at(-80) })

    beforeEach(async () => {
      for (const name of ['one', 'sibling']) {
        await book.addEndpoint(name)
        await book.setEndpoint(name, { description: 'before' })
        await book.setQueue(name, { ...health(), due_at: book.at(-60), not_before: book.at(60) })
      }
      const deliveries = { sent: ['delivered', -50], late: ['pending', 50], next: ['pending', 20] } as const
      for (const [event, [status, seconds]] of Object.entries(deliveries)) {
        await book.addEvent(event)
        await book.addDelivery('one', event, { status, due_at: book.at(seconds) })
        await book.addDelivery('sibling', event, { due_at: book.at(-90) })
      }
    })

    it('gets the given fields, and its queue goes on as before', async () => {
      await book.copyToOthers()
      const url = 'https://example.com/next'
      expect(await update({ url })).toEqual({ 'webhook_endpoint one': { url } })
      expect(await update({ events: ['card.created'] })).toEqual({
        'webhook_endpoint one': { events: ['card.created'] },
      })
      expect(await update({ description: 'after' })).toEqual({ 'webhook_endpoint one': { description: 'after' } })
      expect(await update({ description: '' })).toEqual({ 'webhook_endpoint one': { description: null } })
      expect(await update({ status: 'enabled' })).toEqual({})
      expect(await update({})).toEqual({})
      expect(await update({ url }, NOBODY)).toEqual({})
    })

    it('has no due queue while it is disabled, and keeps its health and the reason', async () => {
      await book.copyToOthers()
      expect(await update({ status: 'disabled' })).toEqual({
        'webhook_endpoint one': { status: 'disabled', disabled_reason: 'request' },
        'delivery_queue one': { due_at: null, not_before: book.now },
      })
      await book.setEndpoint('one', DISABLED)
      expect(await update({ status: 'disabled' })).toEqual({})
      expect(await update({ description: 'after' })).toEqual({ 'webhook_endpoint one': { description: 'after' } })
    })

    it('starts with a clean record and its first waiting delivery when it is enabled', async () => {
      await book.setEndpoint('one', DISABLED)
      await book.setQueue('one', { due_at: null })
      await book.copyToOthers()
      // Only after the copy: the others have other times.
      await shared.run(
        `update delivery set due_at = $3 where company_id = $1 and environment = $2 and status = 'pending'`,
        [book.scope.companyId, book.scope.environment, book.at(21)],
      )
      expect(await update({ status: 'enabled' })).toEqual({
        'webhook_endpoint one': { status: 'enabled', disabled_reason: null },
        'delivery_queue one': { failures: 0, failing_since: null, due_at: book.at(21), not_before: book.now },
      })
    })

    it('leaves the lease to the worker that has it', async () => {
      await book.setQueue('one', { worker_id: randomUUID() })
      expect(await update({ status: 'disabled' })).toEqual({
        'webhook_endpoint one': { status: 'disabled', disabled_reason: 'request' },
        'delivery_queue one': { due_at: null },
      })
      expect(await update({ status: 'enabled' })).toEqual({
        'webhook_endpoint one': { status: 'enabled', disabled_reason: null },
        'delivery_queue one': { failures: 0, failing_since: null, due_at: book.at(20) },
      })
    })
  })

  it('gets a new secret, and keeps the last three that still sign, until the end of the overlap', async () => {
    for (const name of ['one', 'sibling']) await book.addEndpoint(name)
    const add = (name: string, expiresAt: Date | null, endpoint = 'one') =>
      shared.run(
        `insert into webhook_secret (company_id, environment, endpoint_id, id, ciphertext, key_id, created_at, expires_at)
         values ($1, $2, $3, $4, 'x', 'key', $5, $6)`,
        [
          book.scope.companyId,
          book.scope.environment,
          book.id(endpoint),
          book.name(name, newId(book.now)),
          book.now,
          expiresAt,
        ],
      )
    await add('long', book.at(500))
    await add('short', book.at(50))
    await add('ended', book.now)
    for (const name of ['other', 'others', 'another']) await add(name, book.at(500), 'sibling')
    await book.copyToOthers()
    const rotate = (name: string, endpoint = book.id('one')) =>
      book.changesOf(async () => {
        const secret = { id: book.name(name, newId(book.now)), ciphertext: Buffer.from(name), keyId: 'key' }
        const answer = await rotateSecret(book.db, book.scope, endpoint, book.now, { secret, oldUntil: book.at(100) })
        expect(answer).toEqual({ rotated: endpoint !== NOBODY })
      })
    const added = (name: string) => ({
      [`webhook_secret one ${name}`]: {
        endpoint_id: book.id('one'),
        id: book.id(name),
        ciphertext: Buffer.from(name),
        key_id: 'key',
        created_at: book.now,
        expires_at: null,
      },
    })
    expect(await rotate('next')).toEqual({
      ...added('next'),
      "webhook_secret one one's secret": { expires_at: book.at(100) },
      'webhook_secret one long': { expires_at: book.at(100) },
      'webhook_secret one ended': null,
    })
    expect(await rotate('newest')).toEqual({
      ...added('newest'),
      'webhook_secret one next': { expires_at: book.at(100) },
      "webhook_secret one one's secret": null,
    })
    expect(await rotate('nothing', NOBODY)).toEqual({})
  })

  it('is deleted with its secret and its queue, and its deliveries stay', async () => {
    for (const name of ['one', 'sibling']) await book.addEndpoint(name)
    await book.addEvent('event')
    for (const name of ['one', 'sibling']) await book.addDelivery(name, 'event')
    await book.copyToOthers()
    const remove = () => deleteEndpoint(book.db, book.scope, book.id('one'))
    expect(await book.changesOf(async () => expect(await remove()).toEqual({ deleted: true }))).toEqual({
      'webhook_endpoint one': null,
      'delivery_queue one': null,
      "webhook_secret one one's secret": null,
    })
    expect(await book.changesOf(async () => expect(await remove()).toEqual({ deleted: false }))).toEqual({})
  })

  it('gets a ping of its own, unless it is disabled', async () => {
    for (const name of ['one', 'sibling']) await book.addEndpoint(name, ['card.created'])
    await book.setQueue('one', { failures: 3, failing_since: book.at(-70), last_success_at: book.at(-80) })
    await book.copyToOthers()
    const ping = () => pingEndpoint(book.db, book.scope, book.id('one'), book.now)
    const row = await findEndpoint(book.db, book.scope, book.id('one'))
    const changes = await book.changesOf(async () => {
      book.name('ping', (await ping())?.event_id ?? '')
    })
    expect(changes).toEqual({
      'delivery_queue one': { due_at: book.now },
      'event ping': expect.objectContaining({ type: 'webhook.ping', data: row && toEndpoint(row) }) as object,
      'delivery one ping': expect.objectContaining({ status: 'pending', due_at: book.now, attempt_count: 0 }) as object,
    })
    await book.setEndpoint('one', DISABLED)
    expect(await book.changesOf(async () => expect(await ping()).toEqual({ event_id: null }))).toEqual({})
  })

  it('is disabled by the server once, with an event for those that ask for it', async () => {
    for (const name of ['one', 'sibling']) await book.addEndpoint(name)
    await book.addEndpoint('other', ['card.created'])
    for (const name of ['one', 'sibling', 'other']) await book.setQueue(name, { due_at: book.at(60), failures: 2 })
    await book.copyToOthers()
    const disable = () => disableEndpoint(book.db, book.key('one'), book.now, 'gone')
    const changes = await book.changesOf(async () => expect(await disable()).toEqual({ disabled: true }))
    const row = await findEndpoint(book.db, book.scope, book.id('one'))
    expect(changes).toEqual({
      'webhook_endpoint one': DISABLED,
      'delivery_queue one': { due_at: null },
      'delivery_queue sibling': { due_at: book.now },
      'event new': expect.objectContaining({ type: 'webhook.disabled', data: row && toEndpoint(row) }) as object,
      'delivery sibling new': expect.objectContaining({ status: 'pending', due_at: book.now }) as object,
    })
    expect(await book.changesOf(async () => expect(await disable()).toEqual({ disabled: false }))).toEqual({})
  })
})
