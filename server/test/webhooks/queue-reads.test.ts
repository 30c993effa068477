// What is read of endpoints, attempts, secrets and queues, beside others that have the same ids.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { LATEST_TIME, NEWEST_ID } from '../../src/lib/slice.ts'
import { reencryptSome } from '../../src/webhooks/jobs.ts'
import {
  findEndpoint,
  listAttempts,
  listEndpointAttempts,
  listEndpoints,
  measureQueues,
  replaceSecret,
  type SecretRow,
  startRecovery,
} from '../../src/webhooks/queries.ts'
import { createSecretBox } from '../../src/webhooks/secrets.ts'
import { Book } from '../ledger/book.ts'
import { QueueBook } from './queue-book.ts'

const pageAfter = (after: string, limit = 1) => ({ after, afterTime: LATEST_TIME, limit })
const ALL = pageAfter(NEWEST_ID, 100)

let shared: Book
let book: QueueBook
beforeAll(async () => {
  shared = await Book.open()
})
afterAll(() => shared.close())
beforeEach(async () => {
  book = await QueueBook.start(shared)
})

const addAttempt = (endpoint: string, event: string, name: string) =>
  shared.run(
    `insert into webhook_attempt (company_id, environment, event_id, id, endpoint_id, number, status_code, latency_ms, started_at)
     values ($1, $2, $3, $4, $5, 1, 500, 1, $6)`,
    [
      book.scope.companyId,
      book.scope.environment,
      book.id(event),
      book.name(name, newId(book.now)),
      book.id(endpoint),
      book.now,
    ],
  )

describe('the endpoints', () => {
  it('are found and listed with the health of their own queues, the newest first, page by page', async () => {
    const names = ['first', 'second', 'third']
    for (const [index, name] of names.entries()) {
      await book.addEndpoint(name)
      await book.setQueue(name, { failures: index, last_success_at: book.at(-index), failing_since: book.at(index) })
    }
    await book.copyToOthers()
    await shared.run('update delivery_queue set failures = 9 where (company_id, environment) <> ($1, $2)', [
      book.scope.companyId,
      book.scope.environment,
    ])
    const shown = (index: number) => ({
      id: book.id(names[index] ?? ''),
      environment: 'sandbox',
      url: `https://${names[index]}.example.com`,
      failures: index,
      last_success_at: book.at(-index),
      failing_since: book.at(index),
    })
    for (const index of [0, 1, 2])
      expect(await findEndpoint(book.db, book.scope, book.id(names[index] ?? ''))).toMatchObject(shown(index))
    expect(await findEndpoint(book.db, book.scope, randomUUID())).toBeUndefined()
    expect(await listEndpoints(book.db, book.scope, ALL)).toMatchObject([shown(2), shown(1), shown(0)])
    expect(await listEndpoints(book.db, book.scope, pageAfter(book.id('third')))).toMatchObject([shown(1)])
    expect(await listEndpoints(book.db, book.scope, pageAfter(book.id('first')))).toEqual([])
  })

  it('begin a recovery one by one', async () => {
    for (const name of ['one', 'sibling']) await book.addEndpoint(name)
    await book.copyToOthers()
    const range = { after: newId(book.now), until: newId(book.now) }
    expect(await book.changesOf(() => startRecovery(book.db, book.scope, book.id('one'), range))).toEqual({
      'delivery_queue one': { recover_after: range.after, recover_until: range.until },
    })
  })
})

