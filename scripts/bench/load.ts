// The load generator: a separate process that speaks HTTP/1.1 over plain sockets, one request at a time per connection.
// Requests are prepared buffers in which only the idempotency key changes, because on a small machine every cycle spent
// here is taken from the server under test.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { serveMessages } from './processes.ts'
import { KEY_SLOT, type LoadJob, type LoadResult } from './wire.ts'

const HEAD_END = Buffer.from('\r\n\r\n')
const CONTENT_LENGTH = Buffer.from('content-length: ')
const STATUS_OFFSET = 'HTTP/1.1 '.length
const READ_BUFFER_BYTES = 64 * 1024
/** More answers than the fastest server gives in a minute, as fast as it can. The run ends there. */
const ANSWERS_MAX = 2_000_000
/** After the measurement, wait this long for requests in flight, so that they do not slow the next run. */
const DRAIN_MS = 15_000
/** Then give the server this long to close its connections, so that it does not do so during the next run. */
const REST_MS = 100
/** Answers are counted after this time, when they arrive steadily. */
const LEAD_IN_MS = 100
const COUNTER_DIGITS = 10
const [ZERO, NINE, CR, LF] = [48, 57, 13, 10] as const

interface Prepared {
  readonly bytes: Buffer
  /** Position of the counter's last digit, or -1 if the request has no idempotency key. */
  readonly counterEnd: number
}

interface Connection {
  socket: Socket
  requests: Prepared[]
  next: number
  busy: boolean
  /** When the request should have been sent. In an open loop it may be sent later. */
  dueMs: number
  pending: Buffer | undefined
}

class Run {
  readonly #job: LoadJob
  readonly #connections: Connection[] = []
  readonly #latencies: Float32Array
  readonly #statuses = new Int32Array(1000)
  #answers = 0
  #startMs = 0
  #endMs = Number.POSITIVE_INFINITY
  /** Where the body began in the last answer, and its length. Most answers match, and are not parsed again. */
  #bodyAt = 0
  #length = 0
  #idle: Connection[] = []
  #backlog: number[] = []
  #failure: Error | undefined
  #firstAtMs = 0
  #lastAtMs = 0
  #inFlight = 0
  /** When the last answer came, or when the request was sent that found nothing else under way. */
  #waitingSinceMs = 0
  #longestPauseMs = 0

  constructor(job: LoadJob) {
    this.#job = job
    // In an open loop no more is answered in time than was to be sent.
    const answersMax = job.rate === undefined ? ANSWERS_MAX : Math.ceil(job.rate * job.seconds) + 1
    this.#latencies = new Float32Array(answersMax)
  }

