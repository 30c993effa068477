// The files of /docs, which were rendered when the server was built. Each is read and compressed when it is first asked for, and
// recognised by its ETag. Only the address of this server is filled in here.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer } from '../http/route.ts'
import { escapeHtml } from '../lib/html.ts'

/** Beyond this, brotli takes much longer and saves little. */
const BROTLI_QUALITY = 9

/** The folder is as far from the sources of the server as from its build. */
const SITE = fileURLToPath(new URL('../../docs/dist', import.meta.url))

/** Stands in the pages for the address of the server: docs-site/src/main.ts. */
const BASE_URL = 'https://base-url.invalid'

export const HTML_TYPE = 'text/html; charset=utf-8'

const TYPES: Readonly<Record<string, string>> = {
  '.html': HTML_TYPE,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface File {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

export interface Library {
  /** Resolves to undefined if there is no file at this path. */
  find(path: string): Promise<File | undefined>
  readNotFound(): Promise<string>
}

/** `baseUrl` returns where clients reach this server, for the code samples. */
export function createLibrary(baseUrl: () => string): Library {
  let paths: ReadonlyMap<string, string> | undefined
  const files = new Map<string, Promise<File>>()
  return {
    async find(path) {
      paths ??= listFiles()
      const name = paths.get(path)
      if (name === undefined) return undefined
      const file = files.get(path) ?? makeFile(name, baseUrl())
      files.set(path, file)
      // A file that could not be made is tried again.
      file.catch(() => files.delete(path))
      return file
    },
    readNotFound: () => readFile(join(SITE, 'not-found.html'), 'utf8'),
  }
}

/** Returns the names of the files by the path of the request. Clients choose the path, so it is looked up, not joined. */
function listFiles(): ReadonlyMap<string, string> {
  const names = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'))
  return new Map(
    names
      .filter((name) => /^(pages|assets)\/.*\.\w+$/.test(name))
      .map((name) => [
        name === 'pages/index.html' ? '/docs' : `/docs/${name.replace(/^pages\/(.*)\.html$/, '$1')}`,
        name,
      ]),
  )
}

async function makeFile(name: string, baseUrl: string): Promise<File> {
  const text = await readFile(join(SITE, name), 'utf8')
  const plain = Buffer.from(text.replaceAll(BASE_URL, () => escapeHtml(baseUrl)))
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(plain),
  ])
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  // Weak, because the compressed forms share it.
  return { type: TYPES[extname(name)] ?? 'application/octet-stream', etag: `W/"${digest}"`, plain, br, gzip: gzipped }
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
