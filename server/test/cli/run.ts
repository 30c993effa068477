// The real `cardstock` command in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BINARY = fileURLToPath(new URL('../../bin/cardstock.mjs', import.meta.url))

export interface Ended {
  code: number | null
  out: string
  err: string
}

/** Only what is given here, and the path: settings of the machine that runs the tests must not leak in. */
export function start(args: readonly string[], environ: Record<string, string> = {}, cwd?: string): ChildProcess {
  return spawn(process.execPath, [BINARY, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...environ },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export async function cardstock(
  args: readonly string[],
  environ: Record<string, string> = {},
  cwd?: string,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = start(args, environ, cwd)
    const ended: Ended = { code: null, out: '', err: '' }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (ended.out += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (ended.err += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...ended, code }))
  })
}
