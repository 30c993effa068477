// A real receiver of webhooks on loopback. It stores the requests and answers as the test says.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until as waitUntil } from './wait.ts'

export interface Arrival {
  headers: IncomingHttpHeaders
  raw: Buffer
  event: {
    id: string
    type: string
    createdAt: string
    environment: string
    companyId: string
    version: string
    sequence: number
    data: Record<string, unknown>
  }
}

export type Behaviour = number | ((response: ServerResponse, count: number) => void)

export interface Receiver {
  readonly url: string
  readonly arrivals: Arrival[]
  /** A status, or what to do with each response. */
  answer: Behaviour
  connections: number
  /** Returns the first requests as soon as this many have arrived. */
  wait(count: number): Promise<Arrival[]>
  close(): Promise<void>
}

/** Waits until `find` returns something, and returns it. */
export function until<Value>(find: () => Promise<Value | undefined> | Value | undefined): Promise<Value> {
  return waitUntil('the webhook test can continue', find)
}

export async function startReceiver(answer: Behaviour = 200): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      arrivals.push({ headers: request.headers, raw, event: JSON.parse(raw.toString()) as Arrival['event'] })
      const behave = receiver.answer
      if (typeof behave === 'number') response.writeHead(behave).end('thanks')
      else behave(response, arrivals.length)
    })
  })
  server.on('connection', () => (receiver.connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    arrivals,
    answer,
    connections: 0,
    wait: (count) => until(() => (arrivals.length >= count ? arrivals : undefined)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}
