// One open event stream: first the events after the position that the client names, then each new event as it becomes visible.
// It keeps a bounded number of bytes and events for a slow reader and is cut beyond that; the client resumes.
import { Readable } from 'node:stream'
import type { Db } from '../../db/pool.ts'
import type { Follower, Following } from '../feed.ts'
import { type EventsPage, type Range, readEventsBetween } from './queries.ts'
import { type EventRow, type ShowOperation, toEnvelope } from '../render.ts'
import type { Clock } from '../../lib/clock.ts'
import { firstIdAt, formatId } from '../../lib/ids.ts'
import type { Scope } from '../../lib/scope.ts'

/** Events that one statement reads while a stream catches up. */
const PAGE_MAX = 200
/** New events that wait while a stream reads the last part of what it missed. */
const WAITING_MAX = 10_000
/** Above every id. */
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export interface StreamOptions {
  readonly db: Db
  readonly clock: Clock
  readonly scope: Scope
  readonly showOperation: ShowOperation
  /** Undefined for all types. */
  readonly types: ReadonlySet<string> | undefined
  /** Whether only the types of the events are sent, for readers who may know that something changed but not read events. */
  readonly isOnlyTypes: boolean
  /** Unread bytes beyond which the stream is cut. */
  readonly bufferBytesMax: number
  /** How long a client should wait before it connects again, in milliseconds. */
  readonly retryMs: number
  follow(follower: Follower): Promise<Following>
  /** Reads a page of what the stream missed when it is its company's turn. Resolves with undefined if the client has gone. */
  inTurn<Value>(left: AbortSignal, read: () => Promise<Value>): Promise<Value | undefined>
}

/** Where a stream begins. The event `skip` was received before. */
export interface Start {
  readonly after: string
  readonly skip?: string
}

/** Resolves when the stream runs; rejects if the database cannot be read. */
export async function openEventStream(options: StreamOptions, start: Start | undefined): Promise<EventStream> {
  const stream = new EventStream(options, start)
  await stream.open()
  return stream
}

export class EventStream implements Follower {
  readonly body: Readable
  /** When an event was last sent, as `performance.now()` tells. */
  activeAt = performance.now()
  readonly #options: StreamOptions
  readonly #start: Start | undefined
  /** The client asked for nothing up to here. Without a position, it asked for what happens from now on. */
  readonly #floor: string
  /** What was sent while the stream caught up, because the feed may pass it on again. */
  readonly #sent: Set<string>
  #phase: 'behind' | 'almost' | 'live'
  /** New events, while the stream is almost live. */
  readonly #waiting: EventRow[] = []
  #following: Following | undefined
  #onRoom: (() => void) | undefined
  #isEnded = false
  readonly #left = new AbortController()

  constructor(options: StreamOptions, start: Start | undefined) {
    this.#options = options
    this.#start = start
    this.#floor = start?.after ?? firstIdAt(options.clock.now())
    this.#sent = new Set(start?.skip === undefined ? [] : [start.skip])
    this.#phase = start === undefined ? 'live' : 'behind'
    this.body = new Readable({ read: () => this.#onRoom?.() })
    this.body.on('close', () => {
      this.#following?.stop()
      this.#left.abort()
      this.#onRoom?.()
    })
  }

  async open(): Promise<void> {
    this.#following = await this.#options.follow(this)
    if (this.body.destroyed) this.#following.stop()
    this.#write(`retry: ${this.#options.retryMs}\nid: ${formatId('pos', this.#floor)}\n\n`)
    if (this.#start !== undefined) void this.#catchUp(this.#start).catch(() => this.cut())
  }

  onEvents(rows: readonly EventRow[]): void {
    if (this.#phase === 'live') for (const row of rows) this.#send(row, this.#position())
    if (this.#phase !== 'almost') return
    this.#waiting.push(...rows)
    if (this.#waiting.length > WAITING_MAX) this.cut()
  }

  /** Tells the client, and every proxy on the way, that the stream is alive, and how far it got. */
  beat(): void {
    if (this.#phase !== 'live') {
      this.#write(': alive\n\n')
      return
    }
    const position = this.#position()
    for (const id of this.#sent) if (id <= position) this.#sent.delete(id)
    this.#write(`: alive\nid: ${formatId('pos', position)}\n\n`)
  }

  /** Ends the answer completely, so that the client resumes. */
  end(): void {
    if (!this.#isEnded) this.body.push(null)
    this.#isEnded = true
  }

  /** Cuts the connection. What was not read is lost here, but the client's position does not include it. */
  cut(): void {
    this.body.destroy()
  }

  /** Everything up to here was sent, or was not asked for. */
  #position(): string {
    const settledId = this.#following?.settledId() ?? this.#floor
    return settledId > this.#floor ? settledId : this.#floor
  }

  async #catchUp({ after }: Start): Promise<void> {
    const settledId = this.#following?.settledId() ?? after
    const last = await this.#sendRange(after, settledId, ({ id }) => id)
    // New events wait from now on, so that none is missed between the last page and the moment when the stream is live.
    this.#phase = 'almost'
    const reached = after > settledId ? after : settledId
    await this.#sendRange(last > reached ? last : reached, NEWEST, () => reached)
    this.#phase = 'live'
    for (const row of this.#waiting.splice(0)) this.#send(row, reached)
  }

  /** Sends the events of a range in the order of their ids, as fast as the client reads. Returns the last id. */
  async #sendRange(after: string, until: string, positionOf: (row: EventRow) => string): Promise<string> {
    for (let last = after; ;) {
      const { rows, next } = await this.#readPage({ after: last, until })
      for (const row of rows) {
        if (!this.#send(row, positionOf(row))) await this.#untilRoom()
        if (this.body.destroyed) return last
        if (this.#phase === 'almost') this.#sent.add(row.id)
        last = row.id
      }
      if (next === undefined || this.body.destroyed) return last
      last = next
    }
  }

  /** The streams of a company take turns for each page, so that a client that reads slowly keeps nobody waiting. */
  async #readPage(range: Range): Promise<EventsPage> {
    const { db, scope, types, inTurn } = this.#options
    const page = await inTurn(this.#left.signal, () => readEventsBetween(db, scope, range, { types, limit: PAGE_MAX }))
    if (page !== undefined) return page
    // Nothing was read: the client must resume where it is.
    this.cut()
    return { rows: [], next: undefined }
  }

  #untilRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve
      if (this.body.destroyed) resolve()
    })
  }

  /** Returns whether the client reads fast enough. */
  #send(row: EventRow, position: string): boolean {
    const { types, isOnlyTypes, showOperation } = this.#options
    if (this.#sent.has(row.id) || (types !== undefined && !types.has(row.type))) return true
    this.activeAt = performance.now()
    const data = JSON.stringify(isOnlyTypes ? { type: row.type } : toEnvelope(row, showOperation))
    return this.#write(`id: ${formatId('pos', position)}\ndata: ${data}\n\n`)
  }

  #write(text: string): boolean {
    if (this.body.destroyed || this.#isEnded) return false
    const hasRoom = this.body.push(text)
    if (this.body.readableLength > this.#options.bufferBytesMax) this.cut()
    return hasRoom
  }
}
