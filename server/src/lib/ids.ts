// Identifiers: a UUIDv7 in the database, a prefix and its 32 hex digits on the wire.
// The time inside an id is exactly its object's createdAt, so the primary key is also the order of every list (ADR-4).
import { randomFillSync } from 'node:crypto'

export type Prefix =
  | 'co'
  | 'key'
  | 'hld'
  | 'card'
  | 'op'
  | 'fund'
  | 'log'
  | 'ent'
  | 'txn'
  | 'chg'
  | 'inv'
  | 'rev'
  | 'evt'
  | 'pos'
  | 'we'
  | 'att'
  | 'req'
  | 'price'
  | 'per'
  | 'ses'
  | 'invt'
  | 'psk'

/** Sorts before every id and is the id of nothing, so a filter with an impossible id can use it to match nothing. */
export const ZERO_ID = '00000000-0000-0000-0000-000000000000'

/** Random bytes are drawn in blocks, because a draw costs the same for 6 bytes as for 4096. */
const POOL_BYTES = 4096
const RANDOM_BYTES = 6
/** 26 bits order the ids of one process within one millisecond; the random ones keep processes apart. */
const SEQUENCE_MAX = 0x3ffffff
const LOW_BITS = 14

const pool = Buffer.alloc(POOL_BYTES)
let poolUsed = POOL_BYTES
/** How many milliseconds are remembered with their last sequence. The oldest is forgotten first. */
const REMEMBERED_MAX = 256
const sequences = new Map<number, number>()
let lastMs = -1
let lastTime = ''
let sequence = -1

/** Returns a UUIDv7 for an object created at this time. Ids made later in the same millisecond sort later. */
export function newId(at: Date): string {
  const ms = at.getTime()
  if (ms !== lastMs) enter(ms)
  sequence = Math.min(sequence + 1, SEQUENCE_MAX)
  // The version and the variant of a UUID stand before the two halves of the sequence.
  const high = (0x7000 | (sequence >> LOW_BITS)).toString(16)
  const low = (0x8000 | (sequence & ((1 << LOW_BITS) - 1))).toString(16)
  return `${lastTime}-${high}-${low}-${drawRandomHex()}`
}

/** An id for an earlier time, such as that of a record of the request log, may come between two ids of one millisecond. */
function enter(ms: number): void {
  sequences.delete(lastMs)
  sequences.set(lastMs, sequence)
  if (sequences.size > REMEMBERED_MAX) {
    for (const oldest of sequences.keys()) {
      sequences.delete(oldest)
      break
    }
  }
  sequence = sequences.get(ms) ?? -1
  lastTime = timeOf(ms)
  lastMs = ms
}

function drawRandomHex(): string {
  if (poolUsed + RANDOM_BYTES > POOL_BYTES) {
    randomFillSync(pool)
    poolUsed = 0
  }
  const start = poolUsed
  poolUsed += RANDOM_BYTES
  return pool.toString('hex', start, poolUsed)
}

/** The smallest id an object created at or after this instant can have. */
export function firstIdAt(at: Date): string {
  return `${timeOf(Math.max(0, at.getTime()))}-7000-8000-000000000000`
}

/** The time in an id, which is its object's createdAt. */
export function timeInId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

function timeOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

export function formatId(prefix: Prefix, id: string): string {
  return `${prefix}_${id.replaceAll('-', '')}`
}

const HEX = /^[0-9a-f]{32}$/

/** Returns the UUID of a wire id, or undefined if the text is not one (the caller then answers not found). */
export function findId(prefix: Prefix, text: string): string | undefined {
  if (!text.startsWith(`${prefix}_`)) return undefined
  const hex = text.slice(prefix.length + 1)
  if (!HEX.test(hex)) return undefined
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
