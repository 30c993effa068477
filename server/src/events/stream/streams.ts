// All open event streams of this process: how many there may be, how long they last, and who may still read them.
import { performance } from 'node:perf_hooks'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Db } from '../../db/pool.ts'
import { ApiError } from '../../errors.ts'
import { createEventFeeds, type Follower } from '../feed.ts'
import type { ShowOperation } from '../render.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Grouping } from '../../lib/grouping.ts'
import type { Log } from '../../lib/log.ts'
import { createCompanyPermits } from '../../lib/company-permits.ts'
import { restAfter } from '../../lib/rest.ts'
import type { Scope } from '../../lib/scope.ts'
import { type EventStream, openEventStream, type Start } from './stream.ts'

export interface StreamLimits {
  /** Enough for a console in every browser of a team. */
  readonly perCompany: number
  /** Streams of a company that read what they missed at the same time. The others wait for their turn, page by page. */
  readonly catchUpsPerCompany: number
  /** A stream costs about 50 KB, and one poll serves all streams of a company. */
  readonly perProcess: number
  /** A stream without events is ended, because its client may be gone without a trace. */
  readonly idleMs: number
  /** So that clients spread over the processes again after a restart. */
  readonly lifetimeMs: number
  /** Shorter than the idle time-outs of common proxies. */
  readonly beatMs: number
  /** How often it is checked whether the key is still valid. */
  readonly checkMs: number
  readonly bufferBytesMax: number
  readonly retryMs: number
  /** How long the events of a company are followed after its last stream has ended. Longer than clients wait before they connect again. */
  readonly keptMs: number
}

/** Why each is that number is said where they are declared. */
const STREAM_LIMITS: StreamLimits = {
  perCompany: 20,
  catchUpsPerCompany: 2,
  perProcess: 1000,
  idleMs: 15 * 60_000,
  lifetimeMs: 60 * 60_000,
  beatMs: 15_000,
  checkMs: 1_000,
  bufferBytesMax: 1024 * 1024,
  retryMs: 3_000,
  keptMs: 10_000,
}
/** Clients that connected together do not all connect again together. */
const LIFETIME_JITTER = 0.1
/** How long an ended stream may take to be read to its end when the process stops. */
const CLOSE_GRACE_MS = 500

export interface NewStream {
  readonly scope: Scope
  readonly start: Start | undefined
  readonly types: ReadonlySet<string> | undefined
  readonly isOnlyTypes?: boolean
  /** Rejects when the caller may no longer read events. */
  recheck(): Promise<void>
}

export interface EventStreams {
  /** Opens a stream, or refuses. The stream ends with the response. */
  open(stream: NewStream, response: ServerResponse): Promise<Readable>
  count(): number
  close(): Promise<void>
}

interface Deps {
  db: Db
  clock: Clock
  log: Log
  grouping: Grouping
  showOperation: ShowOperation
  /** Replaces single limits. */
  streamLimits?: Partial<StreamLimits>
}

interface Open {
  readonly stream: EventStream
  readonly endsAt: number
  readonly recheck: () => Promise<void>
  beatAt: number
}

export function createEventStreams({ db, clock, log, grouping, showOperation, streamLimits }: Deps): EventStreams {
  const limits = { ...STREAM_LIMITS, ...streamLimits }
  const feeds = createEventFeeds({ db, clock, log, grouping, keptMs: limits.keptMs })
  const streams = new Set<Open>()
  const slots = createSlots(limits)
  // Each stream reads one page at a time, so that the line is never longer than there are streams.
  const catchUps = createCompanyPermits({ perCompany: limits.catchUpsPerCompany, waitingMax: limits.perCompany })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const open of streams) watch(open, now, limits)
  }, limits.checkMs)
  timer.unref()

  return {
    count: slots.count,
    async open({ scope, start, types, isOnlyTypes = false, recheck }, response) {
      const release = slots.take(scope.companyId)
      try {
        const { bufferBytesMax, retryMs, lifetimeMs } = limits
        const follow = (follower: Follower) => feeds.follow(scope, follower)
        const inTurn = <Value>(left: AbortSignal, read: () => Promise<Value>) =>
          readInTurn(read, async () => catchUps.take(scope.companyId, left))
        const options = { db, clock, scope, showOperation, types, isOnlyTypes, bufferBytesMax, retryMs, follow, inTurn }
        const stream = await openEventStream(options, start)
        const now = performance.now()
        const endsAt = now + lifetimeMs * (1 - Math.random() * LIFETIME_JITTER)
        const open: Open = { stream, endsAt, recheck, beatAt: now }
        streams.add(open)
        stream.body.on('close', () => {
          streams.delete(open)
          release()
        })
        // The client may have gone, or the server may have begun to stop, while the stream was opened.
        if (response.destroyed || slots.isClosed()) stream.cut()
        return stream.body
      } catch (error) {
        release()
        throw error
      }
    },
    async close() {
      slots.close()
      clearInterval(timer)
      await Promise.all([...streams].map(({ stream }) => endSoon(stream)))
      await feeds.close()
    },
  }
}

/** The place rests for as long as the read took, before the next stream gets it. */
async function readInTurn<Value>(
  read: () => Promise<Value>,
  takePlace: () => Promise<(() => void) | undefined>,
): Promise<Value | undefined> {
  const free = await takePlace()
  if (free === undefined) return undefined
  const startedMs = performance.now()
  try {
    return await read()
  } finally {
    void restAfter(startedMs).then(free)
  }
}

/** Counts the open streams, and refuses more than the limits allow. */
function createSlots(limits: StreamLimits) {
  const taken = new Map<string, number>()
  let total = 0
  let isClosed = false
  return {
    count: () => total,
    isClosed: () => isClosed,
    close() {
      isClosed = true
    },
    /** Returns the function that frees the slot. */
    take(companyId: string): () => void {
      if (isClosed || total >= limits.perProcess) throw tooBusy(limits)
      const count = taken.get(companyId) ?? 0
      if (count >= limits.perCompany) throw tooMany(limits)
      total += 1
      taken.set(companyId, count + 1)
      return () => {
        total -= 1
        const left = (taken.get(companyId) ?? 1) - 1
        if (left === 0) taken.delete(companyId)
        else taken.set(companyId, left)
      }
    },
  }
}

/** Ends a stream; cuts it if its client does not read to the end. */
function endSoon(stream: EventStream): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => stream.cut(), CLOSE_GRACE_MS)
    stream.body.once('close', () => {
      clearTimeout(late)
      resolve()
    })
    stream.end()
  })
}

function watch(open: Open, now: number, limits: StreamLimits): void {
  const { stream, endsAt, recheck } = open
  if (now >= endsAt || now - stream.activeAt >= limits.idleMs) {
    stream.end()
    return
  }
  // A key that cannot be checked counts as ended: a revocation must take effect even if the database does not answer.
  void recheck().catch(() => stream.end())
  if (now - open.beatAt < limits.beatMs) return
  open.beatAt = now
  stream.beat()
}

function tooMany({ perCompany }: StreamLimits): ApiError {
  return new ApiError(
    'event_stream_limit',
    `The company has ${perCompany} event streams open already. Close one, or share one among several readers.`,
    { headers: { 'retry-after': '30' } },
  )
}

function tooBusy({ perProcess }: StreamLimits): ApiError {
  return new ApiError(
    'unavailable',
    `This server has ${perProcess} event streams open, or is stopping. Try again shortly, or poll GET /api/v1/events.`,
    { headers: { 'retry-after': '5' } },
  )
}
