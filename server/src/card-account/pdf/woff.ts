// Unpacks a WOFF font into the plain form (sfnt) once. The PDF library can read WOFF, but inflates a whole table again
// for every single glyph: seconds instead of milliseconds.
import { inflateSync } from 'node:zlib'

const WOFF_HEADER_BYTES = 44
const WOFF_ENTRY_BYTES = 20
const SFNT_HEADER_BYTES = 12
const SFNT_ENTRY_BYTES = 16

export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new TypeError('not a WOFF font')
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const power = Math.floor(Math.log2(count))
  head.writeUInt16BE(2 ** power * 16, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(count * 16 - 2 ** power * 16, 10)
  const tables: Buffer[] = []
  let offset = head.length
  for (let index = 0; index < count; index += 1) {
    const entry = WOFF_HEADER_BYTES + index * WOFF_ENTRY_BYTES
    const [start, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [number, number, number]
    const raw = woff.subarray(start, start + packed)
    const table = packed < length ? inflateSync(raw) : raw
    const at = SFNT_HEADER_BYTES + index * SFNT_ENTRY_BYTES
    woff.copy(head, at, entry, entry + 4)
    woff.copy(head, at + 4, entry + 16, entry + 20)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(length, at + 12)
    const padding = (4 - (length % 4)) % 4
    tables.push(table, Buffer.alloc(padding))
    offset += length + padding
  }
  return Buffer.concat([head, ...tables])
}
