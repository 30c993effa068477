// Clients that are slow on purpose, beside the bad requests: they send nothing, a byte now and then or half a body, end their
// half of the connection in the middle of a request, or never read what they get. Each begins again when the server ends its
// connection.
import { connect, type Socket } from 'node:net'

const CLIENTS_PER_KIND = 10
const BYTE_MS = 500
/** A client that begins again and again would only measure how fast connections are made. */
const PAUSE_MS = 1_000
/** The server gives a request 30 s and the reader of an answer twice that; it looks now and then, and may be busy. */
export const SLOW_MS_MAX = 120_000

interface Kind {
  readonly first: string
  /** What is sent again and again. */
  readonly again?: string
  readonly isUnread?: true
  /** It says that it sends nothing more, and keeps the connection open for the answer. */
  readonly isHalfOpen?: true
}

export interface SlowReport {
  readonly kind: string
  readonly begun: number
  /** How many connections the server ended, and after how long at most. */
  readonly ended: number
  readonly longestMs: number
  /** The age of the oldest connection that was open at the end. */
  readonly openMs: number
}

function kindsOf(key: string): Readonly<Record<string, Kind>> {
  const post = `POST /api/v1/operations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const page = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'
  return {
    silent: { first: '' },
    'slow headers': { first: 'GET /api/v1/balance HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', again: 'x' },
    'slow body': { first: `${post}Content-Length: 10000\r\n\r\n{`, again: ' ' },
    'slow chunks': { first: `${post}Transfer-Encoding: chunked\r\n\r\n`, again: '1\r\n \r\n' },
    'half a body': { first: `${post}Content-Length: 10000\r\n\r\n{"type":"issue"` },
    'half-open in the headers': { first: 'GET /api/v1/balance HTTP/1.1\r\nHost: loc', isHalfOpen: true },
    'half-open in the body': { first: `${post}Content-Length: 10000\r\n\r\n{"type"`, isHalfOpen: true },
    // It sends line ends, which are allowed between requests, because a client that neither reads nor writes does not learn that the connection was ended.
    'unread answers': { first: page.repeat(50), again: '\r\n', isUnread: true },
  }
}

/** Returns a function that ends the clients and reports what they saw. */
export function startSlowClients(baseUrl: string, key: string): { stop(): SlowReport[] } {
  const groups = Object.entries(kindsOf(key)).map(([kind, what]) => ({
    kind,
    clients: Array.from({ length: CLIENTS_PER_KIND }, () => new SlowClient(baseUrl, what)),
  }))
  return {
    stop() {
      for (const client of groups.flatMap(({ clients }) => clients)) client.stop()
      return groups.map(({ kind, clients }) => ({
        kind,
        begun: clients.reduce((sum, { begun }) => sum + begun, 0),
        ended: clients.reduce((sum, { lives }) => sum + lives.length, 0),
        longestMs: Math.max(0, ...clients.flatMap(({ lives }) => lives)),
        openMs: Math.max(0, ...clients.map(({ openMs }) => openMs)),
      }))
    },
  }
}

class SlowClient {
  begun = 0
  openMs = 0
  readonly lives: number[] = []
  readonly #port: number
  readonly #kind: Kind
  #socket: Socket | undefined
  #startedMs = 0
  #isStopped = false
  #pause: NodeJS.Timeout | undefined

  constructor(baseUrl: string, kind: Kind) {
    this.#port = Number(new URL(baseUrl).port)
    this.#kind = kind
    this.#begin()
  }

  #begin(): void {
    const { first, again, isUnread, isHalfOpen } = this.#kind
    const socket = connect({ host: '127.0.0.1', port: this.#port, allowHalfOpen: true })
    this.#socket = socket
    this.#startedMs = performance.now()
    this.begun += 1
    if (isHalfOpen === true) socket.end(first)
    else if (first !== '') socket.write(first)
    const drip = setInterval(() => again !== undefined && socket.writable && socket.write(again), BYTE_MS)
    if (isUnread !== true) socket.resume()
    socket.on('error', () => undefined)
    // The server has ended its half, too.
    socket.on('end', () => socket.destroy())
    socket.on('close', () => {
      clearInterval(drip)
      if (this.#isStopped) return
      this.lives.push(performance.now() - this.#startedMs)
      this.#socket = undefined
      this.#pause = setTimeout(() => this.#begin(), PAUSE_MS)
    })
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#pause)
    if (this.#socket !== undefined) this.openMs = performance.now() - this.#startedMs
    this.#socket?.destroy()
  }
}