describe('the attempts', () => {
  const NAMES = [
    'old',
    'other event',
    "sibling's",
    'new',
    'delivered',
    'disabled attempt',
    'rested attempt',
    'worked attempt',
  ]
  const listed = (rows: readonly { id: string; next_attempt_at: Date | null }[]) => {
    const shown = rows.map((row) => [NAMES.find((name) => book.id(name) === row.id), row.next_attempt_at])
    return Object.fromEntries(shown) as Record<string, Date | null>
  }
  beforeEach(async () => {
    for (const name of ['one', 'sibling', 'disabled', 'rested', 'worked']) {
      await book.addEndpoint(name)
      await book.setQueue(name, { due_at: book.at(10), not_before: book.at(-10) })
    }
    await book.setQueue('disabled', { due_at: null })
    await book.setQueue('rested', { not_before: book.at(90) })
    await book.setQueue('worked', { not_before: book.at(90), worker_id: randomUUID() })
    for (const event of ['event', 'other', 'done']) await book.addEvent(event)
    await book.addDelivery('one', 'event', { due_at: book.at(20) })
    await book.addDelivery('one', 'other', { due_at: book.at(30) })
    await book.addDelivery('one', 'done', { due_at: book.at(40), status: 'delivered' })
    await book.addDelivery('sibling', 'event', { due_at: book.at(50) })
    for (const name of ['disabled', 'rested', 'worked']) await book.addDelivery(name, 'event', { due_at: book.at(60) })
    await addAttempt('one', 'event', 'old')
    await addAttempt('one', 'other', 'other event')
    await addAttempt('sibling', 'event', "sibling's")
    await addAttempt('one', 'event', 'new')
    await addAttempt('one', 'done', 'delivered')
    for (const name of ['disabled', 'rested', 'worked']) await addAttempt(name, 'event', `${name} attempt`)
    await book.copyToOthers()
    await shared.run(`update delivery set due_at = $3 where (company_id, environment) <> ($1, $2)`, [
      book.scope.companyId,
      book.scope.environment,
      book.at(3600),
    ])
  })
  it('of an event have the time of the next one at the newest of each endpoint, while it waits', async () => {
    const rows = await listAttempts(book.db, book.scope, book.id('event'), ALL)
    expect(listed(rows)).toEqual({
      'worked attempt': book.at(60),
      'rested attempt': book.at(90),
      'disabled attempt': null,
      new: book.at(20),
      "sibling's": book.at(50),
      old: null,
    })
    expect(rows.map(({ id }) => id)).toEqual(
      rows
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    expect(rows).toHaveLength(6)
    const page = await listAttempts(book.db, book.scope, book.id('event'), pageAfter(book.id('new')))
    expect(listed(page)).toEqual({ "sibling's": book.at(50) })
    expect(listed(await listAttempts(book.db, book.scope, book.id('done'), ALL))).toEqual({ delivered: null })
  })

  it('of an endpoint have it at the newest of each event', async () => {
    const rows = await listEndpointAttempts(book.db, book.scope, book.id('one'), ALL)
    expect(listed(rows)).toEqual({
      delivered: null,
      new: book.at(20),
      'other event': book.at(30),
      old: null,
    })
    expect(rows.map(({ id }) => id)).toEqual(
      rows
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    expect(rows).toHaveLength(4)
    const page = await listEndpointAttempts(book.db, book.scope, book.id('one'), pageAfter(book.id('new')))
    expect(listed(page)).toEqual({ 'other event': book.at(30) })
    const times = { rested: 90, worked: 60 }
    for (const [name, seconds] of Object.entries(times)) {
      const own = await listEndpointAttempts(book.db, book.scope, book.id(name), ALL)
      expect(listed(own)).toEqual({ [`${name} attempt`]: book.at(seconds) })
    }
    const disabled = await listEndpointAttempts(book.db, book.scope, book.id('disabled'), ALL)
    expect(listed(disabled)).toEqual({ 'disabled attempt': null })
  })
})

describe('the measures', () => {
  it('count the queues that are due, those that fail apart, and have the oldest of each', async () => {
    await shared.run('update delivery_queue set due_at = null')
    const queues = {
      now: [0, 0],
      older: [-20, 0],
      later: [1, 0],
      idle: [null, 0],
      failing: [0, 1],
      'failing-older': [-30, 2],
      'failing-later': [1, 1],
      'failing-idle': [null, 1],
    } as const
    for (const [name, [seconds, failures]] of Object.entries(queues)) {
      await book.addEndpoint(name)
      const row = { due_at: seconds === null ? null : book.at(seconds), failures }
      await book.setQueue(name, row)
    }
    expect(await measureQueues(book.db, book.now)).toEqual([
      { failing: false, due: 2, oldest: book.at(-20) },
      { failing: true, due: 2, oldest: book.at(-30) },
    ])
    await book.setQueue('older', { due_at: null })
    await book.setQueue('failing-older', { due_at: null })
    expect(await measureQueues(book.db, book.now)).toEqual([
      { failing: false, due: 1, oldest: book.now },
      { failing: true, due: 1, oldest: book.now },
    ])
  })
})

describe('the secrets', () => {
  it('are replaced one by one, and only if nobody else has done it', async () => {
    for (const name of ['one', 'sibling']) await book.addEndpoint(name)
    const id = book.id("one's secret")
    await book.copyToOthers()
    // The endpoint beside it has a secret with the same id, and this one has another secret.
    await shared.run(
      `insert into webhook_secret select company_id, environment, $1, id, ciphertext, key_id, created_at, expires_at from webhook_secret where id = $2`,
      [book.id('sibling'), id],
    )
    await shared.run(
      `insert into webhook_secret select company_id, environment, endpoint_id, gen_random_uuid(), ciphertext, key_id, created_at, expires_at
       from webhook_secret where endpoint_id = $1`,
      [book.id('one')],
    )
    const row: SecretRow = { ...book.key('one'), id, ciphertext: Buffer.from('one'), key_id: 'key' }
    const replace = () => replaceSecret(book.db, book.scope, row, { ciphertext: Buffer.from('new'), keyId: 'next' })
    expect(await book.changesOf(replace)).toEqual({
      "webhook_secret one one's secret": { ciphertext: Buffer.from('new'), key_id: 'next' },
    })
    expect(await book.changesOf(replace)).toEqual({})
  })

  it('of an older key are encrypted again, a hundred at a time', async () => {
    await shared.run('delete from webhook_secret')
    await book.addEndpoint('one')
    await shared.run('delete from webhook_secret')
    const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const before = createSecretBox(() => [older])
    const box = createSecretBox(() => [newer, older])
    for (let count = 0; count < 101; count += 1) {
      const id = newId(book.now)
      const by = count === 0 ? box : before
      const { ciphertext, keyId } = by.encrypt({ scope: book.scope, endpointId: book.id('one'), id }, `secret ${count}`)
      await shared.run(
        `insert into webhook_secret (company_id, environment, endpoint_id, id, ciphertext, key_id, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [book.scope.companyId, book.scope.environment, book.id('one'), id, ciphertext, keyId, book.now],
      )
    }
    expect(await reencryptSome(book.db, box)).toBe(true)
    expect(await shared.many('select distinct key_id from webhook_secret')).toEqual([{ key_id: box.keyId() }])
    expect(await reencryptSome(book.db, box)).toBe(false)
  })
})
