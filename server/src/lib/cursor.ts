// Page cursors: opaque, tamper-evident, and bound to the list, its scope and its filters.
// They carry a position, which in a list by name includes the name; a forged or moved one is refused, not interpreted.
import { timingSafeEqual } from 'node:crypto'
import { keyedDigest } from './digest.ts'
import type { KeyList } from './secret-keys.ts'

const ID_BYTES = 16
const TIME_BYTES = 8
const TAG_BYTES = 16
/** Stands in the place of the time before a name. No date has this time. */
const BEFORE_NAME = Buffer.alloc(TIME_BYTES, 0x7f)

/** The last row already read: its id, and its time or its name in a list that is ordered by one. */
export interface Position {
  readonly id: string
  readonly at?: Date
  readonly name?: string
}

export interface CursorCodec {
  encode(binding: string, position: Position): string
  /** Returns undefined if the server did not make the cursor for this list. */
  find(binding: string, cursor: string): Position | undefined
}

export function createCursorCodec(keys: KeyList): CursorCodec {
  const tag = (key: Buffer, binding: string, position: Buffer) =>
    keyedDigest(key, `${position.toString('hex')} ${binding}`).subarray(0, TAG_BYTES)
  return {
    encode(binding, position) {
      const bytes = toBytes(position)
      return Buffer.concat([bytes, tag(keys()[0], binding, bytes)]).toString('base64url')
    },
    find(binding, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const length = bytes.length - TAG_BYTES
      if (length !== ID_BYTES && length < ID_BYTES + TIME_BYTES) return undefined
      if (bytes.toString('base64url') !== cursor) return undefined
      const position = bytes.subarray(0, length)
      const given = bytes.subarray(length)
      const isOurs = keys().some((key) => timingSafeEqual(tag(key, binding, position), given))
      return isOurs ? toPosition(position) : undefined
    },
  }
}

function toBytes({ id, at, name }: Position): Buffer {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  if (name !== undefined) return Buffer.concat([bytes, BEFORE_NAME, Buffer.from(name)])
  if (at === undefined) return bytes
  const time = Buffer.alloc(TIME_BYTES)
  time.writeBigInt64BE(BigInt(at.getTime()))
  return Buffer.concat([bytes, time])
}

function toPosition(bytes: Buffer): Position {
  const hex = bytes.toString('hex', 0, ID_BYTES)
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  if (bytes.length === ID_BYTES) return { id }
  const name = ID_BYTES + TIME_BYTES
  if (bytes.subarray(ID_BYTES, name).equals(BEFORE_NAME)) return { id, name: bytes.toString('utf8', name) }
  return { id, at: new Date(Number(bytes.readBigInt64BE(ID_BYTES))) }
}
