// Queues are locked before anything else that belongs to an endpoint, everywhere. Another transaction has a lock; the call must wait for it
// while it has no lock itself that such a transaction could want next, or it must not wait at all.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import type { Scope } from '../../src/lib/scope.ts'
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  pingEndpoint,
  recordAttempts,
  resendEvent,
  rotateSecret,
  updateEndpoint,
} from '../../src/webhooks/queries.ts'
import { Book } from '../ledger/book.ts'
import { selectWaiting } from '../support/on-citus.ts'
import { until } from '../support/wait.ts'
import { QueueBook } from './queue-book.ts'

let shared: Book
let book: QueueBook
beforeAll(async () => {
  shared = await Book.open()
})
afterAll(() => shared.close())
beforeEach(async () => {
  book = await QueueBook.start(shared)
  for (const name of ['one', 'sibling']) await book.addEndpoint(name)
  await book.addEvent('event')
  for (const name of ['one', 'sibling']) {
    await book.setQueue(name, { due_at: book.at(-1), worker_id: worker })
    await book.addDelivery(name, 'event')
  }
  await book.copyToOthers()
})

const worker = randomUUID()
const secret = () => ({ id: newId(book.now), ciphertext: Buffer.from('x'), keyId: 'key' })
const record = (isLast: boolean) => {
  const attempt = {
    event_id: book.id('event'),
    id: newId(book.now),
    number: 1,
    resend_count: 0,
    status: 'pending' as const,
    status_code: 500,
    error: null,
    latency_ms: 1,
    response: null,
    started_at: book.now,
    due_at: book.now,
  }
  const outcome = { attempts: [attempt], hasSucceeded: false, failures: 1 }
  const round = { queue: book.key('one'), until: isLast ? book.now : null, ...outcome }
  return recordAttempts(book.db, book.now, worker, book.at(-1), [round])
}
const fanOut = () => {
  const { companyId, environment } = book.scope
  const values = [book.now, [companyId], [environment], [randomUUID()], ['card.updated']]
  return shared.run('select fan_out($1, $2, $3, $4, $5)', values)
}
/** Calls that are about the endpoint `one`. */
const OF_ONE: Record<string, () => Promise<unknown>> = {
  'a change of its address': () =>
    updateEndpoint(book.db, book.scope, book.id('one'), book.now, { url: 'https://example.com/next' }),
  'a change of its status': () => updateEndpoint(book.db, book.scope, book.id('one'), book.now, { status: 'disabled' }),
  'a new secret': () =>
    rotateSecret(book.db, book.scope, book.id('one'), book.now, { secret: secret(), oldUntil: book.now }),
  'its end': () => deleteEndpoint(book.db, book.scope, book.id('one')),
  'a ping': () => pingEndpoint(book.db, book.scope, book.id('one'), book.now),
  'a round that goes on': () => record(false),
  'a round that ends': () => record(true),
}
/** Calls that are about all endpoints of the company in this environment. */
const OF_ALL: Record<string, () => Promise<unknown>> = {
  'an event that is sent again': () =>
    resendEvent(book.db, book.scope, book.id('event'), { now: book.now, oldest: book.at(-1000), endpointId: null }),
  'an event that is sent again to one': () =>
    resendEvent(book.db, book.scope, book.id('event'), {
      now: book.now,
      oldest: book.at(-1000),
      endpointId: book.id('one'),
    }),
  'a decision to disable it': () => disableEndpoint(book.db, book.key('one'), book.now, 'gone'),
}
const EVENT = { 'a new event': fanOut }

/** Reports whether the call waits for a transaction that has locked these rows, and what that transaction could not lock then. */
async function meet(call: () => Promise<unknown>, lock: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client(shared.connection)
  await client.connect()
  try {
    await client.query('begin')
    await lock(client)
    let hasEnded = false
    const ended = call().finally(() => (hasEnded = true))
    await until('the call waits or ends', async () => hasEnded || (await book.db.many(selectWaiting())).length > 0)
    const waits = !hasEnded
    const blocked: string[] = []
    if (waits)
      for (const table of ['webhook_endpoint', 'delivery', 'webhook_secret'])
        try {
          await client.query('savepoint s')
          await client.query(`select 1 from ${table} where company_id = $1 for update nowait`, [book.scope.companyId])
        } catch {
          await client.query('rollback to s')
          blocked.push(table)
        }
    await client.query('commit')
    await ended
    return { waits, blocked }
  } finally {
    await client.end()
  }
}
const lockQueue =
  (endpoint: string, { companyId, environment }: Scope) =>
  (client: pg.Client) =>
    client.query(
      'select 1 from delivery_queue where company_id = $1 and environment = $2 and endpoint_id = $3 for no key update',
      [companyId, environment, book.id(endpoint)],
    )
const lockAccount =
  ({ companyId, environment }: Scope) =>
  (client: pg.Client) =>
    client.query('select 1 from account where company_id = $1 and environment = $2 for no key update', [
      companyId,
      environment,
    ])
const WAITS = { waits: true, blocked: [] }
const GOES_ON = { waits: false, blocked: [] }

describe('locks', () => {
  it.each(Object.entries({ ...OF_ONE, ...OF_ALL, ...EVENT }))('%s waits for the queue first', async (_what, call) => {
    expect(await meet(call, lockQueue('one', book.scope))).toEqual(WAITS)
  })

  it.each(Object.entries(OF_ONE))('%s does not wait for the queue of another endpoint', async (_what, call) => {
    expect(await meet(call, lockQueue('sibling', book.scope))).toEqual(GOES_ON)
  })

  it.each(Object.entries(OF_ALL))('%s waits for all queues of the company', async (_what, call) => {
    expect(await meet(call, lockQueue('sibling', book.scope))).toEqual(WAITS)
  })

  it.each(Object.entries({ ...OF_ONE, ...OF_ALL, ...EVENT }))('%s waits for nobody else', async (_what, call) => {
    const lockOthers = async (client: pg.Client) => {
      for (const scope of book.others) for (const name of ['one', 'sibling']) await lockQueue(name, scope)(client)
    }
    expect(await meet(call, lockOthers)).toEqual(GOES_ON)
  })

  it('a new endpoint waits for the account, so that the endpoints are counted one by one, and for no other account', async () => {
    const create = () => {
      const endpoint = { id: newId(book.now), url: 'https://example.com', events: ['*'], description: null, limit: 100 }
      return createEndpoint(book.db, book.scope, book.now, { ...endpoint, secret: secret() })
    }
    expect(await meet(create, lockAccount(book.scope))).toEqual(WAITS)
    const lockOthers = async (client: pg.Client) => {
      for (const scope of book.others) await lockAccount(scope)(client)
    }
    expect(await meet(create, lockOthers)).toEqual(GOES_ON)
  })
})
