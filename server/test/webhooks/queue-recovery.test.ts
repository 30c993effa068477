// What a recovery makes due again, step by step, and nothing else.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId, ZERO_ID } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { webhookJobs } from '../../src/webhooks/jobs.ts'
import { createEndpoint, recoverDeliveries, startRecovery } from '../../src/webhooks/queries.ts'
import { createSecretBox } from '../../src/webhooks/secrets.ts'
import { Book } from '../ledger/book.ts'
import { isDistributed } from '../support/on-citus.ts'
import { QueueBook } from './queue-book.ts'

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

let shared: Book
let book: QueueBook
beforeAll(async () => {
  shared = await Book.open()
})
afterAll(() => shared.close())
beforeEach(async () => {
  book = await QueueBook.start(shared)
})

/** Returns whether there was a recovery to continue. */
const recover = async () => (await recoverDeliveries(book.db, book.now, ZERO_ID))?.endpoint_id !== null
const ENDED = { recover_after: null, recover_until: null }

describe('a recovery', () => {
  it('makes due what the endpoint asks for and has not acknowledged, from after the first event to the last', async () => {
    for (const name of ['one', 'sibling']) await book.addEndpoint(name, ['card.updated'])
    const due = { due_at: book.at(90), attempt_count: 3, resend_count: 2 }
    const events: Record<string, Record<string, unknown> | undefined> = {
      before: { ...due, status: 'failed' },
      missed: undefined,
      unwanted: undefined,
      failed: { ...due, status: 'failed' },
      waiting: due,
      'already due': { ...due, due_at: book.at(-90) },
      acknowledged: { ...due, status: 'delivered' },
      last: undefined,
      after: { ...due, status: 'failed' },
    }
    for (const [event, delivery] of Object.entries(events)) {
      await book.addEvent(event, { type: event === 'unwanted' ? 'card.created' : 'card.updated' })
      if (delivery !== undefined) for (const name of ['one', 'sibling']) await book.addDelivery(name, event, delivery)
    }
    await book.addEvent('ping', { type: 'webhook.ping', object: book.id('one') })
    await book.addEvent("sibling's ping", { type: 'webhook.ping', object: book.id('sibling') })
    // The events of the others are copies, but they recover nothing.
    await book.copyToOthers()
    await book.setQueue('one', { recover_after: book.id('before'), recover_until: book.id('last') })
    const row = { status: 'pending', attempt_count: 0, resend_count: 0, due_at: book.now }
    const added = (event: string) => ({ ...row, endpoint_id: book.id('one'), event_id: book.id(event) })
    let isFound: unknown
    const changes = await book.changesOf(async () => {
      isFound = await recover()
    })
    expect(isFound).toBe(true)
    expect(changes).toEqual({
      'delivery_queue one': { ...ENDED, due_at: book.now },
      'delivery one missed': added('missed'),
      'delivery one failed': { status: 'pending', attempt_count: 0, due_at: book.now },
      'delivery one waiting': { due_at: book.now },
      'delivery one last': added('last'),
    })
    await book.setQueue('one', { recover_after: book.id('after'), recover_until: LAST_ID })
    expect(await book.changesOf(recover)).toEqual({
      'delivery_queue one': ENDED,
      'delivery one ping': added('ping'),
    })
    expect(await book.changesOf(async () => expect(await recover()).toBe(false))).toEqual({})
  })

  it.each([
    ['that rests', { not_before: 60, due_at: 60 }, { not_before: 0, due_at: 0 }],
    ['that is idle', { not_before: -60, due_at: null }, { due_at: 0 }],
    ['that was due earlier', { not_before: -60, due_at: -60 }, {}],
    ['that a worker has', { not_before: 60, due_at: 60, worker_id: randomUUID() }, { due_at: 0 }],
    ['of a disabled endpoint', { not_before: 60, due_at: 60 }, { not_before: 0, due_at: null }],
  ])('wakes a queue %s', async (what, { not_before: notBefore, due_at: dueAt, ...more }, expected) => {
    for (const name of ['elder', 'one', 'sibling']) await book.addEndpoint(name)
    for (const name of ['elder', 'one', 'sibling'])
      await book.setQueue(name, {
        ...more,
        not_before: book.at(notBefore),
        due_at: dueAt === null ? null : book.at(dueAt),
      })
    for (const name of what.includes('disabled') ? ['one'] : ['elder', 'sibling'])
      await book.setEndpoint(name, { status: 'disabled', disabled_reason: 'request' })
    await book.copyToOthers()
    await book.setQueue('one', { recover_after: ZERO_ID, recover_until: LAST_ID })
    const times = Object.entries(expected).map(([column, value]) => [column, value === null ? null : book.at(value)])
    expect(await book.changesOf(recover)).toEqual({
      'delivery_queue one': { ...ENDED, ...(Object.fromEntries(times) as object) },
    })
  })

  it('goes on after a thousand events, and ends when there are fewer', async () => {
    await book.addEndpoint('one')
    const { companyId, environment } = book.scope
    await shared.run(
      `insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
       select $1, $2, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'card.updated', gen_random_uuid(), 2, '{}', $3
       from generate_series(0, 1001) n`,
      [companyId, environment, book.now],
    )
    await book.copyToOthers()
    const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
    await book.setQueue('one', { recover_after: idOf(0), recover_until: LAST_ID })
    const stateOf = async () => {
      const [row] = await shared.many(
        `select recover_after, recover_until, (select count(*)::int from delivery d where d.company_id = $1) as deliveries
         from delivery_queue where company_id = $1 and environment = $2`,
        [companyId, environment],
      )
      return row
    }
    expect(await recover()).toBe(true)
    expect(await stateOf()).toEqual({
      recover_after: idOf(1000),
      recover_until: LAST_ID,
      deliveries: 1000,
    })
    expect(await recover()).toBe(true)
    expect(await stateOf()).toEqual({ ...ENDED, deliveries: 1001 })
  })

  it('leaves alone an endpoint that somebody else is working on, and continues another', async () => {
    for (const name of ['one', 'two']) {
      await book.addEndpoint(name)
      await book.setQueue(name, { recover_after: ZERO_ID, recover_until: LAST_ID, due_at: book.at(-1) })
    }
    const other = new pg.Client(shared.connection)
    await other.connect()
    try {
      await other.query('begin')
      await other.query('select 1 from delivery_queue where company_id = $1 and endpoint_id = $2 for no key update', [
        book.scope.companyId,
        book.id('one'),
      ])
      expect(await book.changesOf(recover)).toEqual({ 'delivery_queue two': ENDED })
      expect(await recover()).toBe(false)
      await other.query('commit')
      expect(await book.changesOf(recover)).toEqual({ 'delivery_queue one': ENDED })
    } finally {
      await other.end()
    }
  })
})

