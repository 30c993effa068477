// Somebody who has nothing of this checkout: an empty folder, another account of the machine if this one may choose it, and only Node and npm
// in the path. What they install comes from archives and, for other projects' packages, from npm's cache or its registry.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The account that owns nothing. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export class Stranger {
  readonly #parent = mkdtempSync(join(tmpdir(), 'cardstock-stranger-'))
  /** Where they work. It is empty at first. */
  readonly folder = join(this.#parent, 'project')
  readonly environ: Record<string, string>
  readonly account = isRoot ? { uid: NOBODY, gid: NOBODY } : undefined
  readonly #running = new Set<ChildProcess>()

  constructor(environ: Record<string, string> = {}) {
    const bin = join(this.#parent, 'bin')
    for (const path of [bin, this.folder]) mkdirSync(path)
    for (const tool of ['node', 'npm', 'npx', 'sh', 'bash', 'curl', 'sleep', 'cat', 'mkdir'])
      symlinkSync(find(tool), join(bin, tool))
    // npm looks for node beside itself.
    const cache = isRoot ? this.#shareCache() : npmCache()
    this.environ = {
      PATH: bin,
      HOME: this.#parent,
      npm_config_cache: cache,
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      ...registryOf(),
      ...environ,
    }
    if (isRoot) for (const path of [this.#parent, bin, this.folder]) chownSync(path, NOBODY, NOBODY)
  }

  /** Links what npm has in its cache, because another account cannot enter the folder. The files stay those of their owner. */
  #shareCache(): string {
    const cache = join(this.#parent, 'npm')
    const source = join(npmCache(), '_cacache')
    mkdirSync(join(cache, '_cacache'), { recursive: true })
    for (const part of ['content-v2', 'index-v5']) {
      const isIndex = part === 'index-v5'
      if (existsSync(join(source, part))) link(join(source, part), join(cache, '_cacache', part), isIndex)
    }
    for (const path of [cache, join(cache, '_cacache')]) chownSync(path, NOBODY, NOBODY)
    return cache
  }

  /** Gives them a file, such as one of a release. */
  give(path: string, name: string): void {
    cpSync(path, join(this.folder, name))
    this.#own(name)
  }

  /** Makes a folder that only they can read, unless it is there. */
  makeFolder(name: string): void {
    mkdirSync(join(this.folder, name), { recursive: true, mode: 0o700 })
    this.#own(name)
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
    this.#own(name)
  }

  #own(name: string): void {
    if (isRoot) chownSync(join(this.folder, name), NOBODY, NOBODY)
  }

  /** Starts a program, such as `node_modules/.bin/cardstock`. */
  start(program: string, args: readonly string[], environ: Record<string, string> = {}, input?: string): ChildProcess {
    const path = program.includes('/') ? join(this.folder, program) : join(this.environ['PATH'] ?? '', program)
    const child = spawn(path, [...args], {
      cwd: this.folder,
      env: { ...this.environ, ...environ },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...this.account,
    })
    child.stdin?.end(input)
    this.#running.add(child)
    child.once('close', () => this.#running.delete(child))
    return child
  }

  async run(
    program: string,
    args: readonly string[],
    environ?: Record<string, string>,
    input?: string,
  ): Promise<Ended> {
    const child = this.start(program, args, environ, input)
    let [out, err] = ['', '']
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, out, err }
  }

  /** Runs a program that must succeed, and returns what it prints. */
  async get(
    program: string,
    args: readonly string[],
    environ?: Record<string, string>,
    input?: string,
  ): Promise<string> {
    const { code, out, err } = await this.run(program, args, environ, input)
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${out}${err}`)
    return out
  }

  async leave(): Promise<void> {
    for (const child of this.#running) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    rmSync(this.#parent, { recursive: true, force: true })
  }
}

/** Makes a tree of hard links; copies what will be changed, or is on another disk. */
function link(source: string, target: string, isChanged: boolean): void {
  mkdirSync(target)
  chownSync(target, NOBODY, NOBODY)
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.isDirectory()) link(from, to, isChanged)
    else if (isChanged) copy(from, to)
    else {
      try {
        linkSync(from, to)
      } catch {
        copy(from, to)
      }
    }
  }
}

function copy(from: string, to: string): void {
  cpSync(from, to)
  chownSync(to, NOBODY, NOBODY)
}

const npm = (...args: string[]) =>
  execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
const npmCache = () => npm('config', 'get', 'cache')

/** The registry that this machine uses, which may be a mirror. */
function registryOf(): Record<string, string> {
  return { npm_config_registry: npm('config', 'get', 'registry') }
}

function find(tool: string): string {
  if (tool === 'node') return process.execPath
  const beside = join(dirname(process.execPath), tool)
  if (existsSync(beside)) return beside
  return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim()
}
