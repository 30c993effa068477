// Runs PostgreSQL: starts it detached from our terminal, stops it, and makes sure that it does not outlive us.
// It must not decide when to start or stop; the caller handles signals.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { childOptions, type Account } from './account.ts'
import type { Address } from './address.ts'
import type { Binaries } from './binaries.ts'
import { openDataFolder } from './data-folder.ts'
import type { Program } from './program.ts'
import { run } from './run.ts'

export interface Postmaster {
  pid: number | undefined
  /** resolves when it is gone, for whatever reason */
  exited: Promise<void>
  hasExited: () => boolean
  stop: () => Promise<void>
}

export interface PostmasterOptions {
  program: Program
  binaries: Binaries
  account: Account
  cluster: string
  args: string[]
  address: Address
  logDescriptor: number
}

/** Fast: ends transactions and writes a checkpoint. Immediate: like a crash, the next start recovers. Then by force. */
const STEPS = [
  { signal: 'SIGINT', mode: 'fast', waitMs: 30_000 },
  { signal: 'SIGQUIT', mode: 'immediate', waitMs: 5_000 },
  { signal: 'SIGKILL', mode: 'immediate', waitMs: 5_000 },
] as const

/** pg_ctl only sends the request; we wait ourselves. */
const PG_CTL_MS_MAX = 5_000

const WINDOWS = process.platform === 'win32'

/**
 * Waits for the end of its input, which is the end of the server's process however it died, kill -9 included. The next
 * start does not rely on it. It ignores what a supervisor sends to all processes alike.
 */
const WATCH = `trap '' HUP INT TERM; read -r _; kill -INT "$1"; rm -rf -- "$2"`

export function startPostmaster(options: PostmasterOptions): Postmaster {
  const { account, address, binaries, cluster, logDescriptor, program } = options
  const data = openDataFolder(account, cluster, program)
  // Use a separate session, so that Ctrl-C in the terminal reaches only the server, which stops the database last.
  const child = spawn(binaries.postgres, ['-D', data.argument, ...options.args], {
    ...childOptions(account),
    detached: !WINDOWS,
    stdio: ['ignore', logDescriptor, logDescriptor, ...data.inherited],
  })
  data.close()
  child.unref()
  const watch =
    child.pid !== undefined && address.socketFolder
      ? startWatch(`${program.name}-watch`, { pid: child.pid, socketFolder: address.socketFolder, account })
      : undefined
  const lastResort = () => {
    if (WINDOWS) requestStopSync(binaries, cluster)
    else child.kill('SIGINT')
    address.remove()
  }
  process.on('exit', lastResort)

  let gone = false
  const exited = new Promise<void>((resolve) => {
    const onGone = () => {
      gone = true
      watch?.kill('SIGKILL')
      process.removeListener('exit', lastResort)
      resolve()
    }
    child.once('exit', onGone)
    child.once('error', onGone)
  })
  const hasExited = () => gone
  const stop = async () => stopChild(child, { exited, hasExited, binaries, cluster })
  return { pid: child.pid, exited, hasExited, stop }
}

interface Stopping {
  exited: Promise<void>
  hasExited: () => boolean
  binaries: Binaries
  cluster: string
}

async function stopChild(child: ChildProcess, { exited, hasExited, binaries, cluster }: Stopping): Promise<void> {
  for (const { signal, mode, waitMs } of STEPS) {
    if (hasExited()) return
    // A signal on Windows would end the process as if by force.
    if (WINDOWS && signal !== 'SIGKILL') await requestStop(binaries, cluster, mode)
    else child.kill(signal)
    const timer = new AbortController()
    await Promise.race([exited, delay(waitMs, undefined, { signal: timer.signal }).catch(() => undefined)])
    timer.abort()
  }
}

interface Watched {
  pid: number
  socketFolder: string
  account: Account
}

function startWatch(name: string, { pid, socketFolder, account }: Watched): ChildProcess {
  const watch = spawn('/bin/sh', ['-c', WATCH, name, String(pid), socketFolder], {
    ...childOptions(account),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.once('error', () => undefined)
  watch.stdin?.once('error', () => undefined)
  watch.unref()
  if (watch.stdin && 'unref' in watch.stdin && typeof watch.stdin.unref === 'function') watch.stdin.unref()
  return watch
}

const stopArguments = (cluster: string, mode: string) => ['stop', '-D', cluster, '-m', mode, '-W']

async function requestStop(binaries: Binaries, cluster: string, mode: string): Promise<void> {
  await run(binaries.pgCtl, stopArguments(cluster, mode), { account: undefined, timeoutMs: PG_CTL_MS_MAX })
}

function requestStopSync(binaries: Binaries, cluster: string): void {
  spawnSync(binaries.pgCtl, stopArguments(cluster, 'fast'), { timeout: PG_CTL_MS_MAX, windowsHide: true })
}
