// Requests that no HTTP client sends: malformed, endless, oversized or slow. They get the error body and a closed socket.
import { once } from 'node:events'
import { Type } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../../src/http/metrics.ts'
import { createServer, type ServerDeps } from '../../../src/http/server.ts'
import { ok, publicRoute, type Route } from '../../../src/http/route.ts'
import { findTrustedProxies } from '../../../src/lib/client-address.ts'
import { object } from '../../../src/lib/wire.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { createLog } from '../../../src/lib/log.ts'
import { expectError } from '../expect-error.ts'
import { openSocket, parseRaw, sendRaw } from './raw.ts'

let release: (() => void) | undefined
let refusals = 0
const routes: Route[] = [
  publicRoute({
    method: 'POST',
    path: '/echo',
    tag: 'test',
    id: 'test1',
    summary: 'Says ok',
    description: 'For this test.',
    body: object({}),
    responses: { 200: object({}) },
    handle: async () => ok({}),
  }),
  publicRoute({
    method: 'GET',
    path: '/large',
    tag: 'test',
    id: 'test3',
    summary: 'Answers with more than the buffers of both sides hold',
    description: 'For this test.',
    responses: { 200: object({ text: Type.String() }) },
    handle: async () => ok({ text: 'x'.repeat(32 * 1024 * 1024) }),
  }),
  publicRoute({
    method: 'GET',
    path: '/held',
    tag: 'test',
    id: 'test2',
    summary: 'Answers when told to',
    description: 'For this test.',
    responses: { 200: object({}) },
    handle: () => new Promise((resolve) => (release = () => resolve(ok({})))),
  }),
]
const startServer = async (
  options: Pick<ServerDeps, 'requestTimeoutMs' | 'connectionsPerAddress' | 'trustedProxies'> = {},
) => {
  const server = createServer({
    baseUrl: () => 'http://127.0.0.1',
    routes,
    authenticate: async () => ({ caller: undefined, actor: undefined, session: undefined }),
    metrics: createMetrics(),
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    ...options,
  })
  server.addHook('onError', async () => {
    refusals += 1
  })
  return { server, baseUrl: await server.listen({ host: '127.0.0.1', port: 0 }) }
}
const { server, baseUrl } = await startServer()
afterAll(() => server.close())

/** Lets the held request be answered. */
function letGo(): void {
  release?.()
  release = undefined
}

const POST = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

describe('a malformed request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['TLS on the plain port', Buffer.from('16030100a5010000a10303', 'hex')],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/0.9', 'GET /nothing\r\n\r\n'],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length that is no number', `${POST}Content-Length: two\r\n\r\n{}`],
    ['a length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a chunk without a size', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['U+0000 in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: \u0000\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['two different Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n'],
    [
      'two Authorizations',
      'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\nConnection: close\r\n\r\n',
    ],
    ['two Content-Types', `${POST}Content-type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n'],
    ['a Host with a path', 'GET / HTTP/1.1\r\nHost: x/y\r\nConnection: close\r\n\r\n'],
    ['a Host with a user', 'GET / HTTP/1.1\r\nHost: a@b\r\nConnection: close\r\n\r\n'],
    ['a Host with a port that is no number', 'GET / HTTP/1.1\r\nHost: x:y\r\nConnection: close\r\n\r\n'],
  ])('%s answers 400 and closes', async (_name, bytes) => {
    const answer = parseRaw(await sendRaw(baseUrl, bytes))
    expectError(answer, 'validation_failed')
    expect(answer.headers.get('connection')).toBe('close')
  })

  it('headers above 16 KB answer 431', async () => {
    const text = await sendRaw(baseUrl, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
    expectError(parseRaw(text), 'request_header_too_large')
  })

  it('a request line above 16 KB answers 431', async () => {
    expectError(parseRaw(await sendRaw(baseUrl, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n`)), 'request_header_too_large')
  })
})

