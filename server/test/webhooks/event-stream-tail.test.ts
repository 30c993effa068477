// `cardstock events tail`, `cardstock listen` and the code behind them read the stream of events: it resumes by itself, and the
// commands poll if there is none.
import type { ChildProcess } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AuthenticationError, Cardstock } from '@cardstock/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { streamEvents } from '../../../cli/src/commands/event-stream.ts'
import { start } from '../cli/run.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { until } from '../support/wait.ts'
import { emit } from '../support/webhooks.ts'
import { startReceiver } from '../support/receiver.ts'

let server: TestServer
let company: TestCompany
let api: Cardstock
beforeAll(async () => {
  // Streams end all the time, so that every event comes close to the end of one.
  server = await TestServer.start({}, { streamLimits: { checkMs: 10, lifetimeMs: 700 } })
  company = await server.createCompany()
  api = new Cardstock({ apiKey: company.key, baseUrl: server.baseUrl })
})
afterAll(() => server.stop())

const listIds = async (key: string) =>
  (await server.get<{ data: { id: string }[] }>('/api/v1/events?limit=100', key)).body.data.map(({ id }) => id)

describe('a client that resumes', () => {
  it('yields each event once, although the stream ends again and again', async () => {
    const received: string[] = []
    const events = streamEvents(api, [], () => {})
    const reading = (async () => {
      for await (const event of events) if (received.push(event.id) === 12) break
    })()
    // The first stream must be open before the first event.
    await until('the stream is open', async () => /^event_streams_open 1$/m.test(await metrics()))
    const emitted = new Set<string>()
    for (let round = 0; round < 12; round += 1) {
      emitted.add(await emit(server, company))
      server.clock.advance(1)
      await until(`event ${round} arrived`, () => received.length > round)
    }
    await reading
    expect(received.toSorted()).toEqual((await listIds(company.key)).toSorted())
  })

  it('yields only the types that are named, and closes its stream when the loop is left', async () => {
    const other = await server.createCompany()
    const client = new Cardstock({ apiKey: other.key, baseUrl: server.baseUrl })
    const events = streamEvents(client, ['card.created'], () => {})
    const first = events.next()
    await until('the stream is open', async () => /^event_streams_open 1$/m.test(await metrics()))
    for (const type of ['card.updated', 'card.created']) await emit(server, other, undefined, type)
    expect((await first).value).toMatchObject({ type: 'card.created' })
    await events.return(undefined)
    await until('no stream is open', async () => /^event_streams_open 0$/m.test(await metrics()))
  })

  it('throws if it is refused', async () => {
    const wrong = new Cardstock({ apiKey: 'cstk_sandbox_x', baseUrl: server.baseUrl })
    await expect(streamEvents(wrong, [], () => {}).next()).rejects.toBeInstanceOf(AuthenticationError)
  })

  async function metrics(): Promise<string> {
    return (await fetch(`${server.baseUrl}/metrics`)).text()
  }
})

describe('cardstock events tail', () => {
  it('shows each event once, across several streams', async () => {
    const other = await server.createCompany()
    const ended = collect(
      start(['events', 'tail', '--json'], { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: other.key }),
    )
    await until('a stream was opened', async () => (await countRequests(other, '/api/v1/events/stream')) > 0)
    for (let count = 1; count <= 3; count += 1) {
      await emit(server, other)
      server.clock.advance(1)
      await until(`event ${count} was shown`, () => lines(ended.out).length >= count)
      const streams = await countRequests(other, '/api/v1/events/stream')
      await until(
        'another stream was opened',
        async () => (await countRequests(other, '/api/v1/events/stream')) > streams,
      )
    }
    ended.stop()
    expect(lines(ended.out).map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(
      (await listIds(other.key)).toReversed(),
    )
  })

  it.each([404, 406, 502])('polls if the stream answers %i', async (status) => {
    const other = await server.createCompany()
    const proxy = await startProxy(status)
    const ended = collect(
      start(['events', 'tail', '--json'], { CARDSTOCK_URL: proxy.url, CARDSTOCK_API_KEY: other.key }),
    )
    await until('the command polls', () => proxy.polls() > 0)
    // Later than the start of the command, whose clock is the real one.
    server.clock.set(new Date(Date.now() + 1000).toISOString())
    await emit(server, other)
    await until('the event was shown', () => lines(ended.out).length > 0)
    ended.stop()
    await proxy.close()
    expect(lines(ended.out)).toHaveLength(1)
  })
})

describe('cardstock listen', () => {
  const listen = (environ: Record<string, string>, to: string) =>
    collect(start(['listen', '--forward-to', to, '--json'], environ))

  it('forwards from the stream what happens after its first line, across several streams', async () => {
    const other = await server.createCompany()
    const receiver = await startReceiver()
    const ended = listen({ CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: other.key }, receiver.url)
    await until('it has connected', () => lines(ended.out).length > 0)
    for (let count = 1; count <= 2; count += 1) {
      await emit(server, other)
      server.clock.advance(1)
      await receiver.wait(count)
      const streams = await countRequests(other, '/api/v1/events/stream')
      await until(
        'another stream was opened',
        async () => (await countRequests(other, '/api/v1/events/stream')) > streams,
      )
    }
    ended.stop()
    const ids = receiver.arrivals.map(({ event }) => event.id)
    expect(await countRequests(other, '/api/v1/events')).toBe(0)
    expect(ids).toEqual((await listIds(other.key)).toReversed())
    await receiver.close()
  })

  it('polls if there is no stream', async () => {
    const other = await server.createCompany()
    const [receiver, proxy] = [await startReceiver(), await startProxy(404)]
    const ended = listen({ CARDSTOCK_URL: proxy.url, CARDSTOCK_API_KEY: other.key }, receiver.url)
    await until('the command polls', () => proxy.polls() > 0)
    server.clock.set(new Date(Date.now() + 1000).toISOString())
    await emit(server, other)
    await receiver.wait(1)
    ended.stop()
    expect(receiver.arrivals.map(({ event }) => event.id)).toEqual(await listIds(other.key))
    await Promise.all([proxy.close(), receiver.close()])
  })
})

const lines = (text: string) => text.split('\n').filter((line) => line !== '')

function collect(child: ChildProcess) {
  const ended = { out: '', stop: () => void child.kill('SIGTERM') }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (ended.out += text))
  return ended
}

/** Counts the requests that have been answered completely, for a stream: those that have ended. */
async function countRequests({ key }: TestCompany, of: string): Promise<number> {
  await server.app.requestLog?.flush()
  const path = `/api/v1/request-logs?limit=100&path=${of}`
  return (await server.get<{ data: object[] }>(path, key)).body.data.length
}

/** Stands for an older server or a proxy: it refuses the stream and passes everything else on. */
async function startProxy(status: number) {
  let polls = 0
  const refuse = (response: ServerResponse) => response.writeHead(status).end('no')
  const proxy = createServer((request, response) => {
    if (request.url?.startsWith('/api/v1/events/stream') === true) return refuse(response)
    polls += 1
    const headers = { authorization: request.headers.authorization ?? '' }
    return void fetch(server.baseUrl + (request.url ?? ''), { headers })
      .then(async (answer) =>
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
      )
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      proxy.close(() => resolve())
      proxy.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, polls: () => polls, close }
}
