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
}

export interface Listener {
  baseUrl: string
  asked: Asked[]
  /** Undefined: never answers. */
  reply: (asked: Asked) => Reply | undefined
  close(): Promise<void>
}

export async function startListener(): Promise<Listener> {
  const server = createServer((request, response) => {
    void handle(listener, request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const listener: Listener = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    reply: () => ({ body: {} }),
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
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
  response.end(reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body)))
}
