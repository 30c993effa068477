// Writes the parts of a PDF 1.7 file: objects, compressed streams, object streams and the cross-reference stream. Knows
// nothing about pages or text. Object streams matter: the tags of ten thousand entries are ninety thousand small objects.
import { deflateSync } from 'node:zlib'

/** Where an object is: at a byte offset, or at an index inside an object stream. */
interface Place {
  readonly kind: 1 | 2
  readonly at: number
  readonly index: number
}

/** Bytes per field of an entry in the cross-reference stream: kind, offset or stream number, index. */
const XREF_WIDTHS = [1, 4, 2] as const
const XREF_ENTRY_BYTES = 7

export class PdfFile {
  readonly #chunks: Buffer[] = []
  readonly #places: (Place | undefined)[] = [undefined]
  #length = 0

  constructor() {
    // The comment with high bytes tells programs that the file is binary.
    this.#write(Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1'))
  }

  /** Returns the number of an object that is written later. */
  allocate(): number {
    return this.#places.push(undefined) - 1
  }

  put(number: number, body: string): void {
    this.#begin(number)
    this.#write(Buffer.from(`${number} 0 obj\n${body}\nendobj\n`, 'latin1'))
  }

  add(body: string): number {
    const number = this.allocate()
    this.put(number, body)
    return number
  }

  /** `entries` are the entries of the stream's dictionary besides its length and filter. */
  putStream(number: number, data: string | Uint8Array, entries = ''): void {
    const packed = deflateSync(typeof data === 'string' ? Buffer.from(data, 'latin1') : data)
    this.#begin(number)
    this.#write(Buffer.from(`${number} 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode ${entries}>>\nstream\n`))
    this.#write(packed)
    this.#write(Buffer.from('\nendstream\nendobj\n'))
  }

  addStream(data: string | Uint8Array, entries = ''): number {
    const number = this.allocate()
    this.putStream(number, data, entries)
    return number
  }

  /** Adds an uncompressed stream, for metadata that programs read without parsing the file. */
  addPlainStream(data: string, entries: string): number {
    const bytes = Buffer.byteLength(data)
    return this.add(`<< /Length ${bytes} ${entries}>>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`)
  }

  /** Writes several objects, none of them a stream, into one object stream. */
  pack(objects: readonly (readonly [number: number, body: string])[]): void {
    if (objects.length === 0) return
    const stream = this.allocate()
    let header = ''
    let offset = 0
    for (const [index, [number, body]] of objects.entries()) {
      header += `${number} ${offset} `
      offset += body.length + 1
      this.#places[number] = { kind: 2, at: stream, index }
    }
    const bodies = objects.map(([, body]) => body).join('\n')
    this.putStream(stream, header + bodies, `/Type /ObjStm /N ${objects.length} /First ${header.length} `)
  }

  /** Writes the cross-reference stream and returns the file. `entries` are those of the trailer, such as /Root. */
  finish(entries: string): Buffer {
    const number = this.allocate()
    const startsAt = this.#length
    this.#places[number] = { kind: 1, at: startsAt, index: 0 }
    const table = Buffer.alloc(this.#places.length * XREF_ENTRY_BYTES)
    for (const [index, place] of this.#places.entries()) {
      if (place === undefined) continue
      table[index * XREF_ENTRY_BYTES] = place.kind
      table.writeUInt32BE(place.at, index * XREF_ENTRY_BYTES + 1)
      table.writeUInt16BE(place.index, index * XREF_ENTRY_BYTES + 5)
    }
    const shape = `/Type /XRef /Size ${this.#places.length} /W [${XREF_WIDTHS.join(' ')}] `
    this.putStream(number, table, `${shape}${entries} `)
    this.#write(Buffer.from(`startxref\n${startsAt}\n%%EOF\n`))
    return Buffer.concat(this.#chunks)
  }

  #begin(number: number): void {
    this.#places[number] = { kind: 1, at: this.#length, index: 0 }
  }

  #write(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }
}

/** Returns a text string as PDF writes it: UTF-16 with a byte order mark, in hex. */
export function toPdfText(text: string): string {
  return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
}
