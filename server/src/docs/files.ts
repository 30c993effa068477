// What /docs serves, ready to send: made once, compressed once, and recognised by its ETag.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from '../http/route.ts'

/** Beyond this, brotli takes much longer and saves little. */
const BROTLI_QUALITY = 9

const ASSETS = new URL('../../assets/docs/', import.meta.url)

/** The files that the pages load, by name. A map, because clients choose the name and an object also has `constructor`. */
export const ASSET_TYPES: ReadonlyMap<string, string> = new Map([
  ['frame.css', 'text/css; charset=utf-8'],
  ['content.css', 'text/css; charset=utf-8'],
  ['theme.js', 'text/javascript; charset=utf-8'],
  ['main.js', 'text/javascript; charset=utf-8'],
  ['copy.js', 'text/javascript; charset=utf-8'],
  ['element.js', 'text/javascript; charset=utf-8'],
  ['menu.js', 'text/javascript; charset=utf-8'],
  ['search.js', 'text/javascript; charset=utf-8'],
  ['tabs.js', 'text/javascript; charset=utf-8'],
  ['try-it.js', 'text/javascript; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
])

export interface File {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

export function readAsset(name: string): Promise<string> {
  return readFile(fileURLToPath(new URL(name, ASSETS)), 'utf8')
}

export async function makeFile(text: string, type: string): Promise<File> {
  const plain = Buffer.from(text)
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(plain),
  ])
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  // Weak, because the compressed forms share it.
  return { type, etag: `W/"${digest}"`, plain, br, gzip: gzipped }
}

/** Browsers keep the file and ask each time whether it changed: after an upgrade nobody reads an old page. */
export function answerWith(file: File, requested: IncomingHttpHeaders, headers: Record<string, string> = {}): Answer {
  const common = { ...headers, etag: file.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
  const known = requested['if-none-match']?.split(',').map((tag) => tag.trim())
  if (known?.includes(file.etag) === true || known?.includes('*') === true) return { status: 304, headers: common }
  const accepted = requested['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
  )
  return {
    status: 200,
    body: encoding === undefined ? file.plain : file[encoding],
    headers: {
      ...common,
      'content-type': file.type,
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
  }
}
