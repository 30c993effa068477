// Which account PostgreSQL runs under, and what that account can reach. PostgreSQL refuses to run as root.
// It never changes the permissions of a folder. It reports what the account cannot reach, and others work around it.

import { spawnSync, type SpawnOptions } from 'node:child_process'
import { statSync } from 'node:fs'

/** Undefined means our own account, which is the usual case. */
export type Account = { uid: number; gid: number } | undefined

/** The number of `nobody` on every Linux, for systems without an `id` command. */
const NOBODY = 65534

/** Debian and the Red Hat family have the first, Alpine's BusyBox the second. */
const ACCOUNT_MAKERS = [
  [
    'useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin'],
] as const

/** Two servers that start at the same time may both try. The slower one finds the account, or the user database locked. */
const ACCOUNT_TRIES_MAX = 3
const ACCOUNT_PAUSE_MS = 300

/** A probe is one shell built-in. A machine that needs longer could not run a database. */
const PROBE_MS_MAX = 10_000

/** The only variables that PostgreSQL gets, because our environment contains secrets that it does not need. */
const ENVIRONMENT_KEPT = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP']

/**
 * Makes the C library of Linux keep up to 16 MB of freed memory. Otherwise it returns the memory of each batch to the system
 * and allocates it again for the next, which is up to a twentieth of the cost of a small batch.
 */
const MEMORY_KEPT = { MALLOC_TRIM_THRESHOLD_: '16777216', MALLOC_TOP_PAD_: '1048576' }

/**
 * Returns the account to run under. Only root has a choice. A cluster keeps its owner, and a folder that belongs to a user
 * runs under that user, who can later continue without root, if the user has a name, which initdb needs. Everything else runs
 * under a separate account, so that no other service can read the data or signal the processes.
 */
export function chooseAccount(folder: string, cluster: string, name: string): Account {
  if (process.getuid?.() !== 0) return undefined
  const made = statSync(cluster, { throwIfNoEntry: false })
  if (made && made.uid !== 0) return { uid: made.uid, gid: made.gid }
  const own = statSync(folder, { throwIfNoEntry: false })
  if (own && own.uid !== 0 && hasName(own.uid)) return { uid: own.uid, gid: own.gid }
  return serviceAccount(name)
}

/** Returns the account with the program's name and creates it if necessary, or returns `nobody` if that is not possible. */
export function serviceAccount(name: string): { uid: number; gid: number } {
  for (let attempt = 0; attempt < ACCOUNT_TRIES_MAX; attempt += 1) {
    const found = findAccount(name)
    if (found !== undefined) return found
    if (attempt > 0) sleepSync(ACCOUNT_PAUSE_MS)
    for (const [command, ...args] of ACCOUNT_MAKERS) {
      const { status } = spawnSync(command, [...args, name], { stdio: 'ignore', timeout: PROBE_MS_MAX })
      if (status === 0) break
    }
  }
  return findAccount(name) ?? nobody()
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

export function nobody(): { uid: number; gid: number } {
  return findAccount('nobody') ?? { uid: NOBODY, gid: NOBODY }
}

function hasName(uid: number): boolean {
  return spawnSync('id', ['-un', String(uid)], { stdio: 'ignore', timeout: PROBE_MS_MAX }).status === 0
}

/** Returns undefined if there is no such account or it is root. */
function findAccount(name: string): { uid: number; gid: number } | undefined {
  const [uid, gid] = [idOf(name, '-u'), idOf(name, '-g')]
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

function idOf(name: string, flag: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8', timeout: PROBE_MS_MAX })
  const id = Number(stdout)
  return status === 0 && Number.isInteger(id) && id !== 0 ? id : undefined
}

/** Runs in the root directory, because the account may not be able to enter ours. */
export function childOptions(account: Account): SpawnOptions {
  const kept = ENVIRONMENT_KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return {
    ...account,
    cwd: process.platform === 'win32' ? process.cwd() : '/',
    env: { ...Object.fromEntries(kept), ...MEMORY_KEPT, LC_ALL: 'C' },
    windowsHide: true,
  }
}

export function canEnter(account: Account, folder: string): boolean {
  return account === undefined || probe(account, 'cd -- "$1"', folder)
}

export function canExecute(account: Account, file: string): boolean {
  return account === undefined || probe(account, 'test -x "$1"', file)
}

/** `inherited` becomes descriptor 3 of the probe. Asks the system itself, because mode bits do not include ACLs and mounts. */
export function probe(account: Account, script: string, path: string, inherited?: number): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', path], {
    ...childOptions(account),
    stdio: inherited === undefined ? 'ignore' : ['ignore', 'ignore', 'ignore', inherited],
    timeout: PROBE_MS_MAX,
  })
  return status === 0
}
