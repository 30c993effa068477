// Stops a PostgreSQL that outlived its server (kill -9) before a new one starts on the same data. It signals only processes
// with the cluster's name and looks them up again every time, because process ids can be reused.

import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { PrivatePostgresError, errorCode } from './error.ts'
import { commandOf, findClusterProcesses, namesCluster, type ClusterProcess } from './processes.ts'
import { run } from './run.ts'

/** Fast, then immediate, then by force. The first writes a checkpoint, which may take a slow disk half a minute. */
const STEPS = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
] as const

/** Short compared with the tenth of a second that a shutdown takes, and long compared with the look-up. */
const POLL_MS = 25

/** pg_ctl's own limit for a fast shutdown, and room for it to report. */
const PG_CTL_MS_MAX = 40_000

interface OrphanOptions {
  binaries: Binaries
  /** The program's. */
  name: string
  log: (message: string) => void
}

/** The caller holds the folder's lock, so nothing new starts on this cluster meanwhile. */
export async function stopOrphan(cluster: string, { binaries, name, log }: OrphanOptions): Promise<void> {
  if (!existsSync(cluster)) return
  if (process.platform === 'win32') return stopOnWindows(cluster, binaries)
  for (const { signal, waitMs } of STEPS) {
    const found = findClusterProcesses(cluster, name)
    if (found.length === 0) break
    log(`A PostgreSQL of an earlier server still runs on ${cluster} (process ${found[0]?.pid}); sending ${signal}`)
    signalAll(found, signal)
    await waitUntilGone(cluster, name, waitMs)
  }
  const left = findClusterProcesses(cluster, name)
  if (left.length > 0) {
    throw new PrivatePostgresError(
      `A PostgreSQL of an earlier server still runs on ${cluster} and cannot be stopped: process ` +
        `${left.map(({ pid }) => pid).join(', ')}. Stop it, then start again.`,
    )
  }
  await removeStalePidFile(cluster, name)
}

/** SIGINT asks the postmaster alone, which then ends its children; children without one would only cancel a query. */
function signalAll(found: ClusterProcess[], signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  const postmasters = found.filter(({ isPostmaster }) => isPostmaster)
  const gentle = signal === 'SIGINT' && postmasters.length > 0
  for (const { pid } of gentle ? postmasters : found) {
    try {
      process.kill(pid, signal === 'SIGINT' && !gentle ? 'SIGQUIT' : signal)
    } catch (error) {
      if (errorCode(error) !== 'ESRCH' && errorCode(error) !== 'EPERM') throw error
    }
  }
}

async function waitUntilGone(cluster: string, name: string, waitMs: number): Promise<void> {
  const end = Date.now() + waitMs
  while (Date.now() < end && findClusterProcesses(cluster, name).length > 0) await delay(POLL_MS)
}

/**
 * PostgreSQL refuses to start if the process id in an old postmaster.pid now belongs to another process of its account. We
 * know that none of ours is left. If someone else started a PostgreSQL on this data, its file is kept.
 */
async function removeStalePidFile(cluster: string, name: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid')
  const pid = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0])
  const command = pid > 0 ? commandOf(pid) : undefined
  const foreign = command !== undefined && /postgres|postmaster/.test(command) && !namesCluster(command, name)
  if (!foreign) await rm(path, { force: true })
}

async function stopOnWindows(cluster: string, binaries: Binaries): Promise<void> {
  if (!existsSync(join(cluster, 'postmaster.pid'))) return
  const args = ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '30']
  await run(binaries.pgCtl, args, { account: undefined, timeoutMs: PG_CTL_MS_MAX })
}
