// What one company may do within its rate limit, as often as it may.
import { Agent, type ClientRequest, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { firstIdAt, formatId } from '../../../server/src/lib/ids.ts'
import { FIRST_EVENT } from './seed.ts'

export interface Attack {
  readonly name: string
  /** What the rate limit allows in any case: it has no target. */
  readonly isControl?: boolean
  /** Starts it, and returns the function that ends it. */
  start(port: number, key: string): () => Promise<void>
}

/** The limit of a key. The servers of a benchmark have none. */
const REQUESTS_PER_SECOND = 100
const STREAMS = 20
const agent = new Agent({ keepAlive: true })
const REOPENED_MS = 4_000

export const ATTACKS: readonly Attack[] = [
  { name: 'cheap requests', isControl: true, start: repeating(20, ['/api/v1/balance']) },
  { name: 'streams that catch up', start: attackWithStreams },
  { name: 'whole lists of holders', start: repeating(10, ['/api/v1/holders']) },
  { name: 'whole lists of cards', start: repeating(10, ['/api/v1/cards']) },
  { name: 'searches by e-mail', start: repeating(20, ['/api/v1/holders?limit=1&email=nobody@example.com']) },
  {
    name: 'filters that match nothing',
    start: repeating(20, [
      '/api/v1/holders?limit=1&status=blocked&kind=corporate',
      '/api/v1/holders?limit=1&externalId=none',
      '/api/v1/cards?limit=1&productId=none',
      '/api/v1/cards?limit=1&status=blocked',
      '/api/v1/request-logs?limit=1&path=/none',
      '/api/v1/request-logs?limit=1&status=418',
      '/api/v1/events?limit=1&type=operation.completed',
      '/api/v1/events?limit=1&type=webhook.disabled',
      '/api/v1/transactions?limit=1&type=fee&status=expired',
    ]),
  },
]

/** So many clients at a time repeat these requests, together as often as the limit of a key allows. */
function repeating(clients: number, paths: readonly string[]): Attack['start'] {
  return (port, key) => {
    const open = new Set<ClientRequest>()
    const end = new AbortController()
    const repeat = async (client: number) => {
      for (let turn = client; !end.signal.aborted; turn += 1) {
        const next = pause((clients * 1000) / REQUESTS_PER_SECOND)
        await read(port, key, paths[turn % paths.length] ?? '', open)
        await next
      }
    }
    const all = Promise.all(Array.from({ length: clients }, (_, client) => repeat(client)))
    return async () => {
      end.abort()
      for (const request of open) request.destroy()
      await all
    }
  }
}

function attackWithStreams(port: number, key: string): () => Promise<void> {
  const after = formatId('pos', firstIdAt(FIRST_EVENT))
  const path = `/api/v1/events/stream?types=webhook.disabled&after=${after}`
  const open = new Set<ClientRequest>()
  const reopen = () => {
    for (const request of open) request.destroy()
    for (let stream = 0; stream < STREAMS; stream += 1) void read(port, key, path, open)
  }
  reopen()
  const timer = setInterval(reopen, REOPENED_MS)
  return async () => {
    clearInterval(timer)
    for (const request of open) request.destroy()
    // The server notices that they are gone.
    await pause(500)
  }
}

/** Reads an answer to its end, whatever its status is. */
function read(port: number, key: string, path: string, open: Set<ClientRequest>): Promise<void> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` }
    const request = get({ host: '127.0.0.1', port, path, headers, agent }, (response) => response.resume())
    open.add(request)
    request.on('error', () => undefined)
    request.on('close', () => {
      open.delete(request)
      resolve()
    })
  })
}
