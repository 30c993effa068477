// Terminals for tests that run the commands of a document: shells in a checkout that find Node, npm and curl, the usual
// commands of a shell, and nothing else.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))
const TOOLS = ['node', 'npm', 'npx', 'curl', 'bash', 'sh', 'grep', 'sleep', 'date']
const MARK = '=== next block ==='

/** Returns the shell blocks of one section of a page; the title counts as a section. */
export function blocksOf(page: string, heading: string): string[] {
  const section = page.split(/^##? /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands ?? '')
}

export class Terminals {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cardstock-document-'))
  readonly #checkout = join(this.#folder, 'checkout')
  readonly #environ: Record<string, string>
  readonly #running: ChildProcess[] = []

  constructor(environ: Record<string, string>) {
    const bin = join(this.#folder, 'bin')
    mkdirSync(bin)
    mkdirSync(this.#checkout)
    for (const tool of TOOLS) symlinkSync(find(tool), join(bin, tool))
    for (const name of ['package.json', 'node_modules', 'server', 'sdk', 'scripts']) {
      symlinkSync(join(root, name), join(this.#checkout, name))
    }
    const npm = { npm_config_update_notifier: 'false' }
    this.#environ = { PATH: bin, HOME: this.#folder, LOG_LEVEL: 'silent', ...npm, ...environ }
  }

  /** Starts a long-running command in a separate terminal. Returns its output once that matches. */
  async start(commands: string, isReady: RegExp): Promise<string> {
    const child = spawn('bash', ['--norc', '-euc', commands], {
      cwd: this.#checkout,
      env: this.#environ,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#running.push(child)
    let printed = ''
    let complaints = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
    child.stdout.setEncoding('utf8')
    return new Promise((resolve, reject) => {
      child.stdout.on('data', (text: string) => {
        printed += text
        if (isReady.test(printed)) resolve(printed)
      })
      child.on('exit', () => reject(new Error(`the command ended: ${printed}${complaints}`)))
    })
  }

  /** Runs blocks one after the other in one shell. Returns what each printed; a command that fails ends the test. */
  async run(blocks: readonly string[]): Promise<string[]> {
    const script = blocks.map((block) => `${block}\necho '${MARK}'\n`).join('')
    const args = ['--norc', '-eu', '-o', 'pipefail', '-c', script]
    const child = spawn('bash', args, { cwd: this.#checkout, env: this.#environ })
    let out = ''
    let complaints = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0 || complaints !== '') throw new Error(`a command failed with ${code}: ${complaints}${out}`)
    return out.split(MARK).map((text) => text.trim())
  }

  async close(): Promise<void> {
    for (const child of this.#running.toReversed()) {
      if (child.exitCode !== null || child.pid === undefined) continue
      // Ctrl-C reaches every process of the terminal.
      process.kill(-child.pid, 'SIGINT')
      await once(child, 'exit')
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function find(tool: string): string {
  if (tool === 'node') return process.execPath
  return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim()
}