describe('the job', () => {
  /** On Citus the company of each turn is chosen at random, so that some may have to wait for more of them. */
  const turnsOf = (count: number) => (isDistributed() ? 40 : count)
  interface Endpoint {
    readonly scope: Scope
    readonly id: string
  }
  /** Endpoints that are added later have higher ids. */
  async function addEndpoint(scope: Scope): Promise<Endpoint> {
    const secret = { id: newId(book.now), ciphertext: Buffer.from('secret'), keyId: 'key' }
    const id = newId(book.now)
    const endpoint = { id, url: 'https://example.com', events: ['*'], description: null, secret, limit: 100 }
    await createEndpoint(book.db, scope, book.now, endpoint)
    return { scope, id }
  }
  const start = ({ scope, id }: Endpoint) => startRecovery(book.db, scope, id, { after: ZERO_ID, until: LAST_ID })
  async function isOver({ id }: Endpoint): Promise<boolean> {
    const rows = await shared.many<{ recover_after: string | null }>(
      'select recover_after from delivery_queue where endpoint_id = $1',
      [id],
    )
    return must(rows[0]).recover_after === null
  }
  function createJob(): { run(): Promise<boolean>; rests(): number } {
    let rests = 0
    const rest = async () => void (rests += 1)
    const secretBox = createSecretBox(() => [Buffer.alloc(32, 1)])
    const jobs = webhookJobs({ db: book.db, clock: shared.clock, secretBox, retention: { eventsDays: 30 }, rest })
    const job = must(jobs.find(({ name }) => name === 'recoveries'))
    return { run: () => job.run(), rests: () => rests }
  }

  it.each(['earlier', 'later'])(
    'ends the recovery of a company while another, whose endpoint was added %s, starts one again and again',
    async (when) => {
      const [first, second] = [await addEndpoint(book.scope), await addEndpoint(must(book.others[1]))]
      const [busy, waiting] = when === 'earlier' ? [first, second] : [second, first]
      const job = createJob()
      await start(busy)
      expect(await job.run()).toBe(true)
      await start(waiting)
      for (let turn = 0; turn < turnsOf(2); turn += 1) {
        await start(busy)
        expect(await job.run()).toBe(true)
      }
      expect(await isOver(waiting)).toBe(true)
    },
  )

  it('ends recoveries while endpoints are added and recovered all the time', async () => {
    const job = createJob()
    const earlier = await addEndpoint(book.scope)
    await start(await addEndpoint(must(book.others[1])))
    await job.run()
    const later = await addEndpoint(book.scope)
    for (const endpoint of [earlier, later]) await start(endpoint)
    for (let turn = 0; turn < turnsOf(4); turn += 1) {
      await start(await addEndpoint(must(book.others[1])))
      await job.run()
    }
    expect([await isOver(earlier), await isOver(later)]).toEqual([true, true])
    while (await job.run());
  })

  it('rests after each turn, and not when there is nothing to do', async () => {
    const job = createJob()
    await start(await addEndpoint(book.scope))
    expect([await job.run(), job.rests()]).toEqual([true, 1])
    expect([await job.run(), job.rests()]).toEqual([false, 1])
  })
})
