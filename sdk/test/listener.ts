// A real HTTP server that answers as the test says and records the requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: unknown
}

export interface Reply {
  status?: number
  body?: unknown
  /** Sent as it is, instead of a JSON body. */
  text?: string
  headers?: Record<string, string>
  /** Breaks the connection instead of answering. */
  drop?: true
  /** Sends half of the body, and then breaks the connection, ends the answer as if it were whole, or sends no more. */
  half?: 'cut' | 'end' | 'hang'
  /** Called when half of the body is sent. */
  onHalf?: () => void
}

export interface Listener {
  baseUrl: string
  asked: Asked[]
  /** Undefined: never answers. */
  reply: (asked: Asked) => Reply | undefined
  /** How many connections have ended. */
  countEnded(): number
  close(): Promise<void>
}

export async function startListener(): Promise<Listener> {
  const server = createServer((request, response) => {
    void handle(listener, request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  let ended = 0
  server.on('connection', (socket) => socket.on('close', () => (ended += 1)))
  const listener: Listener = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    reply: () => ({ body: {} }),
    countEnded: () => ended,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return listener
}

async function handle(listener: Listener, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const asked = {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as unknown,
  }
  listener.asked.push(asked)
  const reply = listener.reply(asked)
  if (reply === undefined) return
  if (reply.drop === true) {
    request.socket.destroy()
    return
  }
  const headers = { 'content-type': 'application/json', ...reply.headers }
  const body = reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body))
  if (reply.half === undefined) {
    response.writeHead(reply.status ?? 200, headers).end(body)
    return
  }
  sendHalf(response, reply, headers, body ?? '')
}

function sendHalf(
  response: ServerResponse,
  { status = 200, half, onHalf }: Reply,
  headers: object,
  body: string,
): void {
  const length = half === 'end' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  // Without a length and without chunks, the end of the connection is the end of the answer.
  if (half === 'end') response.useChunkedEncodingByDefault = false
  response.writeHead(status, { ...headers, ...length, connection: 'close' })
  response.write(body.slice(0, body.length / 2), () => {
    if (half === 'cut') response.destroy()
    if (half === 'end') response.end()
    onHalf?.()
  })
}
