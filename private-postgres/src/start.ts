// Starts the private PostgreSQL of a server in its own folder: takes the lock, cleans up after a crash, creates the cluster,
// starts it and keeps it running. Stopping undoes the steps in reverse. It must not know what is stored in the database, and
// must not handle signals.

import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openAddress } from './address.ts'
import { chooseBinaries, CLUSTER, type BinarySearch } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { PrivatePostgresError, errorCode, messageOf } from './error.ts'
import { lockFolder } from './lock.ts'
import { openLogFile, type LogFile } from './log-file.ts'
import { stopOrphan } from './orphan.ts'
import { readOrMakePassword } from './password.ts'
import { startPostmaster } from './postmaster.ts'
import { clusterName } from './processes.ts'
import type { Program } from './program.ts'
import { waitUntilReady, type Connection } from './ready.ts'
import { ensureServerRole } from './role.ts'
import { settingArguments } from './settings.ts'
import { supervise } from './supervise.ts'

export interface PrivatePostgresOptions {
  program: Program
  /** The folder of the cluster, which is created if it is missing. */
  folder: string
  /** False only in tests: a power cut may destroy the data. */
  durable: boolean
  log: (message: string) => void
  /** Receives messages for the operator. Defaults to `log`. */
  warn?: (message: string) => void
  /** More PostgreSQL settings, which take precedence over ours. */
  settings?: Record<string, string>
  /** The pause before each attempt to start PostgreSQL again after it exited by itself. */
  restartDelaysMs?: readonly number[]
}

export interface PrivatePostgres {
  /** The server's own role, for the `pg` driver. The host is the folder of the unix socket. */
  connection: Connection
  /** For the care of the cluster itself. The server never uses it. */
  superuser: Connection
  /** Stops PostgreSQL in fast mode, then in immediate mode after a time limit. May be called again. */
  stop(): Promise<void>
  /** Resolves when PostgreSQL has ended for good: it was stopped, or it exited and could not be started again. */
  exited: Promise<void>
}

type Undo = (() => unknown)[]

/** `search` is for tests: other binaries than those installed. */
export async function startPrivatePostgres(
  options: PrivatePostgresOptions,
  search: BinarySearch = {},
): Promise<PrivatePostgres> {
  const undo: Undo = []
  try {
    const folder = await prepareFolder(options.folder)
    const lock = await lockFolder(folder, options.program)
    undo.push(() => lock.release())
    const started = await startLocked(folder, options, search, undo)
    let stopped: Promise<void> | undefined
    const stop = async () => (stopped ??= unwind(undo))
    return { ...started, stop }
  } catch (error) {
    await unwind(undo)
    if (error instanceof PrivatePostgresError) throw error
    throw new PrivatePostgresError(explain(error, options), { cause: error })
  }
}

/** As root, others may enter the folder but not list it: PostgreSQL runs under another account, and secrets are 0600 or 0700. */
async function prepareFolder(folder: string): Promise<string> {
  await mkdir(resolve(folder), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  return realpath(folder)
}

async function startLocked(
  folder: string,
  options: PrivatePostgresOptions,
  search: BinarySearch,
  undo: Undo,
): Promise<Pick<PrivatePostgres, 'connection' | 'superuser' | 'exited'>> {
  const { program, durable, log, warn = log, settings = {}, restartDelaysMs: delaysMs } = options
  const { name } = program
  const cluster = join(folder, CLUSTER)
  const { account, binaries } = await chooseBinaries(folder, program, search)
  await stopOrphan(cluster, { binaries, name, log })
  const address = await openAddress(folder, account, name)
  undo.push(() => address.remove())
  const password = await readOrMakePassword(folder, cluster)
  const privateFolder = address.socketFolder ?? folder
  await ensureCluster({ program, folder, cluster, binaries, account, durable, password, privateFolder, log })

  const logFile = openLogFile(folder)
  undo.push(() => logFile.close())
  const args = settingArguments(durable, address.settings, settings, { cluster_name: clusterName(cluster, name) })
  const superuser = { host: address.host, port: address.port, user: name, database: name, password }
  const launch = async () => {
    const postmaster = startPostmaster({
      program,
      binaries,
      account,
      cluster,
      args,
      address,
      logDescriptor: logFile.descriptor,
    })
    try {
      await waitUntilReady(superuser, postmaster, log)
    } catch (error) {
      await postmaster.stop()
      throw withLog(error, logFile)
    }
    log(`PostgreSQL ${binaries.major} runs on ${cluster} (process ${postmaster.pid}).`)
    return postmaster
  }
  // The processes of a killed PostgreSQL live for another moment, and a new one cannot start until they end.
  const restart = async () => {
    await stopOrphan(cluster, { binaries, name, log })
    return launch()
  }
  const supervised = supervise(await launch(), {
    program,
    restart,
    warn,
    ...(delaysMs === undefined ? {} : { delaysMs }),
  })
  undo.push(() => supervised.stop())
  return { connection: await ensureServerRole(superuser), superuser, exited: supervised.gone }
}

function explain(error: unknown, { folder, program }: PrivatePostgresOptions): string {
  const forbidden = ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')
  const other = `choose another by ${program.folderSetting}`
  const advice = forbidden ? `. Give that folder to the user who runs the server, or ${other}` : ''
  return `The private database in ${folder} could not be started: ${messageOf(error)}${advice}.`
}

function withLog(error: unknown, logFile: LogFile): PrivatePostgresError {
  const text = `${messageOf(error)} The last lines of ${logFile.path}:\n${logFile.tail()}`
  return new PrivatePostgresError(text, { cause: error })
}

/** Runs every step even if others fail, and reports the first failure. */
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
