// The receivers of the webhook benchmark, in a process of their own. They count what arrives, or never answer.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ToReceiver =
  | { kind: 'listen'; healthy: number; hanging: number }
  | { kind: 'count' }
  | { kind: 'delays' }
  | { kind: 'verify'; expected: string[] }

export interface FromReceiver {
  ports?: { healthy: number[]; hanging: number[] }
  count?: { unique: number; total: number }
  delays?: number[]
  verdict?: { missing: number; unexpected: number; duplicates: number }
}

let seen = new Map<string, number>()
let delays: number[] = []
let total = 0
let servers: Server[] = []

function listen(isHanging: boolean): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (isHanging) return
      total += 1
      const { id, createdAt } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; createdAt: string }
      const times = (seen.get(id) ?? 0) + 1
      seen.set(id, times)
      if (times === 1) delays.push(Date.now() - Date.parse(createdAt))
      response.writeHead(204).end()
    })
  })
  servers.push(server)
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

const answer = (message: FromReceiver) => process.send?.(message)

process.on('message', (message: ToReceiver) => void handle(message))

async function handle(message: ToReceiver): Promise<void> {
  switch (message.kind) {
    case 'listen': {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      servers = []
      seen = new Map()
      delays = []
      total = 0
      const ports = async (count: number, isHanging: boolean) =>
        Promise.all(Array.from({ length: count }, () => listen(isHanging)))
      answer({ ports: { healthy: await ports(message.healthy, false), hanging: await ports(message.hanging, true) } })
      return
    }
    case 'count':
      answer({ count: { unique: seen.size, total } })
      return
    case 'delays':
      answer({ delays })
      return
    case 'verify': {
      const expected = new Set(message.expected)
      answer({
        verdict: {
          missing: message.expected.filter((id) => !seen.has(id)).length,
          unexpected: [...seen.keys()].filter((id) => !expected.has(id)).length,
          duplicates: total - seen.size,
        },
      })
    }
  }
}

// Exit with the benchmark.
process.on('disconnect', () => process.exit())
