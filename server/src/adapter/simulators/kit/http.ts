// The HTTP of a simulated provider or node. It uses node:http, because only there an answer can be broken off.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The body of a call to a simulator. No call of the adapter has a longer one. */
const BODY_BYTES_MAX = 64 * 1024

export interface SimulatorServer {
  readonly url: string
  close(): Promise<void>
}

export async function startServer(
  { host, port }: { readonly host: string; readonly port: number },
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<SimulatorServer> {
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => answer(request, body, response),
      () => void response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      // Calls that hang would keep the server open.
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** What a proxy in front of the provider answers when it has trouble. */
export function sendGarbage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > BODY_BYTES_MAX) break
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