  async run(): Promise<LoadResult> {
    const { connections, seconds, rate } = this.#job
    await Promise.all(Array.from({ length: connections }, (_, index) => this.#open(index)))
    this.#startMs = performance.now() + LEAD_IN_MS
    this.#endMs = this.#startMs + seconds * 1000
    if (rate === undefined) for (const connection of this.#connections) this.#send(connection, performance.now())
    else await this.#sendAtRate(rate)
    const isOver = () => performance.now() >= this.#endMs || this.#failure !== undefined
    await waitUntil(isOver, LEAD_IN_MS + seconds * 1000 + DRAIN_MS)
    await waitUntil(
      () => this.#connections.every((connection) => !connection.busy) || this.#failure !== undefined,
      DRAIN_MS,
    )
    for (const connection of this.#connections) connection.socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    if (this.#failure !== undefined) throw this.#failure
    const latencies = this.#latencies.subarray(0, this.#answers).toSorted()
    return {
      rate: this.#answers / seconds,
      statuses: Object.fromEntries([...this.#statuses.entries()].filter(([, count]) => count > 0)),
      p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
      p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
      longestPauseMs: this.#longestPauseMs,
      firstAtMs: performance.timeOrigin + this.#firstAtMs,
      lastAtMs: performance.timeOrigin + this.#lastAtMs,
      ...(this.#job.keepsLatencies === true && { latencies }),
    }
  }

  #open(index: number): Promise<void> {
    const { port, connections, requests } = this.#job
    const own = requests.filter((_, position) => position % connections === index)
    const connection: Connection = {
      socket: undefined as unknown as Socket,
      requests: (own.length > 0 ? own : [requests[index % requests.length] ?? '']).map(prepare),
      next: 0,
      busy: false,
      dueMs: 0,
      pending: undefined,
    }
    this.#connections.push(connection)
    this.#idle.push(connection)
    return new Promise((resolve, reject) => {
      connection.socket = connect({
        host: '127.0.0.1',
        port,
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES),
          callback: (length, bytes) => {
            this.#read(connection, bytes as Buffer, length)
            return true
          },
        },
      })
      connection.socket.once('connect', () => resolve())
      connection.socket.on('error', (error) => {
        this.#failure ??= error
        reject(error)
      })
      connection.socket.on('close', () => {
        if (connection.busy) this.#failure ??= new Error('The server closed a connection before it answered.')
      })
    })
  }

  #send(connection: Connection, dueMs: number): void {
    const request = connection.requests[connection.next] as Prepared
    connection.next = connection.next + 1 === connection.requests.length ? 0 : connection.next + 1
    if (request.counterEnd >= 0) countUp(request.bytes, request.counterEnd)
    connection.busy = true
    connection.dueMs = dueMs
    if (this.#inFlight === 0) this.#waitingSinceMs = performance.now()
    if (this.#firstAtMs === 0) this.#firstAtMs = this.#waitingSinceMs
    this.#inFlight += 1
    connection.socket.write(request.bytes)
  }

  #read(connection: Connection, bytes: Buffer, length: number): void {
    let answer = bytes
    if (connection.pending !== undefined || !this.#isLikeTheLast(bytes, length)) {
      answer = bytes.subarray(0, length)
      if (connection.pending !== undefined) answer = Buffer.concat([connection.pending, answer])
      if (!this.#isWhole(answer)) {
        connection.pending = connection.pending === undefined ? Buffer.from(answer) : answer
        return
      }
      connection.pending = undefined
    }
    connection.busy = false
    const nowMs = performance.now()
    this.#inFlight -= 1
    this.#longestPauseMs = Math.max(this.#longestPauseMs, nowMs - this.#waitingSinceMs)
    this.#waitingSinceMs = nowMs
    this.#lastAtMs = nowMs
    this.#record(statusOf(answer), nowMs, connection.dueMs)
    if (nowMs >= this.#endMs || this.#answers >= this.#latencies.length) return
    if (this.#job.rate === undefined) {
      this.#send(connection, nowMs)
      return
    }
    const dueMs = this.#backlog.shift()
    if (dueMs === undefined) this.#idle.push(connection)
    else this.#send(connection, dueMs)
  }

  #record(status: number, nowMs: number, dueMs: number): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    if (nowMs < this.#startMs || nowMs >= this.#endMs || this.#answers >= this.#latencies.length) return
    this.#latencies[this.#answers] = nowMs - dueMs
    this.#answers += 1
  }

  /** Reports whether an answer is as long as the last one and its head ends at the same place; then it is complete. */
  #isLikeTheLast(bytes: Buffer, length: number): boolean {
    const at = this.#bodyAt
    return length === this.#length && bytes[at - 1] === LF && bytes[at - 2] === CR && bytes[at - 3] === LF
  }

  #isWhole(answer: Buffer): boolean {
    const headEnd = answer.indexOf(HEAD_END)
    if (headEnd < 0) return false
    this.#bodyAt = headEnd + HEAD_END.length
    this.#length = this.#bodyAt + contentLength(answer, headEnd)
    return answer.length >= this.#length
  }

  /** Sends in an open loop. A request that finds no free connection waits, and that wait counts as latency. */
  async #sendAtRate(rate: number): Promise<void> {
    let due = 0
    while (performance.now() < this.#endMs && this.#failure === undefined) {
      const elapsedMs = performance.now() - this.#startMs
      for (; due < (elapsedMs * rate) / 1000; due += 1) {
        const dueMs = this.#startMs + (due * 1000) / rate
        // The one that has rested longest: the server closes a connection on which nothing comes.
        const connection = this.#idle.shift()
        if (connection === undefined) this.#backlog.push(dueMs)
        else this.#send(connection, dueMs)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
}

/** Fills in an idempotency key that no other run has used, so that no request is a replay by accident. */
function prepare(text: string): Prepared {
  const bytes = Buffer.from(text, 'latin1')
  const slot = bytes.indexOf(KEY_SLOT)
  if (slot < 0) return { bytes, counterEnd: -1 }
  const counterAt = slot + KEY_SLOT.length - COUNTER_DIGITS
  bytes.write(
    randomBytes(16)
      .toString('hex')
      .slice(0, counterAt - slot),
    slot,
    'latin1',
  )
  bytes.fill('0', counterAt, slot + KEY_SLOT.length, 'latin1')
  return { bytes, counterEnd: slot + KEY_SLOT.length - 1 }
}

/** Adds one to the decimal digits that end at `end`, in place. */
function countUp(bytes: Buffer, end: number): void {
  let at = end
  for (; bytes[at] === NINE; at -= 1) bytes[at] = ZERO
  bytes[at] = (bytes[at] ?? ZERO) + 1
}

function contentLength(answer: Buffer, headEnd: number): number {
  const at = answer.indexOf(CONTENT_LENGTH)
  if (at < 0 || at > headEnd) throw new Error('An answer has no content-length.')
  let length = 0
  for (let index = at + CONTENT_LENGTH.length; index < headEnd; index += 1) {
    const digit = (answer[index] ?? 0) - ZERO
    if (digit < 0 || digit > 9) break
    length = length * 10 + digit
  }
  return length
}

function statusOf(answer: Buffer): number {
  const digit = (offset: number) => (answer[STATUS_OFFSET + offset] ?? 0) - ZERO
  return digit(0) * 100 + digit(1) * 10 + digit(2)
}

async function waitUntil(done: () => boolean, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs
  while (!done() && performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 5))
}

serveMessages((job) => new Run(job as LoadJob).run())
