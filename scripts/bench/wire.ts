// What the bench's processes say to each other, and the one setting that all of them share.
import type { Connection } from '../../server/src/db/pool.ts'

/** The digests of the keys that seed.ts makes depend on it, so every server under test gets the same. */
export const SECRET_KEY_HEX = '42'.repeat(32)

/** In a request's text; the load generator writes a value never used before in its place. */
export const KEY_SLOT = 'k'.repeat(32)

export interface LoadJob {
  port: number
  connections: number
  seconds: number
  /** Whole requests; each connection sends its own share of them round and round. */
  requests: string[]
  /** Requests per second, sent whether or not answers come back. Absent: each connection sends when it was answered. */
  rate?: number
}

export interface LoadResult {
  /** Answers per second within the window. */
  rate: number
  statuses: Record<string, number>
  p50Ms: number
  p99Ms: number
}

/** engine: as it is; stub: accepting costs no SQL; naive: naive.ts; worker: works off the queue when told to. */
export type ServerMode = 'engine' | 'stub' | 'naive' | 'worker'

export interface ServerStart {
  mode: ServerMode
  connection: Connection
}

export type ServerOrder = 'start-worker' | 'stop-worker'

/** Each process answers its messages in order, one at a time. */
export type Reply<Value> = { value: Value } | { error: string }
