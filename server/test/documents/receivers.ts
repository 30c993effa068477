// The receivers of webhooks that the documents and examples show, each as a process of its own. A program that makes a server runs as it
// is; a function from Request to Response runs in a server that hands it requests, as a framework does.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/wait.ts'
import { listPages, readBlocks, root } from './blocks.ts'

export interface Receiver {
  /** Where it stands. */
  readonly name: string
  readonly code: string
  readonly kind: 'program' | 'function'
}

const PROGRAM = /\b(?:createServer|serve|listen)\(/
const FUNCTION = /\bexport (?:async )?function (\w+)\(\w+: Request\): Promise<Response>/
const RECEIVES = /\bwebhooks\.verify\(/

/** Returns every receiver of the documents and of examples/. Throws if there is one that cannot be run here. */
export function listReceivers(): Receiver[] {
  const blocks = listPages().flatMap((page) =>
    readBlocks(page)
      .filter(({ language }) => ['js', 'mjs', 'ts', 'javascript', 'typescript'].includes(language))
      .map(({ line, text }) => ({ name: `${page}:${line}`, code: text })),
  )
  const files = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?[jt]s$/.test(file))
    .map((file) => ({ name: `examples/${file}`, code: readFileSync(join(root, 'examples', file), 'utf8') }))
  // A file that a page shows is attacked once.
  const different = new Map([...blocks, ...files].map((found) => [found.code, found]))
  return [...different.values()].flatMap(({ name, code }): Receiver[] => {
    if (PROGRAM.test(code)) return [{ name, code, kind: 'program' }]
    if (FUNCTION.test(code)) return [{ name, code, kind: 'function' }]
    if (RECEIVES.test(code)) throw new Error(`${name} receives webhooks in a way that is not attacked here.`)
    return []
  })
}

/** Loaded before a receiver: it listens on a free port, whichever it asks for, and says which one that is. */
const PRELOAD = `
import { Server } from 'node:net'
const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  if (typeof args[0] === 'number') args[0] = 0
  this.once('listening', () => process.send({ port: this.address().port }))
  return listen.apply(this, args)
}
`

/** A function that throws ends the process, as it does in the frameworks that do not catch it. */
const FRAMEWORK = `
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { NAME as receive } from './receiver.mts'
createServer(async (incoming, outgoing) => {
  // Those that a Request cannot have, which frameworks refuse by themselves.
  if (['CONNECT', 'TRACE', 'TRACK'].includes(incoming.method)) return outgoing.writeHead(405).end()
  const hasBody = !['GET', 'HEAD'].includes(incoming.method)
  const request = new Request('http://127.0.0.1' + incoming.url, {
    method: incoming.method,
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  })
  const response = await receive(request)
  outgoing.writeHead(response.status, { connection: 'close' }).end(await response.text())
}).listen(0, '127.0.0.1')
`

export class RunningReceiver {
  readonly #child: ChildProcess
  readonly #folder: string
  #port: number | undefined
  printed = ''

  constructor({ code, kind }: Receiver, environ: Record<string, string>) {
    this.#folder = mkdtempSync(join(tmpdir(), 'cardstock-receiver-'))
    mkdirSync(join(this.#folder, 'node_modules', '@cardstock'), { recursive: true })
    symlinkSync(join(root, 'sdk'), join(this.#folder, 'node_modules', '@cardstock', 'sdk'))
    writeFileSync(join(this.#folder, 'preload.mjs'), PRELOAD)
    writeFileSync(join(this.#folder, 'receiver.mts'), code)
    const name = FUNCTION.exec(code)?.[1] ?? ''
    writeFileSync(join(this.#folder, 'framework.mts'), FRAMEWORK.replace('NAME', name))
    const main = kind === 'program' ? 'receiver.mts' : 'framework.mts'
    const tsx = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')
    this.#child = spawn(process.execPath, ['--import', tsx, '--import', './preload.mjs', main], {
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], ...environ },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child.on('message', ({ port }: { port: number }) => (this.#port = port))
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.printed += text))
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async port(): Promise<number> {
    await until('the receiver listens', () => {
      if (!this.isAlive) throw new Error(`the receiver ended: ${this.printed}`)
      return this.#port !== undefined
    })
    return this.#port ?? 0
  }

  async stop(): Promise<void> {
    if (this.isAlive) {
      const ended = once(this.#child, 'exit')
      this.#child.kill()
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
