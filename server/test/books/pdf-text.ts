// Reads the text of a PDF that the server wrote, page by page: enough of the format for tests.
import { inflateSync } from 'node:zlib'

interface PdfObject {
  readonly head: string
  readonly stream: string
}

export function readPdf(pdf: Buffer): { pages: string[][]; objects: ReadonlyMap<number, PdfObject> } {
  const objects = readObjects(pdf)
  const maps = new Map<string, ReadonlyMap<string, string>>()
  const pages: string[][] = []
  for (const { head } of objects.values()) {
    if (!/\/Type \/Page\b/.test(head)) continue
    const resources = objects.get(Number(/\/Resources (\d+)/.exec(head)?.[1]))?.head ?? ''
    for (const [, name = '', reference = ''] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = Number(/\/ToUnicode (\d+)/.exec(objects.get(Number(reference))?.head ?? '')?.[1])
      maps.set(name, readUnicodeMap(objects.get(map)?.stream ?? ''))
    }
    const content = objects.get(Number(/\/Contents (\d+)/.exec(head)?.[1]))?.stream ?? ''
    pages.push(readTexts(content, maps))
  }
  return { pages, objects }
}

function readObjects(pdf: Buffer): Map<number, PdfObject> {
  const text = pdf.toString('latin1')
  const objects = new Map<number, PdfObject>()
  for (const match of text.matchAll(/(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length
    const end = text.indexOf('endobj', start)
    const body = text.slice(start, end)
    const streamAt = body.indexOf('stream\n')
    const head = streamAt === -1 ? body : body.slice(0, streamAt)
    const raw = Buffer.from(streamAt === -1 ? '' : body.slice(streamAt + 7, body.lastIndexOf('\nendstream')), 'latin1')
    const stream = head.includes('FlateDecode') ? inflateSync(raw).toString('latin1') : raw.toString('latin1')
    objects.set(Number(match[1]), { head, stream })
    if (head.includes('/Type /ObjStm')) for (const [number, packed] of unpack(head, stream)) objects.set(number, packed)
  }
  return objects
}

/** The objects inside an object stream. */
function unpack(head: string, stream: string): [number, PdfObject][] {
  const first = Number(/\/First (\d+)/.exec(head)?.[1])
  const numbers = stream.slice(0, first).trim().split(' ').map(Number)
  const starts = numbers.filter((_, index) => index % 2 === 1)
  return starts.map((start, index) => {
    const body = stream.slice(first + start, first + (starts[index + 1] ?? stream.length))
    return [numbers[2 * index] ?? 0, { head: body, stream: '' }]
  })
}

function readUnicodeMap(cmap: string): Map<string, string> {
  const map = new Map<string, string>()
  for (const [, first = '', , list = ''] of cmap.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/gi)) {
    const targets = [...list.matchAll(/<([0-9a-f ]+)>/gi)].map((target) => (target[1] ?? '').replaceAll(' ', ''))
    for (const [index, hex] of targets.entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0')
      map.set(glyph, Buffer.from(hex, 'hex').swap16().toString('utf16le'))
    }
  }
  return map
}

/** Each piece of text that was shown, in the order of showing. */
function readTexts(content: string, maps: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const texts: string[] = []
  let map: ReadonlyMap<string, string> | undefined
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font !== undefined) map = maps.get(font)
    else {
      const glyphs = [...(shown ?? '').matchAll(/<([0-9a-f]+)>/gi)].flatMap(
        (part) => (part[1] ?? '').match(/.{4}/g) ?? [],
      )
      texts.push(glyphs.map((glyph) => map?.get(glyph.toLowerCase()) ?? '?').join(''))
    }
  }
  return texts
}
