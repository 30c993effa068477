// The files of /docs and /llms.txt, which were rendered when the server was built. Each is read and compressed when it is first asked for, and
// recognised by its ETag. Only the address of this server is filled in here.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { makeServedFile, type ServedFile } from '../http/served-file.ts'
import { escapeHtml } from '../lib/html.ts'
import { packagePath } from '../lib/package-path.ts'

const SITE = packagePath('docs/dist')

/** Stands in the pages for the address of the server: docs-site/src/main.ts. */
const BASE_URL = 'https://base-url.invalid'

export const HTML_TYPE = 'text/html; charset=utf-8'

const TYPES: Readonly<Record<string, string>> = {
  '.html': HTML_TYPE,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

export interface Library {
  /** Resolves to undefined if there is no file at this path. */
  find(path: string): Promise<ServedFile | undefined>
  readNotFound(): Promise<string>
}

/** `baseUrl` returns where clients reach this server, for the code samples. */
export function createLibrary(baseUrl: () => string): Library {
  let paths: ReadonlyMap<string, string> | undefined
  const files = new Map<string, Promise<ServedFile>>()
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
    names.filter((name) => /^(?:(?:pages|assets)\/.*\.\w+|llms\.txt)$/.test(name)).map((name) => [pathOf(name), name]),
  )
}

function pathOf(name: string): string {
  if (name === 'llms.txt') return '/llms.txt'
  return name === 'pages/index.html' ? '/docs' : `/docs/${name.replace(/^pages\/(.*)\.html$/, '$1')}`
}

async function makeFile(name: string, baseUrl: string): Promise<ServedFile> {
  const text = await readFile(join(SITE, name), 'utf8')
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const address = extname(name) === '.txt' ? baseUrl : escapeHtml(baseUrl)
  return makeServedFile(
    text.replaceAll(BASE_URL, () => address),
    type,
  )
}
