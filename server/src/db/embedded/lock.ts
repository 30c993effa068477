// One server per folder: a lock that dies with its process. Node has no flock, so it is a file naming a process and its
// start. It must never be taken from a living process, nor by two at once.

import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError, errorCode } from './error.ts'
import { startOf } from './processes.ts'

/** Every lost attempt means that another starter won, so this many starters at once would have to die in turn. */
const ATTEMPTS_MAX = 100

const PREFIX = 'server.lock.'

interface Holder {
  pid: number
  started: string
}

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Locks are numbered and the highest counts. A dead one is not replaced but followed: linking `n + 1` succeeds for one
 * starter only. The highest is never removed, so numbers never come back, and who finds a higher one than his own after
 * linking was working from an old listing and has lost. (Removing a stale file and making it anew lets two starters in.)
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const self: Holder = { pid: process.pid, started: startOf(process.pid) ?? 'unknown' }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const last = await highest(folder)
    const holder = last > 0 ? await findHolder(fileOf(folder, last)) : undefined
    if (holder && startOf(holder.pid) === holder.started) throw inUse(folder, holder.pid)
    const mine = last + 1
    if (!(await claim(folder, mine, self))) continue
    if ((await highest(folder)) === mine) {
      await removeOthers(folder, mine)
      return { release: () => markReleased(folder, mine) }
    }
    await rm(fileOf(folder, mine), { force: true })
  }
  throw new EmbeddedError(`Could not lock ${folder}: too many servers are being started on it at once. Start one.`)
}

function inUse(folder: string, pid: number): EmbeddedError {
  return new EmbeddedError(
    `The database folder ${folder} is in use by another server, process ${pid}. ` +
      'Stop that server first, or give this one a folder of its own by DATA_DIR.',
  )
}

function fileOf(folder: string, number: number): string {
  return join(folder, `${PREFIX}${number}`)
}

async function highest(folder: string): Promise<number> {
  const numbers = (await readdir(folder)).map((name) => /^server\.lock\.(\d+)$/.exec(name)?.[1] ?? '0')
  return Math.max(0, ...numbers.map(Number))
}

/** Undefined also for a file that is gone or torn (by a power cut: it was complete when linked). Either way nobody holds it. */
async function findHolder(file: string): Promise<Holder | undefined> {
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

/** Linked from a complete file, so that a reader never sees half of one. False when another starter was first. */
async function claim(folder: string, number: number, self: Holder): Promise<boolean> {
  const draft = await writeDraft(folder, self)
  try {
    await link(draft, fileOf(folder, number))
    return true
  } catch (error) {
    // ENOENT: the winner has cleared our draft away.
    if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDraft(folder: string, content: Holder | { released: true }): Promise<string> {
  const draft = join(folder, `${PREFIX}draft-${randomBytes(8).toString('hex')}`)
  await writeFile(draft, JSON.stringify(content), { flag: 'wx', mode: 0o644 })
  return draft
}

async function removeOthers(folder: string, mine: number): Promise<void> {
  const others = (await readdir(folder)).filter((name) => name.startsWith(PREFIX) && name !== `${PREFIX}${mine}`)
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })))
}

/** A folder that was removed under us has nothing left to release. */
async function markReleased(folder: string, mine: number): Promise<void> {
  try {
    await rename(await writeDraft(folder, { released: true }), fileOf(folder, mine))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
