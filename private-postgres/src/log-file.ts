// PostgreSQL's log: a file in the database's folder that we open and PostgreSQL inherits, so its owner does not matter.
// It never grows without bound: beyond its limit it is moved to one older file.

import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from './error.ts'

/** Enough for weeks of an ordinary log, and small enough for an editor. */
const LOG_BYTES_MAX = 10 * 1024 * 1024

/** Often enough that an error in every statement cannot fill a disk in between. */
const LOG_CHECK_MS = 30_000

/** Enough to hold the lines of a failed start. */
const TAIL_BYTES_MAX = 16 * 1024

const TAIL_LINES = 10

export interface LogFile {
  path: string
  /** for the child's stdout and stderr */
  descriptor: number
  /** the last lines since it was opened */
  tail(): string
  close(): void
}

export function openLogFile(folder: string): LogFile {
  const path = join(folder, 'postgres.log')
  const descriptor = openForAppend(path)
  const bound = () => moveWhenFull(path, descriptor)
  bound()
  const begin = fstatSync(descriptor).size
  const timer = setInterval(bound, LOG_CHECK_MS).unref()
  return {
    path,
    descriptor,
    tail: () => readTail(descriptor, begin),
    close: () => {
      clearInterval(timer)
      closeSync(descriptor)
    },
  }
}

/** A log left by a server under another user cannot be written, but in our own folder it can be removed. */
function openForAppend(path: string): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error
    rmSync(path, { force: true })
    return openSync(path, flags, 0o600)
  }
}

/** Copies and truncates the file instead of renaming it, because PostgreSQL keeps it open and appends at its end. */
function moveWhenFull(path: string, descriptor: number): void {
  try {
    if (fstatSync(descriptor).size <= LOG_BYTES_MAX) return
    copyFileSync(path, `${path}.1`)
    ftruncateSync(descriptor)
  } catch {
    // A full disk must not stop the server because of its log. The next round tries again.
  }
}

function readTail(descriptor: number, begin: number): string {
  const end = fstatSync(descriptor).size
  const from = Math.max(begin, end - TAIL_BYTES_MAX, 0)
  const buffer = Buffer.alloc(Math.max(0, end - from))
  const length = readSync(descriptor, buffer, 0, buffer.length, from)
  return buffer.toString('utf8', 0, length).trim().split('\n').slice(-TAIL_LINES).join('\n')
}
