// The messages between the benchmark's processes, and the one setting they share.
import type { Connection } from '../../server/src/db/pool.ts'

/** seed.ts computes the digests of API keys with it, so every server under test must have the same one. */
export const SECRET_KEY_HEX = '42'.repeat(32)

/** Marks the place in a request's text where the load generator writes a new idempotency key. */
export const KEY_SLOT = 'k'.repeat(32)

export interface LoadJob {
  port: number
  connections: number
  seconds: number
  /** Complete requests. Each connection sends its share of them over and over. */
  requests: string[]
  /** Requests per second, sent whether or not answers come back. If absent, each connection waits for its answer. */
  rate?: number
  /** Whether the result has every latency, to be joined with those of other runs. */
  keepsLatencies?: boolean
}

export interface LoadResult {
  /** Answers per second within the window. */
  rate: number
  statuses: Record<string, number>
  p50Ms: number
  p99Ms: number
  /** The longest time in which no request was answered although at least one was waiting. */
  longestPauseMs: number
  /** When the first request was sent and when the last answer came, in ms since 1970. */
  firstAtMs: number
  lastAtMs: number
  /** Sorted, in ms. */
  latencies?: Float32Array
}

/** engine: the server; unlogged: without its request log; stub: accepting without SQL; naive: naive.ts; worker: processes the queue on request. */
export type ServerMode = 'engine' | 'unlogged' | 'stub' | 'naive' | 'worker'

export interface ServerStart {
  mode: ServerMode
  connection: Connection
}

export type ServerOrder = 'start-worker' | 'stop-worker'

/** A process answers its messages in order, one at a time. */
export type Reply<Value> = { value: Value } | { error: string }
