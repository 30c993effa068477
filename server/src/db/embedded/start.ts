// Starts the private PostgreSQL of a server in a folder of its own: lock, clear away, make, start, wait. Undone in reverse.
// It must not know what is stored in the database, nor handle signals.

import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chooseAccount } from './account.ts'
import { openAddress } from './address.ts'
import { findBinaries, placesForCopy, type BinarySearch } from './binaries.ts'
import { ensureCluster, USER } from './cluster.ts'
import { EmbeddedError, errorCode, messageOf } from './error.ts'
import { lockFolder } from './lock.ts'
import { openLogFile, type LogFile } from './log-file.ts'
import { stopOrphan } from './orphan.ts'
import { readOrMakePassword } from './password.ts'
import { startPostmaster, type Postmaster } from './postmaster.ts'
import { clusterName } from './processes.ts'
import { waitUntilReady, type Connection } from './ready.ts'
import { settingArguments } from './settings.ts'

export { EmbeddedError }

export interface EmbeddedOptions {
  /** where the cluster lives; made when missing */
  folder: string
  /** false only in tests: a power cut may destroy the data */
  durable: boolean
  log: (message: string) => void
  /** more PostgreSQL settings; they win over ours */
  settings?: Record<string, string>
}

export interface EmbeddedDatabase {
  /** for the `pg` driver; the host is the folder of the unix socket */
  connection: { host: string; port: number; user: string; database: string; password?: string }
  /** may be called again; fast, bounded, then immediate */
  stop(): Promise<void>
  /** resolves when PostgreSQL is gone, for whatever reason */
  exited: Promise<void>
}

type Undo = (() => unknown)[]

/** `search` is for tests: other binaries than those installed. */
export async function startEmbedded(options: EmbeddedOptions, search: BinarySearch = {}): Promise<EmbeddedDatabase> {
  const undo: Undo = []
  try {
    const folder = await prepareFolder(options.folder)
    const lock = await lockFolder(folder)
    undo.push(() => lock.release())
    const { connection, postmaster } = await startLocked(folder, options, search, undo)
    let stopped: Promise<void> | undefined
    const stop = async () => (stopped ??= unwind(undo))
    return { connection, stop, exited: postmaster.exited }
  } catch (error) {
    await unwind(undo)
    if (error instanceof EmbeddedError) throw error
    throw new EmbeddedError(explain(error, options.folder), { cause: error })
  }
}

/** As root others may pass through, but not list: PostgreSQL runs under another account, and what is secret is 0600 or 0700. */
async function prepareFolder(folder: string): Promise<string> {
  await mkdir(resolve(folder), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  return realpath(folder)
}

async function startLocked(
  folder: string,
  options: EmbeddedOptions,
  search: BinarySearch,
  undo: Undo,
): Promise<{ connection: Connection; postmaster: Postmaster }> {
  const { durable, log, settings = {} } = options
  const cluster = join(folder, 'cluster')
  const account = chooseAccount(folder, cluster)
  const binaries = await findBinaries({ account, copyTo: placesForCopy(account, folder), ...search })
  await stopOrphan(cluster, binaries, log)
  const address = await openAddress(folder, account)
  undo.push(() => address.remove())
  const password = await readOrMakePassword(folder, cluster)
  const privateFolder = address.socketFolder ?? folder
  await ensureCluster({ folder, cluster, binaries, account, durable, password, privateFolder, log })

  const logFile = openLogFile(folder)
  undo.push(() => logFile.close())
  const args = settingArguments(durable, settings, address.settings, { cluster_name: clusterName(cluster) })
  const postmaster = startPostmaster({ binaries, account, cluster, args, address, logDescriptor: logFile.descriptor })
  undo.push(() => postmaster.stop())
  const connection = { host: address.host, port: address.port, user: USER, database: 'cardstock', password }
  await waitUntilReady(connection, postmaster, log).catch((error: unknown) => {
    throw withLog(error, logFile)
  })
  log(`PostgreSQL ${binaries.major} runs on ${cluster} (process ${postmaster.pid})`)
  return { connection, postmaster }
}

function explain(error: unknown, folder: string): string {
  const forbidden = ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')
  const advice = forbidden ? '. Give that folder to the user who runs the server, or choose another by DATA_DIR' : ''
  return `The private database in ${folder} could not be started: ${messageOf(error)}${advice}.`
}

function withLog(error: unknown, logFile: LogFile): EmbeddedError {
  const text = `${messageOf(error)} The last lines of ${logFile.path}:\n${logFile.tail()}`
  return new EmbeddedError(text, { cause: error })
}

/** Every step runs, whatever the others do; the first failure is reported. */
async function unwind(undo: Undo): Promise<void> {
  let failure: { error: unknown } | undefined
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step()
    } catch (error) {
      failure ??= { error }
    }
  }
  if (failure) throw failure.error
}
