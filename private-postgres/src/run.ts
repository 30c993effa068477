// Runs one short-lived PostgreSQL program to its end and gives back what it printed. Not for the server process itself.

import { spawn } from 'node:child_process'
import { childOptions, type Account } from './account.ts'

export interface RunResult {
  code: number | null
  output: string
}

/** Enough for any message of these programs; more is cut off, so that a babbling one cannot fill our memory. */
const OUTPUT_CHARS_MAX = 64 * 1024

export interface RunOptions {
  account: Account
  timeoutMs: number
  inherited?: number[]
}

/** Never rejects: a program that cannot be started is a result like any other. */
export async function run(command: string, args: string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...childOptions(options.account),
      stdio: ['ignore', 'pipe', 'pipe', ...(options.inherited ?? [])],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      if (output.length < OUTPUT_CHARS_MAX) output += chunk.toString('utf8')
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    child.once('close', (code, signal) => resolve({ code, output: signal ? `${output}(ended by ${signal})` : output }))
  })
}
