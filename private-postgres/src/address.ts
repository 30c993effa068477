// Where the database listens: a unix socket in a short private folder, or, on Windows, a port of the loopback address.
// Nothing outside this machine can reach it, and other users need the password.

import {
  lchownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { canEnter, type Account } from './account.ts'
import { PrivatePostgresError } from './error.ts'

export interface Address {
  host: string
  port: number
  settings: Record<string, string>
  /** Private to PostgreSQL's account; absent on Windows. */
  socketFolder?: string
  remove(): void
}

/** Every cluster has its own socket folder, so the default number is fine. It is part of the socket's file name. */
const SOCKET_PORT = 5432

/** macOS has the shortest limit of a socket's path: 104 bytes including the final zero. Linux has 108. */
const SOCKET_PATH_BYTES_MAX = 103

/** The socket, its lock, and the password on its way to initdb. */
const OUR_FILES = /^(\.s\.PGSQL\.|initdb-password$)/

/** A file in the database's folder that tells the next start what to remove if this server was killed. */
const RECORD = 'socket-folder'

/** The caller holds the folder's lock, and no PostgreSQL of the folder is running. */
export async function openAddress(folder: string, account: Account, name: string): Promise<Address> {
  if (process.platform === 'win32') return openLoopback()
  const record = join(folder, RECORD)
  const prefix = `${name}-`
  removeRecorded(record, account, prefix)
  const socketFolder = mkdtempSync(join(findPlace(account, prefix), prefix))
  if (account) lchownSync(socketFolder, account.uid, account.gid)
  writeFileSync(record, socketFolder)
  return {
    host: socketFolder,
    port: SOCKET_PORT,
    socketFolder,
    settings: {
      listen_addresses: '',
      // The value is a list, so quote it: the path may contain a comma or a space.
      unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
      unix_socket_permissions: '0700',
      port: String(SOCKET_PORT),
    },
    remove: () => {
      removeSocketFolder(socketFolder, account, prefix)
      rmSync(record, { force: true })
    },
  }
}

function fits(place: string, prefix: string): boolean {
  return Buffer.byteLength(join(place, `${prefix}XXXXXX`, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_BYTES_MAX
}

function findPlace(account: Account, prefix: string): string {
  const places = [...new Set([tmpdir(), '/tmp', '/var/tmp'])]
  const place = places.find((candidate) => fits(candidate, prefix) && canEnter(account, candidate))
  if (place !== undefined) return place
  throw new PrivatePostgresError(
    `No folder for the database's socket: none of ${places.join(', ')} is short enough and can be entered. ` +
      'Set TMPDIR to a folder with a short path that everybody may enter.',
  )
}

function removeRecorded(record: string, account: Account, prefix: string): void {
  try {
    removeSocketFolder(readFileSync(record, 'utf8'), account, prefix)
  } catch {
    // There is no record, so the last stop was clean.
  }
}

/**
 * After a crash, another user may have put something else here. So this removes only a folder that belongs to PostgreSQL's
 * account, which others cannot replace, and in it only files with our names.
 */
function removeSocketFolder(path: string, account: Account, prefix: string): void {
  try {
    const stats = lstatSync(path)
    const owner = account?.uid ?? process.getuid?.()
    if (!basename(path).startsWith(prefix) || !stats.isDirectory() || stats.uid !== owner) return
    for (const name of readdirSync(path).filter((entry) => OUR_FILES.test(entry))) rmSync(join(path, name))
    rmdirSync(path)
  } catch {
    // It is already removed or not ours, and contains nothing important.
  }
}

async function openLoopback(): Promise<Address> {
  const port = await findFreePort()
  return {
    host: '127.0.0.1',
    port,
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) },
    remove: () => undefined,
  }
}

async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new PrivatePostgresError('Could not find a free port on 127.0.0.1 for the database.'))
      })
    })
  })
}
