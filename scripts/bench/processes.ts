// Starts the benchmark's child processes, asks each of them one thing at a time, and ends them whatever happens.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Connection } from '../../server/src/db/pool.ts'
import { toDatabaseUrl } from '../../server/test/support/database-url.ts'
import { type Reply, SECRET_KEY_HEX } from './wire.ts'

const EXIT_TIMEOUT_MS = 15_000
const START_TIMEOUT_MS = 120_000

export interface Child {
  readonly pid: number
  ask<Value>(message: unknown): Promise<Value>
  stop(): Promise<void>
}

/** Runs in the child: answers each message with the result of `handle`, and exits when the parent is gone. */
export function serveMessages(handle: (message: unknown) => Promise<unknown>): void {
  // Ctrl-C reaches the whole process group; the parent handles it.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
  process.on('message', (message: unknown) => {
    handle(message).then(
      (value) => process.send?.({ value } satisfies Reply<unknown>),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
}

export function startChild(file: string, children: Child[], execArgv: string[] = []): Child {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [], {
    execArgv: [...process.execArgv, ...execArgv],
    stdio: ['ignore', 2, 2, 'ipc'],
    // Latencies are typed arrays, which JSON would make objects of.
    serialization: 'advanced',
  })
  const started: Child = {
    pid: child.pid ?? 0,
    ask: (message) => ask(child, file, message),
    stop: () => end(child, () => child.connected && child.disconnect()),
  }
  children.push(started)
  return started
}

function ask<Value>(child: ChildProcess, name: string, message: unknown): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`${name} ended`))
    child.once('exit', onExit)
    child.once('message', (reply: Reply<Value>) => {
      child.off('exit', onExit)
      if ('error' in reply) reject(new Error(`${name}: ${reply.error}`))
      else resolve(reply.value)
    })
    child.send(message as object, (error) => error !== null && reject(error))
  })
}

async function end(child: ChildProcess, politely: () => unknown): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS)
  politely()
  await exited
  clearTimeout(timer)
}

/** The settings with which a benchmark starts the product: no limits of rates, and no demonstration company. */
export function productSettings({
  connection,
  folder,
}: {
  connection: Connection
  folder: string
}): Record<string, string> {
  return {
    DATABASE_URL: toDatabaseUrl(connection),
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: SECRET_KEY_HEX,
    PORT: '0',
    DEMO: 'false',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
  }
}

/** Starts the released server with its own command. */
export async function startProduct(
  environ: Record<string, string>,
  children: Child[],
  args: readonly string[] = [],
): Promise<{ child: Child; port: number }> {
  const listens = /listens on http:\/\/127\.0\.0\.1:(\d+)/
  const { child, found } = await startCommand(['serve', ...args], { environ, children, until: listens })
  return { child, port: Number(found[1]) }
}

interface StartOptions {
  readonly environ: Record<string, string>
  readonly children: Child[]
  readonly until: RegExp
}

/** Starts a command of the released program, and resolves when it has printed what is waited for. */
export async function startCommand(
  args: readonly string[],
  options: StartOptions,
): Promise<{ child: Child; found: RegExpExecArray }> {
  return startProgram('../../server/bin/cardstock.mjs', args, options)
}

/** Starts a program by its path from here, and resolves when it has printed what is waited for. */
export async function startProgram(
  file: string,
  args: readonly string[],
  { environ, children, until }: StartOptions,
): Promise<{ child: Child; found: RegExpExecArray }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    env: { PATH: process.env['PATH'], ...environ },
    stdio: ['ignore', 'pipe', 2],
  })
  const started: Child = {
    pid: child.pid ?? 0,
    ask: () => Promise.reject(new Error('the product takes requests only')),
    stop: () => end(child, () => child.kill('SIGTERM')),
  }
  children.push(started)
  const name = [basename(file), ...args].join(' ')
  const found = await new Promise<RegExpExecArray>((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`${name} did not start: ${text}`)), START_TIMEOUT_MS)
    child.once('exit', () => reject(new Error(`${name} ended: ${text}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const match = until.exec(text)
      if (match === null) return
      clearTimeout(timer)
      resolve(match)
    })
  })
  return { child: started, found }
}

/** Returns the children of a process. */
export const childrenOf = (pid: number) =>
  execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child as number)

/** Returns the memory of a process in which what it shares with others counts in part. */
export function proportionalMb(pid: number): number {
  const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(found?.[1]) / 1024
}

export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}
