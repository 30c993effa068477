// The packages that companies install from this server: the SDK and the command line of its own version. They were packed when the server
// was built. Each is read when it is first asked for.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeServedBytes, type ServedFile } from '../http/served-file.ts'
import { packagePath } from '../lib/package-path.ts'

const FOLDER = packagePath('downloads/dist')

/** Every process keeps the files in memory. The larger one has a tenth of this. */
const FILE_BYTES_MAX = 4 * 1024 * 1024

/** Clients choose the name, so it is looked up, not joined. */
const TYPES: Readonly<Record<string, string>> = {
  'sdk.tgz': 'application/gzip',
  'cli.tgz': 'application/gzip',
  SHA256SUMS: 'text/plain; charset=utf-8',
}

export interface Downloads {
  /** Resolves to undefined if no file has this name, and to `missing` if it was not built. */
  find(name: string): Promise<ServedFile | 'missing' | undefined>
}

export function createDownloads(folder = FOLDER): Downloads {
  const files = new Map<string, ServedFile>()
  return {
    async find(name) {
      const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
      if (type === undefined) return undefined
      const file = files.get(name) ?? (await readDownload(join(folder, name), type))
      if (file === undefined) return 'missing'
      files.set(name, file)
      return file
    },
  }
}

async function readDownload(path: string, type: string): Promise<ServedFile | undefined> {
  try {
    const { size } = await stat(path)
    return size > FILE_BYTES_MAX ? undefined : makeServedBytes(await readFile(path), type)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
