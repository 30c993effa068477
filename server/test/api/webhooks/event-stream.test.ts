// GET /api/v1/events/stream: what arrives, in which order, from where on, and for whom.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectError } from '../expect-error.ts'
import { createCustomer, issueBody, send } from '../../support/operations.ts'
import type { TestCompany } from '../../support/harness.ts'
import { onCitus } from '../../support/on-citus.ts'
import { SseClient } from '../../support/sse.ts'
import { until } from '../../support/wait.ts'
import { emit } from '../../support/webhooks.ts'
import { startServer } from './server.ts'

// Feeds end with their last stream, so that polls have only the companies of one test.
const server = await startServer({}, { streamLimits: { checkMs: 20, beatMs: 40, keptMs: 0 } })
const clients: SseClient[] = []
let company: TestCompany
beforeEach(async () => {
  company = await server.createCompany()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

const PATH = '/api/v1/events/stream'
/** After this long no earlier event can become visible any more. */
const SETTLED_MS = 90_000
const open = async (options: { key?: string; query?: string; lastEventId?: string } = {}) => {
  const { key = company.key, ...rest } = options
  const client = await SseClient.open(server.baseUrl, key, rest)
  clients.push(client)
  expect(client.status).toBe(200)
  return client
}
/** Emits an event whose id has this time, and returns the object's id. */
const emitAt = async (at: Date, object = randomUUID()) => {
  await server.db.run({
    name: undefined,
    text: 'select emit_event($1, $2, $3, $4, $5, $6)',
    values: [company.id, 'sandbox', 'card.updated', object, { id: object }, at],
  })
  return object
}
const later = (ms: number) => new Date(server.clock.now().getTime() + ms)
const objects = (client: SseClient) => client.events.map(({ data }) => data.id)
const listIds = async () =>
  (await server.get<{ data: { id: string }[] }>('/api/v1/events?limit=100', company.key)).body.data.map(({ id }) => id)

describe('the answer', () => {
  it('is a stream that no proxy keeps back, with a hint when to connect again and signs of life', async () => {
    const client = await open()
    expect(client.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(client.headers.get('cache-control')).toBe('no-cache, no-store')
    expect(client.headers.get('x-accel-buffering')).toBe('no')
    await until('signs of life arrived', () => client.comments > 1)
    expect(client.retryMs).toBe(3000)
    expect(client.position).toMatch(/^pos_[0-9a-f]{32}$/)
  })

  it('has each event as the API shows it, and all events of an operation in their order', async () => {
    const customer = await createCustomer(server)
    const client = await open({ key: customer.key })
    const { body } = await send(server, customer, issueBody(customer), 'one')
    await until('the operation completed', () => client.events.some(({ type }) => type === 'operation.completed'))
    await client.has(4)
    const own = client.events.filter(({ data }) => data.id === body.id)
    expect(own.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['operation.queued', 1],
      ['operation.processing', 2],
      ['operation.completed', 3],
    ])
    for (const event of client.events) {
      expect((await server.get(`/api/v1/events/${event.id}`, customer.key)).body).toEqual(event)
    }
  })

  it('has only the types that were asked for', async () => {
    const client = await open({ query: '?types=card.created,webhook.ping' })
    await emit(server, company)
    const wanted = await emit(server, company, randomUUID(), 'card.created')
    await client.has(1)
    expect(objects(client)).toEqual([wanted])
  })

  it('has nothing of another company or environment', async () => {
    const other = await server.createCompany()
    const strangers = [
      await open({ key: other.key }),
      await open({ key: await server.createKey(company.id, { environment: 'live' }) }),
      await open({ key: other.key, query: `?after=${await firstId()}` }),
    ]
    const mine = await open()
    await emit(server, company)
    await mine.has(1)
    // Their own event comes after it, and is the first that they get.
    const theirs = await emit(server, other)
    for (const client of [strangers[0], strangers[2]]) {
      await client?.has(1)
      expect(client === undefined ? [] : objects(client)).toEqual([theirs])
    }
    expect(strangers[1]?.events).toEqual([])
  })

  /** An event of the company, which a stranger names as its position. */
  async function firstId(): Promise<string> {
    await emit(server, company)
    return (await listIds())[0] ?? ''
  }

  it('to HEAD has no body and opens no stream', async () => {
    const answer = await server.request('HEAD', PATH, { token: company.key })
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ])
  })
})

