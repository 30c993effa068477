// Reads the build of the console into memory once: its pages, its index and its files with their compressed forms.
// It must not know what any page shows.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ConsoleFile {
  readonly type: string
  readonly plain: Buffer
  /** By the name of the encoding in HTTP. */
  readonly encoded: ReadonlyMap<string, Buffer>
}

export interface ConsoleFiles {
  /** The paths that the console answers, with parameters as `:name`. */
  readonly paths: readonly string[]
  /** Has the placeholder for the nonce in it. */
  readonly index: string
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

/** In the package of the server, and beside the server in a checkout. Each is as far from the sources of the server as from its build. */
const FOLDERS = ['../../console/dist', '../../../console/dist'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Returns undefined when the console is not built. */
export function findConsoleFiles(folders: readonly string[] = FOLDERS): ConsoleFiles | undefined {
  const folder = folders.find((path) => existsSync(join(path, 'pages.json')))
  if (folder === undefined) return undefined
  const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as { path: string }[]
  const assets = join(folder, 'assets')
  return {
    paths: pages.map(({ path }) => path.replaceAll('$', ':')),
    index: readFileSync(join(folder, 'index.html'), 'utf8'),
    assets: new Map(
      readdirSync(assets)
        .filter((name) => TYPES[extname(name)] !== undefined)
        .map((name) => [name, readFile(join(assets, name))]),
    ),
  }
}

function readFile(path: string): ConsoleFile {
  const encoded = ENCODINGS.filter(([, ending]) => existsSync(path + ending)).map(
    ([encoding, ending]) => [encoding, readFileSync(path + ending)] as const,
  )
  return { type: TYPES[extname(path)] ?? '', plain: readFileSync(path), encoded: new Map(encoded) }
}
