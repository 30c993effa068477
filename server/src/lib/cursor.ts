// Page cursors: opaque, tamper-evident, and bound to the list, its scope and its filters.
// They carry a position, never data; a forged or moved one is refused, not interpreted.
import { timingSafeEqual } from 'node:crypto'
import { keyedDigest } from './digest.ts'

const POSITION_BYTES = 16
const TAG_BYTES = 16

export interface CursorCodec {
  encode(binding: string, id: string): string
  /** The id of the last row already read; undefined when the cursor was not made by us for this list. */
  find(binding: string, cursor: string): string | undefined
}

export function createCursorCodec(key: Buffer): CursorCodec {
  const tag = (binding: string, position: Buffer) =>
    keyedDigest(key, `${position.toString('hex')} ${binding}`).subarray(0, TAG_BYTES)
  return {
    encode(binding, id) {
      const position = Buffer.from(id.replaceAll('-', ''), 'hex')
      return Buffer.concat([position, tag(binding, position)]).toString('base64url')
    },
    find(binding, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length !== POSITION_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined
      const position = bytes.subarray(0, POSITION_BYTES)
      if (!timingSafeEqual(tag(binding, position), bytes.subarray(POSITION_BYTES))) return undefined
      const hex = position.toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
  }
}
