// A file in memory with its compressed forms, if it has any, recognised by its ETag. It must not know where the bytes come from.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer } from './route.ts'

/** Beyond this, brotli takes much longer and saves little. */
const BROTLI_QUALITY = 9

export interface ServedFile {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly br?: Buffer
  readonly gzip?: Buffer
}

/** Bytes and not text, so that all answers share them: a text would be copied for every client that is slow to read. */
export async function makeServedFile(text: string, type: string): Promise<ServedFile> {
  const plain = Buffer.from(text)
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(plain),
  ])
  // Weak, because the compressed forms share it.
  return { type, etag: `W/${etagOf(plain)}`, plain, br, gzip: gzipped }
}

/** For bytes that are compressed already. */
export function makeServedBytes(bytes: Buffer, type: string): ServedFile {
  return { type, etag: etagOf(bytes), plain: bytes }
}

const etagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

/** Clients keep the file and ask each time whether it changed: after an upgrade nobody reads an old one. */
export function answerWithFile(
  file: ServedFile,
  requested: IncomingHttpHeaders,
  headers: Record<string, string> = {},
): Answer {
  const common = { ...headers, etag: file.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
  const known = requested['if-none-match']?.split(',').map((tag) => tag.trim())
  if (known?.includes(file.etag) === true || known?.includes('*') === true) return { status: 304, headers: common }
  const accepted = requested['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find(
    (name) => file[name] !== undefined && new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
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
