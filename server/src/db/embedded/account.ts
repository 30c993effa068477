// Which account PostgreSQL runs under, and what that account can reach. PostgreSQL refuses to run as root.
// Never changes the permissions of a folder: what the account cannot reach is reported, and worked around elsewhere.

import { spawnSync, type SpawnOptions } from 'node:child_process'
import { statSync } from 'node:fs'

/** Undefined stands for "as ourselves", the usual case. */
export type Account = { uid: number; gid: number } | undefined

/** The number of `nobody` on every Linux, for systems without an `id` command. */
const NOBODY = 65534

/** A probe is one shell built-in; a machine that needs longer could not run a database. */
const PROBE_MS_MAX = 10_000

/** Handed on to PostgreSQL. Nothing else: our environment holds secrets that its processes have no use for. */
const ENVIRONMENT_KEPT = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP']

/**
 * For the C library of Linux: a process keeps up to 16 MB that it has used. Else it gives the memory of each batch back to
 * the system and asks for it again with the next, which is up to a twentieth of what a small batch costs.
 */
const MEMORY_KEPT = { MALLOC_TRIM_THRESHOLD_: '16777216', MALLOC_TOP_PAD_: '1048576' }

/**
 * Only root has a choice. A cluster keeps its owner, and a user's own folder is served under that user, so that he can
 * go on without root later; initdb wants an account with a name, though. Everything else runs as `nobody`.
 */
export function chooseAccount(folder: string, cluster: string): Account {
  if (process.getuid?.() !== 0) return undefined
  const made = statSync(cluster, { throwIfNoEntry: false })
  if (made && made.uid !== 0) return { uid: made.uid, gid: made.gid }
  const own = statSync(folder, { throwIfNoEntry: false })
  if (own && own.uid !== 0 && hasName(own.uid)) return { uid: own.uid, gid: own.gid }
  return nobody()
}

export function nobody(): { uid: number; gid: number } {
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') }
}

function hasName(uid: number): boolean {
  return spawnSync('id', ['-un', String(uid)], { stdio: 'ignore', timeout: PROBE_MS_MAX }).status === 0
}

function idOfNobody(flag: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8', timeout: PROBE_MS_MAX })
  const id = Number(stdout)
  return status === 0 && Number.isInteger(id) && id !== 0 ? id : NOBODY
}

/** The working directory is the root: ours may be one that the account cannot enter. */
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

/** `inherited` becomes descriptor 3 of the probe. Asked of the system itself: mode bits alone would miss ACLs and mounts. */
export function probe(account: Account, script: string, path: string, inherited?: number): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', path], {
    ...childOptions(account),
    stdio: inherited === undefined ? 'ignore' : ['ignore', 'ignore', 'ignore', inherited],
    timeout: PROBE_MS_MAX,
  })
  return status === 0
}