describe('an event that becomes visible after one with a later id', () => {
  it('arrives when its transaction commits', async () => {
    const client = await open()
    const slow = new pg.Client(server.connection)
    await slow.connect()
    try {
      const first = randomUUID()
      await slow.query('begin')
      await slow.query('select emit_event($1, $2, $3, $4, $5, $6)', [
        company.id,
        'sandbox',
        'card.updated',
        first,
        { id: first },
        later(-500),
      ])
      const second = await emit(server, company)
      await client.has(1)
      expect(objects(client)).toEqual([second])
      await slow.query('commit')
      await client.has(2)
      expect(objects(client)).toEqual([second, first])
    } finally {
      await slow.end()
    }
  })

  it('arrives even if it is more than a minute late', async () => {
    const client = await open()
    const second = await emit(server, company)
    await client.has(1)
    const first = await emitAt(later(-80_000))
    server.clock.advance(5_000)
    await client.has(2)
    expect(objects(client)).toEqual([second, first])
  })

  it('is not lost by a client that was gone when it became visible', async () => {
    const client = await open()
    server.clock.advance(85_000)
    await emit(server, company)
    await client.has(1)
    client.close()
    const late = await emitAt(later(-80_000))
    const resumed = await open({ lastEventId: client.position })
    await until('the late event arrived', () => objects(resumed).includes(late))
    expect(objects(resumed)).toHaveLength(2)
  })
})

