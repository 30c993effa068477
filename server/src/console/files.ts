// Reads the build of the console into memory once: its pages, its index and its files with their compressed forms.
// It must not know what any page shows.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { packagePath } from '../lib/package-path.ts'

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

/** In the package of the server, and beside the server in a checkout. */
const FOLDERS = ['console/dist', '../console/dist'].map(packagePath)

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** In front of the pages of a company, so that a link names the company and the environment. The console's paths.ts has the same. */
const PLACE = '/c/:company/:environment'

/** Best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Returns undefined when the console is not built. */
export function findConsoleFiles(folders: readonly string[] = FOLDERS): ConsoleFiles | undefined {
  const folder = findFolder(folders)
  if (folder === undefined) return undefined
  const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as { path: string; isPlaced: boolean }[]
  const assets = join(folder, 'assets')
  return {
    paths: pages.flatMap(({ path, isPlaced }) => {
      const pattern = path.replaceAll('$', ':')
      return isPlaced ? [pattern, PLACE + (pattern === '/' ? '' : pattern)] : [pattern]
    }),
    index: readFileSync(join(folder, 'index.html'), 'utf8'),
    assets: new Map(
      readdirSync(assets)
        .filter((name) => TYPES[extname(name)] !== undefined)
        .map((name) => [name, readFile(join(assets, name))]),
    ),
  }
}

/** Returns the document of the console, with the placeholder for the nonce, or undefined when the console is not built. */
export function findConsoleIndex(): string | undefined {
  const folder = findFolder(FOLDERS)
  return folder === undefined ? undefined : readFileSync(join(folder, 'index.html'), 'utf8')
}

function findFolder(folders: readonly string[]): string | undefined {
  return folders.find((path) => existsSync(join(path, 'pages.json')))
}

function readFile(path: string): ConsoleFile {
  const encoded = ENCODINGS.filter(([, ending]) => existsSync(path + ending)).map(
    ([encoding, ending]) => [encoding, readFileSync(path + ending)] as const,
  )
  return { type: TYPES[extname(path)] ?? '', plain: readFileSync(path), encoded: new Map(encoded) }
}
