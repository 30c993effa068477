// What a hostile client does to a receiver of webhooks, over raw connections.
import { connect, type Socket } from 'node:net'

/** More than the buffers between the two ends hold: a receiver that reads on takes it all. */
const ENDLESS_BYTES = 64 * 1024 * 1024

function open(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1')
  // What the receiver does to the connection is its own business, as long as it lives.
  socket.on('error', () => undefined)
  socket.write(text)
  return socket
}

const untilClosed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))
const untilSent = (socket: Socket, text: string) => new Promise<void>((resolve) => socket.write(text, () => resolve()))

const post = (headers: string) => `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n\r\n`

/** Sends a whole request, and resolves with what came back until the receiver closed the connection. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = open(port, text)
  let answer = ''
  socket.setEncoding('latin1').on('data', (part: string) => (answer += part))
  socket.end()
  await untilClosed(socket)
  return answer
}

/** Sends a body without an end until the receiver stops it. Fails if the receiver takes everything. */
async function sendWithoutEnd(port: number, headers: string, part: string): Promise<void> {
  const socket = open(port, post(headers))
  const state = { isAnswered: false }
  socket.on('data', () => (state.isAnswered = true))
  let sent = 0
  while (!socket.destroyed && !state.isAnswered) {
    if (sent > ENDLESS_BYTES) throw new Error(`the receiver reads on after ${sent} bytes`)
    sent += part.length
    if (!socket.write(part))
      await new Promise<void>((resolve) => {
        const go = () => {
          for (const name of ['drain', 'close', 'data']) socket.off(name, go)
          resolve()
        }
        for (const name of ['drain', 'close', 'data']) socket.once(name, go)
      })
    else await new Promise((resolve) => setImmediate(resolve))
  }
  socket.destroy()
}

async function abort(port: number, headers: string, part: string): Promise<void> {
  const socket = open(port, post(headers))
  await untilSent(socket, part)
  socket.resetAndDestroy()
}

const CHUNK = `10000\r\n${'x'.repeat(0x1_00_00)}\r\n`

/** Each is over when the receiver has had what is bad for it. */
export const ATTACKS: Readonly<Record<string, (port: number) => Promise<unknown>>> = {
  'a body that breaks off': (port) => abort(port, 'Content-Length: 100', '{"id"'),
  'a body in chunks that breaks off': (port) => abort(port, 'Transfer-Encoding: chunked', '5\r\n{"id"\r\n'),
  'a request that breaks off before its body': (port) => abort(port, 'Content-Length: 100', ''),
  'a body that ends too early': (port) => exchange(port, `${post('Content-Length: 100')}{"id"`),
  'a body without an end': (port) => sendWithoutEnd(port, 'Transfer-Encoding: chunked', CHUNK),
  'a body of a terabyte': (port) => sendWithoutEnd(port, 'Content-Length: 1000000000000', 'x'.repeat(0x1_00_00)),
  'chunks of one byte': (port) => sendWithoutEnd(port, 'Transfer-Encoding: chunked', '1\r\nx\r\n'.repeat(0x40_00)),
  'chunks that are none': (port) => exchange(port, `${post('Transfer-Encoding: chunked')}xyz\r\n`),
  'headers without an end': (port) => exchange(port, `POST / HTTP/1.1\r\n${'X-A: b\r\n'.repeat(50_000)}`),
  'a header of a megabyte': (port) => exchange(port, post(`Service-Signature: ${'v1=0,'.repeat(200_000)}`)),
  'a hundred signatures': (port) =>
    exchange(
      port,
      `${post(`Content-Length: 2\r\n${`Service-Signature: t=1,v1=${'0'.repeat(64)}\r\n`.repeat(100)}A: b`)}{}`,
    ),
  'a signature that is none': (port) =>
    exchange(port, `${post('Content-Length: 2\r\nService-Signature: \u00FF=;,,=')}{}`),
  'what is not HTTP': (port) => exchange(port, '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n'),
  'two lengths': (port) => exchange(port, `${post('Content-Length: 2\r\nContent-Length: 3')}{}`),
  'a body after a GET': (port) => exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'),
  'an upgrade': (port) =>
    exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
  'a client that waits to be asked for the body': (port) =>
    abort(port, 'Content-Length: 5\r\nExpect: 100-continue', ''),
  ...Object.fromEntries(
    ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'NONE'].map((method) => [
      `the method ${method}`,
      (port: number) => exchange(port, `${method} / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
    ]),
  ),
}

/** Opens connections that send their bodies so slowly that they never end; the caller ends them. */
export function beginSlowly(port: number, count: number): Socket[] {
  return Array.from({ length: count }, () => open(port, `${post('Content-Length: 100')}{`))
}
