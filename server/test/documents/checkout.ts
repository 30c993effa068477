// A checkout for the commands of a document, in a folder of its own, and the programs that a reader has: Node, npm, curl and
// the usual commands of a shell, and nothing else.
import { execFileSync } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './blocks.ts'

const TOOLS = ['node', 'npm', 'curl', 'bash', 'sh', 'grep', 'sleep', 'date', 'cat', 'cp', 'mv', 'rm', 'mkdir']
/** Runs the command of an installed package, as npx does, without the half second that npm needs to find it. */
const QUICK_NPX = '#!/bin/sh\nexec node_modules/.bin/"$@"\n'
/** What a clone does not have. */
const NOT_CLONED = new Set(['.git', 'node_modules', 'dist', 'data'])

export class Checkout {
  readonly #parent = mkdtempSync(join(tmpdir(), 'cardstock-document-'))
  readonly folder = join(this.#parent, 'checkout')
  readonly environ: Record<string, string>

  /** `fresh` copies what a clone would have, so that the first command has to compile it; otherwise this build is used. */
  constructor(environ: Record<string, string>, { fresh = false } = {}) {
    const bin = join(this.#parent, 'bin')
    mkdirSync(bin)
    mkdirSync(this.folder)
    for (const tool of TOOLS) symlinkSync(find(tool), join(bin, tool))
    if (fresh) {
      symlinkSync(find('npx'), join(bin, 'npx'))
      this.#clone()
    } else {
      writeFileSync(join(bin, 'npx'), QUICK_NPX, { mode: 0o755 })
      for (const name of [
        'package.json',
        'node_modules',
        'server',
        'sdk',
        'cli',
        'private-postgres',
        'console',
        'scripts',
        'examples',
      ])
        this.#link(name)
    }
    const npm = { npm_config_update_notifier: 'false' }
    this.environ = { PATH: bin, HOME: this.#parent, LOG_LEVEL: 'silent', ...npm, ...environ }
  }

  #link(name: string): void {
    symlinkSync(join(root, name), join(this.folder, name))
  }

  /** The packages are those that `npm ci` installed here, but the workspaces among them are the copies. */
  #clone(): void {
    const isCloned = (path: string) =>
      !path
        .slice(root.length)
        .split('/')
        .some((name) => NOT_CLONED.has(name))
    cpSync(root, this.folder, { recursive: true, filter: isCloned })
    for (const workspace of ['', 'server', 'sdk', 'cli', 'private-postgres', 'docs-site', 'console'])
      this.#linkPackages(join(workspace, 'node_modules'))
    // Building the console takes longer than everything else together, and no guide uses it. It is copied last, so that it is
    // newer than its sources.
    cpSync(join(root, 'console', 'dist'), join(this.folder, 'console', 'dist'), { recursive: true })
  }

  #linkPackages(folder: string): void {
    let names: string[] = []
    try {
      names = readdirSync(join(root, folder))
    } catch {
      return // npm makes the folder only where a workspace needs a version of its own
    }
    mkdirSync(join(this.folder, folder))
    for (const name of names) {
      const path = join(folder, name)
      // Links of npm: to the workspaces, and from the names of commands.
      const isLinks = ['@cardstock', '.bin'].includes(name) || lstatSync(join(root, path)).isSymbolicLink()
      if (isLinks) cpSync(join(root, path), join(this.folder, path), { recursive: true, verbatimSymlinks: true })
      else this.#link(path)
    }
  }

  /** Returns what the commands have added to the folder of the checkout, apart from the data folder. */
  listAdded(): string[] {
    const cloned = new Set([...readdirSync(root), 'node_modules', 'data'])
    return readdirSync(this.folder).filter((name) => !cloned.has(name))
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true })
  }
}

function find(tool: string): string {
  if (tool === 'node') return process.execPath
  return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim()
}
