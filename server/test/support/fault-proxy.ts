// A TCP proxy that can fail in every way a network can, for tests. It stands in front of one target, and its mode can be
// changed at any time, for connections that are open and for new ones.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Connection } from '../../src/db/pool.ts'

export type FaultMode =
  /** Forwards everything. */
  | 'pass'
  /** Accepts connections and swallows everything in both directions, without a sign to either side. */
  | 'drop'
  /** Forwards requests and swallows answers: the target carries out what it is asked, and nobody learns of it. */
  | 'swallow-answers'
  /** Forwards the first half of each answer and then ends the connection with a reset. */
  | 'cut-answers'
  /** Ends the connections of the target and says nothing to the clients, as a machine that lost its power. */
  | 'half-open'
  /** Ends every connection with a reset, also new ones. */
  | 'reset'
  /** Forwards everything, later. */
  | { readonly delayMs: number }
  /** Does not listen, and ends every connection with a reset. */
  | 'refuse'

type Direction = 'request' | 'answer'

interface Pair {
  readonly near: Socket
  readonly far: Socket
  /** A connection that lost bytes stays silent for ever, like one that a firewall forgot: TCP has no holes. */
  readonly silent: Set<Direction>
}

export class FaultProxy {
  readonly #target: Connection
  readonly #pairs = new Set<Pair>()
  #server: Server | undefined
  #port = 0
  #mode: FaultMode = 'pass'
  readonly #isRecording: boolean
  /** Everything that clients sent, as Latin-1 text, if it is recorded. */
  sent = ''

  private constructor(target: Connection, isRecording: boolean) {
    this.#target = target
    this.#isRecording = isRecording
  }

  static async open(target: Connection, { isRecording = true } = {}): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, isRecording)
    await proxy.#listen()
    return proxy
  }

  /** The target's connection by way of the proxy. */
  get connection(): Connection {
    return { ...this.#target, host: '127.0.0.1', port: this.#port }
  }

  /** The same as a DATABASE_URL. */
  get url(): string {
    const { user = '', password, database = '' } = this.#target
    const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
    return `postgres://${user}${secret}@127.0.0.1:${this.#port}/${database}`
  }

  async setMode(mode: FaultMode): Promise<void> {
    this.#mode = mode
    if (mode === 'reset' || mode === 'refuse') this.#resetAll()
    if (mode === 'half-open') {
      for (const pair of this.#pairs) {
        pair.silent.add('request').add('answer')
        pair.far.destroy()
      }
    }
    if (mode === 'refuse') await this.#unlisten()
    else if (this.#server === undefined) await this.#listen()
  }

  async close(): Promise<void> {
    await this.setMode('refuse')
  }

  async #listen(): Promise<void> {
    const server = createServer((near) => this.#accept(near))
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as { port: number }).port
    this.#server = server
  }

  async #unlisten(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server !== undefined) await new Promise((resolve) => server.close(resolve))
  }

  #resetAll(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy()
      far.destroy()
    }
  }

  #accept(near: Socket): void {
    if (this.#mode === 'reset') {
      near.on('error', () => {}).resetAndDestroy()
      return
    }
    const { host = '127.0.0.1', port = 5432 } = this.#target
    const far = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    const pair: Pair = { near, far, silent: new Set() }
    this.#pairs.add(pair)
    for (const socket of [near, far]) {
      socket
        .on('error', () => {})
        .on('close', () => {
          this.#end(pair)
          // A client that was told nothing still has its connection.
          if (near.destroyed) this.#pairs.delete(pair)
        })
    }
    near.on('data', (chunk: Buffer) => {
      if (this.#isRecording) this.sent += chunk.toString('latin1')
      this.#forward(pair, 'request', chunk)
    })
    far.on('data', (chunk: Buffer) => this.#forward(pair, 'answer', chunk))
  }

  /** The end of a connection is forwarded like data, so it does not arrive in a silent direction. */
  #end({ near, far, silent }: Pair): void {
    if (near.destroyed) far.destroy()
    else if (!silent.has('answer') && this.#mode !== 'drop' && this.#mode !== 'swallow-answers') near.destroy()
  }

  #forward(pair: Pair, direction: Direction, chunk: Buffer): void {
    const isSwallowed = this.#mode === 'drop' || (this.#mode === 'swallow-answers' && direction === 'answer')
    if (isSwallowed) pair.silent.add(direction)
    if (pair.silent.has(direction)) return
    if (this.#mode === 'cut-answers' && direction === 'answer') {
      pair.near.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => pair.near.resetAndDestroy())
      pair.silent.add('answer')
      return
    }
    const to = direction === 'request' ? pair.far : pair.near
    const write = () => void (to.writable && to.write(chunk))
    // Timers of one length fire in the order in which they were set, so the bytes keep their order.
    if (typeof this.#mode === 'object') setTimeout(write, this.#mode.delayMs)
    else write()
  }
}
