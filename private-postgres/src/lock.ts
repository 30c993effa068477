// Allows one server per folder with a lock that ends with its process. Node has no flock, so the lock is a file that names a
// process and its start time. It must never be taken from a living process, or by two processes at the same time.

import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PrivatePostgresError, errorCode, FolderInUseError } from './error.ts'
import { startOf } from './processes.ts'
import type { Program } from './program.ts'

/** Every lost attempt means that another process won, so this many processes would have to die one after the other. */
const ATTEMPTS_MAX = 100

const PREFIX = 'server.lock.'

interface LockOwner {
  pid: number
  started: string
}

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Locks are numbered, and the highest one is valid. A stale lock is not replaced: the next process links `n + 1`, which
 * succeeds for only one process. The highest lock is never removed, so numbers are never reused. A process that finds a higher
 * lock than its own after linking used an old listing and has lost. (Removing a stale file and creating it again would let two
 * processes in.)
 */
export async function lockFolder(
  folder: string,
  { folderSetting }: Pick<Program, 'folderSetting'>,
): Promise<FolderLock> {
  const self: LockOwner = { pid: process.pid, started: startOf(process.pid) ?? 'unknown' }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const last = await highest(folder)
    const owner = last > 0 ? await findOwner(fileOf(folder, last)) : undefined
    if (owner && startOf(owner.pid) === owner.started) throw inUse(folder, owner.pid, folderSetting)
    const mine = last + 1
    if (!(await claim(folder, mine, self))) continue
    if ((await highest(folder)) === mine) {
      await removeOthers(folder, mine)
      return { release: () => markReleased(folder, mine) }
    }
    await rm(fileOf(folder, mine), { force: true })
  }
  throw new PrivatePostgresError(
    `Could not lock ${folder}: too many servers are being started on it at once. Start one.`,
  )
}

function inUse(folder: string, pid: number, folderSetting: string): FolderInUseError {
  return new FolderInUseError(
    `The database folder ${folder} is in use by another server, process ${pid}. ` +
      `Stop that server first, or give this one a folder of its own by ${folderSetting}.`,
  )
}

function fileOf(folder: string, number: number): string {
  return join(folder, `${PREFIX}${number}`)
}

async function highest(folder: string): Promise<number> {
  const numbers = (await readdir(folder)).map((name) => /^server\.lock\.(\d+)$/.exec(name)?.[1] ?? '0')
  return Math.max(0, ...numbers.map(Number))
}

/** Returns undefined also for a file that is missing or damaged by a power cut. In both cases nobody has the lock. */
async function findOwner(file: string): Promise<LockOwner | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return undefined
    if (typeof value.pid !== 'number' || typeof value.started !== 'string') return undefined
    return { pid: value.pid, started: value.started }
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Links a complete file, so that no reader sees a partial one. Returns false if another process was first. */
async function claim(folder: string, number: number, self: LockOwner): Promise<boolean> {
  const draft = await writeDraft(folder, self)
  try {
    await link(draft, fileOf(folder, number))
    return true
  } catch (error) {
    // ENOENT: the winner has removed our draft.
    if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDraft(folder: string, content: LockOwner | { released: true }): Promise<string> {
  const draft = join(folder, `${PREFIX}draft-${randomBytes(8).toString('hex')}`)
  await writeFile(draft, JSON.stringify(content), { flag: 'wx', mode: 0o644 })
  return draft
}

async function removeOthers(folder: string, mine: number): Promise<void> {
  const others = (await readdir(folder)).filter((name) => name.startsWith(PREFIX) && name !== `${PREFIX}${mine}`)
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })))
}

/** If the folder was removed meanwhile, there is nothing to release. */
async function markReleased(folder: string, mine: number): Promise<void> {
  try {
    await rename(await writeDraft(folder, { released: true }), fileOf(folder, mine))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
