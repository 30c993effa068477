// The limits of event streams: how many, how long, how slow a reader may be, whose key ends, and how the server stops.
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { firstIdAt } from '../../../src/lib/ids.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createEventStreams } from '../../../src/events/stream/streams.ts'
import { expectError } from '../expect-error.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { SseClient } from '../../support/sse.ts'
import { until } from '../../support/wait.ts'
import { startServer } from './server.ts'

const LIMITS = { checkMs: 20, beatMs: 20, perCompany: 2, perProcess: 3, bufferBytesMax: 64 * 1024 }
const server = await startServer({}, { streamLimits: LIMITS })
const clients: SseClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await until('no stream is open', async () => (await countOpen()) === 0)
})

const PATH = '/api/v1/events/stream'
const open = async (key: string, from = server) => {
  const client = await SseClient.open(from.baseUrl, key)
  clients.push(client)
  expect(client.status).toBe(200)
  return client
}
async function countOpen(): Promise<number> {
  const text = await (await fetch(`${server.baseUrl}/metrics`)).text()
  return Number(/^event_streams_open (\d+)$/m.exec(text)?.[1])
}

describe('the number of streams', () => {
  it('of a company is limited, in both environments together, and a closed stream makes room', async () => {
    const company = await server.createCompany()
    const live = await server.createKey(company.id, { environment: 'live' })
    const first = await open(company.key)
    await open(live)
    const answer = await server.get(PATH, company.key)
    expect(expectError(answer, 'event_stream_limit').message).toContain('2 event streams open already')
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(answer.headers.get('content-type')).toContain('application/json')
    // A refused stream leaves nothing behind.
    expect(await countOpen()).toBe(2)
    first.close()
    await until('there is room', async () => (await countOpen()) === 1)
    await open(company.key)
    expectError(await server.get(PATH, company.key), 'event_stream_limit')
    for (const client of clients) client.close()
    await until('all are closed', async () => (await countOpen()) === 0)
    await open(company.key)
    await open(live)
  })

  it('of a process is limited, and says what else to do', async () => {
    const companies = [await server.createCompany(), await server.createCompany(), await server.createCompany()]
    for (const { key } of companies) await open(key)
    const answer = await server.get(PATH, (await server.createCompany()).key)
    expect(expectError(answer, 'unavailable').message).toContain('poll GET /api/v1/events')
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  it('is kept for concurrent requests', async () => {
    const { key } = await server.createCompany()
    const answers = await Promise.all(Array.from({ length: 8 }, () => SseClient.open(server.baseUrl, key)))
    clients.push(...answers)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  })
})

describe('the end of the right to read', () => {
  const keyId = async ({ wireId }: TestCompany) => {
    const list = await server.get<{ data: { id: string }[] }>(
      `/admin/v1/companies/${wireId}/keys`,
      server.operatorToken,
    )
    return list.body.data[0]?.id
  }

  it('comes with the revocation of the key', async () => {
    const company = await server.createCompany()
    const client = await open(company.key)
    await server.request('DELETE', `/admin/v1/companies/${company.wireId}/keys/${await keyId(company)}`, {
      token: server.operatorToken,
    })
    expect(await client.ends()).toBe('ended')
    expectError(await server.get(PATH, company.key), 'revoked_api_key')
  })

  it('comes with the expiry of the key', async () => {
    const company = await server.createCompany()
    const expiresAt = new Date(server.clock.now().getTime() + 60_000).toISOString()
    const client = await open(await server.createKey(company.id, { expiresAt }))
    await until('the stream lives', () => client.comments > 1)
    server.clock.advance(60_000)
    expect(await client.ends()).toBe('ended')
  })

  it('comes with the rejection of the company, but not with its suspension, which allows reading', async () => {
    const company = await server.createCompany()
    const client = await open(company.key)
    const path = `/admin/v1/companies/${company.wireId}`
    await server.post(`${path}/suspension`, server.operatorToken, { suspended: true, reason: 'test' })
    const { comments } = client
    await until('the stream lives on', () => client.comments > comments + 3)
    await server.post(`${path}/verification`, server.operatorToken, { decision: 'reject' })
    expect(await client.ends()).toBe('ended')
  })
})

it('a reader that does not read is cut off, and its events wait for it to resume', async () => {
  const company = await server.createCompany()
  const { hostname, port } = new URL(server.baseUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${company.key}\r\n\r\n`)
  await until('the stream is open', async () => (await countOpen()) === 1)
  const padding = 'x'.repeat(200_000)
  let sent = 0
  await until('the stream was cut', async () => {
    const object = randomUUID()
    const data = { id: object, padding }
    await server.db.run({
      name: undefined,
      text: 'select emit_event($1, $2, $3, $4, $5, $6)',
      values: [company.id, 'sandbox', 'card.updated', object, data, server.clock.now()],
    })
    sent += 1
    return (await countOpen()) === 0
  })
  socket.destroy()
  const { body } = await server.get<{ data: object[] }>('/api/v1/events?limit=100', company.key)
  expect(body.data.length).toBe(Math.min(100, sent))
})

describe('the life of a stream', () => {
  it.each([
    ['has no events', { idleMs: 200 }],
    ['is old', { lifetimeMs: 200 }],
  ])('ends when it %s, and the client can resume', async (_name, limits) => {
    const short = await TestServer.start({}, { streamLimits: { checkMs: 20, beatMs: 20, ...limits } })
    try {
      const { key } = await short.createCompany()
      const client = await open(key, short)
      expect(await client.ends()).toBe('ended')
      await open(key, short)
    } finally {
      await short.stop()
    }
  })

  it('ends at once when the server stops, although another stream was refused and a connection is unused', async () => {
    const stopping = await TestServer.start({}, { streamLimits: { perCompany: 1 } })
    const { key } = await stopping.createCompany()
    const client = await open(key, stopping)
    expectError(await stopping.get(PATH, key), 'event_stream_limit')
    const { hostname, port } = new URL(stopping.baseUrl)
    const unused = connect(Number(port), hostname)
    await once(unused, 'connect')
    const gone = once(unused, 'close')
    // Without the ends below this would take until the test times out, or over a minute for the unused connection.
    await stopping.stop()
    expect(await client.ends()).toBe('ended')
    await gone
  })

  it('cannot be opened any more when the server has begun to stop', async () => {
    const { scope } = await server.createCompany()
    const streams = createEventStreams({
      db: server.db,
      clock: server.clock,
      log: createLog({ level: 'silent' }),
      grouping: 'all',
      showOperation: () => ({}),
    })
    await streams.close()
    const stream = { scope, start: undefined, types: undefined, recheck: async () => {} }
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    await expect(streams.open(stream, response)).rejects.toMatchObject({ code: 'unavailable' })
    expect(streams.count()).toBe(0)
  })
})

it('two streams of a company catch up at a time, and others take their turn, also those of other companies', async () => {
  const [mine, other] = [await server.createCompany(), await server.createCompany()]
  const waiting: { companyId: unknown; go: () => void }[] = []
  const many: typeof server.db.many = async (statement) => {
    if (statement.text.includes('list_event_ids_after'))
      await new Promise<void>((go) =>
        waiting.push({ companyId: statement.values.find((value) => value === mine.id), go }),
      )
    return server.db.many(statement)
  }
  const streams = createEventStreams({
    db: { ...server.db, many },
    clock: server.clock,
    log: createLog({ level: 'silent' }),
    grouping: 'all',
    showOperation: () => ({}),
  })
  const start = { after: firstIdAt(new Date(server.clock.now().getTime() - 600_000)) }
  const openFor = ({ scope }: TestCompany) =>
    streams.open(
      { scope, start, types: new Set(['webhook.disabled']), recheck: async () => {} },
      new ServerResponse(new IncomingMessage(new Socket())),
    )
  const reading = () => [waiting.filter(({ companyId }) => companyId === mine.id).length, waiting.length]
  for (let stream = 0; stream < 5; stream += 1) (await openFor(mine)).resume()
  ;(await openFor(other)).resume()
  await until('all that may read do', async () => waiting.length >= 3)
  expect(reading()).toEqual([2, 3])
  // Each stream reads twice: what is settled, and the rest.
  const isOver = () => waiting.length === 0
  let pages = 0
  while (pages < 12) {
    await until('a stream reads', async () => !isOver())
    expect(reading()[0]).toBeLessThanOrEqual(2)
    waiting.shift()?.go()
    pages += 1
  }
  await streams.close()
})