describe('resuming', () => {
  it('with Last-Event-ID or `after` sends everything since, oldest first, and then what is new', async () => {
    const client = await open()
    await until('there is a position', () => client.position !== '')
    client.close()
    const missed: string[] = []
    for (let count = 0; count < 450; count += 1) missed.push(await emitAt(later(count)))
    server.clock.advance(1_000)
    for (const options of [{ lastEventId: client.position }, { query: `?after=${client.position}` }]) {
      const resumed = await open(options)
      await resumed.has(missed.length)
      missed.push(await emit(server, company))
      await resumed.has(missed.length)
      expect(objects(resumed)).toEqual(missed)
      resumed.close()
    }
  })

  it('repeats nothing once what was received is settled', async () => {
    const client = await open()
    await emit(server, company)
    await client.has(1)
    const before = client.position
    server.clock.advance(SETTLED_MS + 10_000)
    await until('the position advanced past the event', () => client.position > before && client.comments > 0)
    await until('the position is settled', () => client.position.slice(4) > (client.ids[0] ?? '').slice(4))
    client.close()
    const fresh = await emit(server, company)
    const resumed = await open({ lastEventId: client.position })
    await resumed.has(1)
    expect(objects(resumed)).toEqual([fresh])
  })

  it('from the id of an event leaves that event out', async () => {
    await emitAt(later(-100_000))
    const first = await emit(server, company)
    const [id = ''] = await listIds()
    server.clock.advance(1)
    const second = await emit(server, company)
    const resumed = await open({ query: `?after=${id}` })
    await resumed.has(1)
    expect(objects(resumed)).toEqual([second])
    expect(first).not.toBe(second)
  })

  it('prefers Last-Event-ID to `after`, as browsers need it', async () => {
    const client = await open()
    await until('there is a position', () => client.position !== '')
    const object = await emit(server, company)
    const [id = ''] = await listIds()
    const resumed = await open({ query: `?after=${id}`, lastEventId: client.position })
    await resumed.has(1)
    expect(objects(resumed)).toEqual([object])
  })

  it('a stream that had no event yet goes on from where it was opened, not from before', async () => {
    await emit(server, company)
    server.clock.advance(1)
    const client = await open()
    await until('there is a position', () => client.position !== '')
    client.close()
    const fresh = await emit(server, company)
    const resumed = await open({ lastEventId: client.position })
    await resumed.has(1)
    expect(objects(resumed)).toEqual([fresh])
  })

  it('again and again, while events commit in any order, loses nothing', async () => {
    const wanted = new Set<string>()
    const received = new Set<string>()
    let position = `pos_${later(-5_000).getTime().toString(16).padStart(12, '0').padEnd(32, '0')}`
    const state = { isWriting: true }
    const writer = async (seed: number) => {
      const db = new pg.Client(server.connection)
      await db.connect()
      for (let round = 0; round < 40; round += 1) {
        const object = randomUUID()
        const at = later(-((round * 37 * seed) % 1500))
        await db.query('begin')
        await db.query('select emit_event($1, $2, $3, $4, $5, $6)', [
          company.id,
          'sandbox',
          'card.updated',
          object,
          { id: object },
          at,
        ])
        server.clock.advance(50)
        await db.query(round % 9 === 8 ? 'rollback' : 'commit')
        if (round % 9 !== 8) wanted.add(object)
      }
      await db.end()
    }
    const reader = async () => {
      while (state.isWriting || [...wanted].some((object) => !received.has(object))) {
        const client = await open({ lastEventId: position })
        const target = received.size
        await until('something new arrived', () => {
          for (const { data } of client.events) received.add(data.id)
          return received.size > target || (!state.isWriting && [...wanted].every((object) => received.has(object)))
        })
        if (client.position !== '') position = client.position
        client.close()
      }
    }
    const reading = reader()
    await Promise.all([1, 2, 3].map(writer))
    state.isWriting = false
    await reading
    expect([...wanted].filter((object) => !received.has(object))).toEqual([])
    expect([...received].filter((object) => !wanted.has(object))).toEqual([])
  })

  it.each([
    ['no position', 'x'],
    ['an operation', `op_${'0'.repeat(32)}`],
    ['a position with capital letters', `pos_${'A'.repeat(32)}`],
  ])('from %s is refused', async (_name, text) => {
    expectError(await server.get(`${PATH}?after=${text}`, company.key), 'validation_failed')
    const headers = { 'last-event-id': text }
    const answer = await server.request('GET', PATH, { token: company.key, headers })
    expect(expectError(answer, 'validation_failed').message).toContain('Last-Event-ID must be')
  })

  it('from more than 30 days ago is refused, and says what to do', async () => {
    const old = (server.clock.now().getTime() - 31 * 86_400_000).toString(16).padStart(12, '0').padEnd(32, '0')
    const refusal = expectError(await server.get(`${PATH}?after=pos_${old}`, company.key), 'validation_failed')
    expect(refusal.message).toContain('connect without a position')
  })

  it('with an unknown type is refused, and lists the types', async () => {
    const refusal = expectError(
      await server.get(`${PATH}?types=card.created,card.lost`, company.key),
      'validation_failed',
    )
    expect(refusal.message).toContain('"card.lost" is not an event type')
    expect(refusal.message).toContain('operation.manual_review')
  })
})

describe('the cost', () => {
  it.skipIf(onCitus('one company'))(
    'is one statement per poll for all streams, and none without a stream',
    async () => {
      const other = await server.createCompany()
      const look = vi.spyOn(server.db, 'many')
      const polls = () =>
        look.mock.calls.map(([statement]) => statement).filter(({ text }) => text.includes('as f (company'))
      try {
        const many = [await open(), await open(), await open({ key: other.key })]
        const start = polls().length
        await until('the server polled', () => polls().length > start + 2)
        // The company with two streams is in each poll once.
        for (const { values } of polls().slice(start + 1)) expect((values[0] as string[]).length).toBeLessThanOrEqual(2)
        for (const client of many) client.close()
        await until('the streams are closed', async () => (await openStreams()) === 0)
        const end = polls().length
        // A poll may have been under way.
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        expect(polls().length - end).toBeLessThanOrEqual(1)
      } finally {
        look.mockRestore()
      }
    },
  )

  async function openStreams(): Promise<number> {
    const text = await (await fetch(`${server.baseUrl}/metrics`)).text()
    return Number(/^event_streams_open (\d+)$/m.exec(text)?.[1])
  }
})