describe('a request that arrives too slowly', async () => {
  const TIMEOUT_MS = 300
  // A server of its own: on a busy machine, other requests could also take longer than this.
  const { server: impatient, baseUrl: impatientUrl } = await startServer({ requestTimeoutMs: TIMEOUT_MS })
  afterAll(() => impatient.close())

  it('answers 408 if the body does not arrive', async () => {
    expectError(parseRaw(await sendRaw(impatientUrl, `${POST}Content-Length: 10\r\n\r\n{`)), 'request_timeout')
  })

  it('answers 408 if nothing arrives at all', async () => {
    expectError(parseRaw(await sendRaw(impatientUrl, '')), 'request_timeout')
  })

  it('answers 408 if the headers do not end', async () => {
    expectError(parseRaw(await sendRaw(impatientUrl, POST)), 'request_timeout')
  })

  it('answers 408 if a chunked body arrives too slowly', async () => {
    const socket = openSocket(impatientUrl)
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => {})
    socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`)
    const drip = setInterval(() => socket.write('1\r\n \r\n'), TIMEOUT_MS / 10)
    await new Promise((resolve) => socket.on('close', resolve))
    clearInterval(drip)
    expectError(parseRaw(text), 'request_timeout')
  })
})

it('a client that does not read its answer is disconnected', async () => {
  const { server: impatient, baseUrl: impatientUrl } = await startServer({ requestTimeoutMs: 300 })
  const socket = openSocket(impatientUrl).pause()
  socket.on('error', () => {})
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  const count = () => new Promise((resolve) => impatient.server.getConnections((_error, open) => resolve(open)))
  await expect.poll(count).toBe(1)
  await expect.poll(count).toBe(0)
  socket.destroy()
  await impatient.close()
})

describe('with two connections per address', () => {
  const request = `${POST}Connection: close\r\nContent-Length: 2\r\n\r\n{}`

  it('a third is closed without an answer, until one of the others ends', async () => {
    const limited = await startServer({ connectionsPerAddress: 2 })
    const open = [openSocket(limited.baseUrl), openSocket(limited.baseUrl)] as const
    for (const socket of open) await once(socket, 'connect')
    const count = () => new Promise((resolve) => limited.server.server.getConnections((_error, all) => resolve(all)))
    await expect.poll(count).toBe(2)
    expect(await sendRaw(limited.baseUrl, request)).toBe('')
    open[0].destroy()
    await expect.poll(count).toBe(1)
    expect(parseRaw(await sendRaw(limited.baseUrl, request)).status).toBe(200)
    open[1].destroy()
    await limited.server.close()
  })

  it.each([
    ['a number of proxies', { hops: 1 }],
    ['their networks', findTrustedProxies('127.0.0.0/8') ?? { hops: 0 }],
  ])('a trusted proxy may have more, by %s', async (_name, trustedProxies) => {
    const limited = await startServer({ connectionsPerAddress: 2, trustedProxies })
    const open = [openSocket(limited.baseUrl), openSocket(limited.baseUrl)] as const
    for (const socket of open) await once(socket, 'connect')
    expect(parseRaw(await sendRaw(limited.baseUrl, request)).status).toBe(200)
    for (const socket of open) socket.destroy()
    await limited.server.close()
  })
})

it.each(['x', 'example.com:8080', '127.0.0.1:1', '[::1]:8080', 'a_b.internal'])(
  'the Host %s is served',
  async (host) => {
    const request = POST.replace('Host: x', `Host: ${host}`)
    const answer = parseRaw(await sendRaw(baseUrl, `${request}Connection: close\r\nContent-Length: 2\r\n\r\n{}`))
    expect(answer.status).toBe(200)
  },
)

describe('a path that is not in canonical form answers 404', () => {
  it.each(['/%65cho', '/ech%6F', '/%65%63%68%6f', '/echo%2e', '/%2Eecho', '//echo', '/./echo', '/echo/', '/ECHO'])(
    '%s',
    async (path) => {
      const request = POST.replace('/echo', path)
      const text = await sendRaw(baseUrl, `${request}Connection: close\r\nContent-Length: 2\r\n\r\n{}`)
      expectError(parseRaw(text), 'not_found')
    },
  )
})

describe('garbage after a request that is being handled', () => {
  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['more and more garbage', `garbage\r\n\r\n${'x'.repeat(100_000)}`],
    ['a request with a broken body', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ])('%s: the request is answered, then the garbage is refused', async (_name, garbage) => {
    const socket = openSocket(baseUrl)
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => {})
    const ended = new Promise((resolve) => socket.on('close', resolve))
    const seen = new Promise((resolve) => server.server.once('clientError', resolve))
    socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => release).toBeDefined()
    socket.write(garbage)
    await seen
    letGo()
    await ended
    const [first = '', second = ''] = text.split(/(?=HTTP\/1\.1 \d)/)
    expect(parseRaw(first).status).toBe(200)
    expectError(parseRaw(second), 'validation_failed')
  })

  it('two requests before the garbage are both answered', async () => {
    const one = `${POST}Content-Length: 2\r\n\r\n{}`
    const text = await sendRaw(baseUrl, `${one}${one}garbage\r\n\r\n`)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
  })
})

describe('a body that is too large', () => {
  /** Sends two megabytes without reading, as a blocking client does, and only then reads the answer. */
  async function sendThenRead(head: string, piece: string): Promise<string> {
    const socket = openSocket(baseUrl).pause()
    let text = ''
    socket.on('error', () => {})
    const ended = new Promise((resolve) => socket.on('close', resolve))
    // Let the server run between the parts, so that it has answered before the last part is sent.
    const send = (part: string) => new Promise((resolve) => socket.write(part, () => setImmediate(resolve)))
    await send(head)
    for (let sent = 0; sent < 128 && !socket.destroyed; sent += 1) await send(piece)
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.resume()
    await ended
    return text
  }
  const PIECE = 'x'.repeat(16 * 1024)

  it.each([
    ['by its Content-Length', `${POST}Content-Length: 100000000\r\n\r\n`, PIECE],
    ['in chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n`, `4000\r\n${PIECE}\r\n`],
  ])('%s gets 413 while the client is still sending', async (_name, head, piece) => {
    const answer = parseRaw(await sendThenRead(head, piece))
    expectError(answer, 'payload_too_large')
    expect(answer.headers.get('connection')).toBe('close')
  })

  it('is answered immediately if the client then sends nothing, and the connection closes', async () => {
    const text = await sendRaw(baseUrl, `${POST}Content-Length: 100000000\r\n\r\n{`)
    expectError(parseRaw(text), 'payload_too_large')
  })
})

