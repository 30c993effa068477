// One terminal: a shell that runs the blocks of a document one after the other and keeps its variables and functions. A block
// that fails ends the shell, and with it the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/wait.ts'

const MARK = '=== end of the block ==='

/** Commands that run until Ctrl-C, and what they print when they are ready. */
const LONG_RUNNING: readonly (readonly [RegExp, RegExp])[] = [
  [/\bnpm start$/, /listens on \S+/],
  [/^node server\/bin\/cardstock\.mjs (?:serve|issuer(?! [a-z])|simulate)\b/, /listens on \S+/],
  [/^(?:node server\/bin\/cardstock\.mjs|node_modules\/\.bin\/cardstock) listen\b/, /secret/],
  [/^(?:\w+=\S+ )*node \S+\.mjs$/, /\S/],
]

/** Where somebody works: a folder, what their environment has, and who they are if they are another account than this one. */
export interface Workplace {
  readonly folder: string
  readonly environ: Readonly<Record<string, string>>
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

export class Terminal {
  readonly #shell: ChildProcess
  readonly #folder: string
  #printed = ''
  #ended: number | undefined
  #isRunning = false

  constructor({ folder, environ, account }: Workplace) {
    this.#folder = environ['HOME'] ?? folder
    // The trap keeps the shell alive when Ctrl-C ends its command, as an interactive shell would.
    const args = ['--norc', '-c', 'trap : INT; set -euo pipefail; while read -r line; do eval "$line"; done']
    this.#shell = spawn('bash', args, {
      cwd: folder,
      env: environ,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      ...account,
    })
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#printed += text))
    }
    this.#shell.on('exit', (code) => (this.#ended = code ?? -1))
  }

  /** What the last block has printed so far. */
  get output(): string {
    return this.#printed.replace(`${MARK}\n`, '').trim()
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Runs a block to its end, or until its last command is ready to be used from another terminal. */
  async run(commands: string): Promise<void> {
    const last = commands.trim().split('\n').at(-1) ?? ''
    const ready = LONG_RUNNING.find(([command]) => command.test(last))?.[1]
    // The shell reads lines, and a block has several: it is read from a file. It must not read our next line.
    const file = join(this.#folder, `block-${process.hrtime.bigint()}.sh`)
    writeFileSync(file, commands)
    this.#printed = ''
    this.#isRunning = ready !== undefined
    const run = ready === undefined ? `. ${file} </dev/null` : `set +e; . ${file} </dev/null; set -e`
    this.#shell.stdin?.write(`${run}; echo '${MARK}'\n`)
    await this.until('the command is ready', () => (ready ?? new RegExp(MARK)).test(this.#printed))
  }

  /** Waits for a condition on the output, for as long as the command lives. */
  async until(what: string, holds: () => boolean): Promise<void> {
    await until(what, () => {
      if (holds()) return true
      if (this.#ended !== undefined) throw new Error(`a command failed with ${this.#ended}: ${this.#printed}`)
      if (this.#isRunning && this.#printed.includes(MARK)) throw new Error(`the command ended: ${this.#printed}`)
      return false
    })
  }

  /** Presses Ctrl-C. */
  async interrupt(): Promise<void> {
    if (this.#ended !== undefined || this.#shell.pid === undefined) return
    this.#isRunning = false
    process.kill(-this.#shell.pid, 'SIGINT')
    await this.until('Ctrl-C ended the command', () => this.#printed.includes(MARK))
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return
    if (this.#isRunning) await this.interrupt()
    const exited = once(this.#shell, 'exit')
    this.#shell.stdin?.end()
    await exited
  }
}
