// Starts real servers in separate processes that a test can kill, and sends requests that may get no answer.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WAIT_MS_MAX } from '../support/wait.ts'

export { until } from '../support/wait.ts'

const BINARY = fileURLToPath(new URL('../../bin/cardstock.mjs', import.meta.url))

export interface ServerProcess {
  readonly pid: number
  readonly baseUrl: string
  /** Kills the process as a power cut would, without letting it finish anything. */
  kill(): Promise<void>
  stop(): Promise<number | null>
  signal(signal: NodeJS.Signals): void
}

/** A signal then reaches all of the server, and nothing of it is left when the test has killed it. */
const ONE_PROCESS = ['--processes', '0']

/** Only what is given here, and the path: settings of the machine that runs the tests must not leak in. */
export function startServer(
  environ: Record<string, string>,
  args: readonly string[] = ONE_PROCESS,
  options: { onOutput?(text: string, child: ChildProcess): void } = {},
): Promise<ServerProcess> {
  return start(['serve', ...args], environ, options)
}

/** Starts the reference issuer, or another one by its options. */
export function startIssuer(environ: Record<string, string>, args: readonly string[] = []): Promise<ServerProcess> {
  return start(['issuer', ...args], environ)
}

async function start(
  command: readonly string[],
  environ: Record<string, string>,
  { onOutput }: { onOutput?(text: string, child: ChildProcess): void } = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [BINARY, ...command], {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'error', PORT: '0', ...environ },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return (await exited)[0]
  }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text, child))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void process.stderr.write(text))
  const baseUrl = await readAddress(child)
  return {
    pid: child.pid ?? 0,
    baseUrl,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    signal: (signal) => void child.kill(signal),
  }
}

async function readAddress(child: ChildProcess): Promise<string> {
  let out = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not come up: ${out}`)), WAIT_MS_MAX)
    // When it closes, everything that it printed has been read.
    child.on('close', () => reject(new Error(`the server ended: ${out}`)))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    // Keep reading after the address, because a full pipe would block the server.
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const address = /listens on (\S+)/.exec(out)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}

/** Returns the processes that a supervisor has started and that still run. */
export function listChildren(supervisor: number): number[] {
  return execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === supervisor && args.includes('--child'))
    .map(([pid]) => Number(pid))
}

export interface Credentials {
  operatorToken: string
  demo: { companyId: string; sandboxKey: string }
}

export function readCredentials(dataDir: string): Credentials {
  return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Credentials
}

export interface Answer<Body> {
  status: number
  body: Body
}

/** Returns undefined when no answer came. The server may or may not have carried out the request. */
export async function ask<Body>(
  { baseUrl }: { baseUrl: string },
  method: string,
  path: string,
  options: { token: string; body?: unknown; key?: string },
): Promise<Answer<Body> | undefined> {
  const { token, body, key } = options
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Body }
  } catch {
    return undefined
  }
}