it('two requests in one packet get two answers, in order', async () => {
  const one = `${POST}Content-Length: 2\r\n\r\n{}`
  const two = 'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const text = await sendRaw(baseUrl, one + two)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
})

it('an unknown Expect header is ignored', async () => {
  const answer = parseRaw(
    await sendRaw(baseUrl, `${POST}Expect: the-unexpected\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`),
  )
  expect(answer.status).toBe(200)
})

it('an HTTP/1.0 request without Host is served', async () => {
  const text = await sendRaw(
    baseUrl,
    'POST /echo HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  expect(parseRaw(text)).toMatchObject({ status: 200, body: {} })
})

// This test comes last because it closes the server.
it('a pipelined request on a stopping server answers 503 with the error body', async () => {
  const HELD = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'
  const socket = openSocket(baseUrl)
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  const ended = new Promise((resolve) => socket.on('close', resolve))
  socket.write(HELD)
  await expect.poll(() => release).toBeDefined()
  refusals = 0
  const closed = server.close()
  socket.write(HELD)
  await expect.poll(() => refusals).toBe(1)
  release?.()
  await ended
  const [first = '', second = ''] = text.split(/(?=HTTP\/1\.1 \d)/)
  expect(parseRaw(first).status).toBe(200)
  const answer = parseRaw(second)
  expectError(answer, 'unavailable')
  expect(answer.headers.get('retry-after')).toBe('1')
  await closed
})
