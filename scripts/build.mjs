// Compiles the workspaces into their dist folders when a source file is newer than the last build.
// It is plain JavaScript because it runs before anything is compiled. Each build goes into a folder of its own, which is
// then renamed, so that processes that start at the same time never see an incomplete build.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listChecksums, pack } from './pack/pack-all.mjs'
import { indentWithTabs, joinTypes, removeUnreachable, simplifyMaps, writeCommonJs } from './build/package-files.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** What the documentation is rendered from, beside the sources of its renderer. */
const DOCUMENTS = [
  'CHANGELOG.md',
  'docs',
  'docs-site/assets',
  'sdk/README.md',
  'examples/README.md',
  'openapi.json',
  'openapi-admin.json',
  'openapi-console.json',
  'issuer-openapi.json',
]

/** What the packages of the SDK and of the command line are made of, beside the sources of the latter. */
const PACKED = [
  'openapi.json',
  'sdk/src',
  'sdk/package.json',
  'sdk/README.md',
  'cli/bin',
  'cli/README.md',
  'package.json',
  'LICENSE',
  'scripts/pack',
]

/** What the program of the server is joined from, beside its own modules. */
const JOINED = ['cli/src', 'private-postgres/src', 'scripts/build/join-program.mjs']

/** In the order in which they need each other. A build goes into `dist`, and is repeated when one of `reads` is newer. */
const WORKSPACES = [
  { name: 'sdk', build: compilePackage, dist: 'sdk/dist', reads: ['openapi.json'] },
  { name: 'cli', build: compile, dist: 'cli/dist', reads: [] },
  // What the server offers at /downloads is a part of its package.
  { name: 'cli', build: packDownloads, dist: 'server/downloads/dist', reads: PACKED },
  { name: 'private-postgres', build: compile, dist: 'private-postgres/dist', reads: [] },
  // The rendered pages are a part of the server's package.
  { name: 'docs-site', build: renderSite, dist: 'server/docs/dist', reads: DOCUMENTS },
  { name: 'server', build: compile, dist: 'server/dist', reads: [] },
  { name: 'server', build: joinModules, dist: 'server/program/dist', reads: JOINED },
  { name: 'console', build: bundle, dist: 'console/dist', reads: ['sdk/src', 'sdk/package.json', 'sdk/tsconfig.json'] },
]

/** Builds the workspaces that changed, or all of them. Throws the compiler's output when one does not compile. */
export function ensureBuilt({ isForced = false } = {}) {
  const found = new Map()
  for (const { name, build, dist: target, reads } of WORKSPACES) {
    const folder = join(root, name)
    const dist = join(root, target)
    const stamp = join(dist, '.built')
    if (!isForced && existsSync(stamp) && statSync(stamp).mtimeMs > newestSource(folder, reads, found)) continue
    const draft = `${dist}.${process.pid}.new`
    try {
      build(folder, draft)
      writeFileSync(join(draft, '.built'), '')
      replace(dist, draft)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
}

function compile(folder, outDir) {
  // Checking the types takes three quarters of the time, and somebody waits for the server. `npm run check` does it.
  runCompiler('-p', folder, '--outDir', outDir, '--noCheck')
}

function joinModules(_folder, outDir) {
  const command = [join(root, 'scripts/build/join-program.mjs'), outDir]
  const result = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`The modules of the server cannot be joined:\n${result.stderr}`)
}

/** Builds the console. It is the only step that takes more than a moment, so it says what it does. */
function bundle(folder, outDir) {
  process.stderr.write('Building the console, once (about ten seconds) …\n')
  const vite = createRequire(join(folder, 'package.json')).resolve('vite/package.json')
  const command = [join(dirname(vite), 'bin', 'vite.js'), 'build', folder, '--outDir', outDir]
  // Another value, as tests have, would put paths of this machine into the bundle.
  const env = { ...process.env, NODE_ENV: 'production' }
  const result = spawnSync(process.execPath, command, { cwd: folder, env, encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`The console does not build:\n${result.stdout}${result.stderr}`)
}

/**
 * Builds a package for others: ES modules and CommonJS, with source maps. The code comes without comments, which are in
 * the types, where editors show them. The two folders have the same file names and, but for imports and exports, the same
 * lines, because npm sorts a package by file name and the compression then finds everything that the two have in common.
 */
function compilePackage(folder, outDir) {
  const esm = join(outDir, 'esm')
  const cjs = join(outDir, 'cjs')
  runCompiler('-p', folder, '--outDir', esm, '--removeComments', '--declaration', 'false')
  writeTypes(folder, { esm, cjs })
  removeUnreachable(esm, ENTRIES)
  simplifyMaps(esm, ENTRIES)
  for (const target of [esm, cjs]) indentWithTabs(target)
  writeCommonJs(esm, cjs)
  writeFileSync(join(cjs, 'package.json'), '{"type":"commonjs"}\n')
  // For mocks and generators, without its white space.
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  writeFileSync(join(outDir, 'openapi.json'), `${JSON.stringify(document)}\n`)
}

/** The modules that a program can import, as sdk/package.json names them, the main one first. */
const ENTRIES = ['index', 'statements', 'mock', 'bulk', 'csv']

/** Both kinds of modules share the files of types: ES modules may import types of CommonJS, but not the other way round. */
function writeTypes(folder, { esm, cjs }) {
  const types = join(cjs, 'types')
  runCompiler('-p', folder, '--outDir', types, '--emitDeclarationOnly')
  const [main] = ENTRIES
  for (const entry of ENTRIES) {
    writeFileSync(join(cjs, `${entry}.d.ts`), joinTypes(types, entry, main))
    writeFileSync(join(esm, `${entry}.d.ts`), `export * from '../cjs/${entry}.js'\n`)
  }
  rmSync(types, { recursive: true })
}

/** Packs what companies install from the server. The names have no version, so that their addresses stay. */
function packDownloads(_folder, outDir) {
  const files = new Map(['sdk', 'cli'].map((workspace) => [`${workspace}.tgz`, pack(workspace).bytes]))
  mkdirSync(outDir, { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(outDir, name), bytes)
  writeFileSync(join(outDir, 'SHA256SUMS'), listChecksums(files))
}

function runCompiler(...args) {
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  const command = [join(dirname(compiler), 'lib', 'tsc.js'), ...args]
  const result = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`${args[1]} does not compile:\n${result.stdout}${result.stderr}`)
}

/** Renders the documentation. The renderer is compiled for this moment only: nothing else uses it. */
function renderSite(folder, outDir) {
  const renderer = `${join(folder, 'dist')}.${process.pid}.new`
  try {
    compile(folder, renderer)
    const result = spawnSync(process.execPath, [join(renderer, 'main.js'), outDir], { encoding: 'utf8' })
    if (result.status !== 0) throw new Error(`The documentation cannot be rendered:\n${result.stderr}`)
  } finally {
    rmSync(renderer, { recursive: true, force: true })
  }
}

function replace(dist, draft) {
  const old = `${dist}.${process.pid}.old`
  try {
    renameSync(dist, old)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  try {
    renameSync(draft, dist)
  } catch (error) {
    // Another process renamed its build first. It has the same sources, so keep it.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  }
  rmSync(old, { recursive: true, force: true })
}

function newestSource(folder, reads, found) {
  const sources = [join(folder, 'src'), ...reads.map((path) => join(root, path))]
  const others = [
    'tsconfig.json',
    'package.json',
    'index.html',
    'vite.config.ts',
    'build/compress-files.ts',
    'build/join-chunks.ts',
    'build/list-pages.ts',
  ]
  const files = [...others.map((name) => join(folder, name)), join(root, 'tsconfig.base.json')]
  return Math.max(...sources.map((path) => newestIn(path, found)), ...files.map((file) => timeOf(file) ?? 0))
}

/** Returns when a file, or the newest one in a folder, was changed. What is `found` is kept: several workspaces read the same sources. */
function newestIn(path, found) {
  const known = found.get(path)
  if (known !== undefined) return known
  const files = statSync(path).isDirectory() ? listFiles(path) : [path]
  const newest = Math.max(...files.map((file) => timeOf(file) ?? 0))
  found.set(path, newest)
  return newest
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return listFiles(path)
    return entry.isFile() ? [path] : []
  })
}

/** Undefined: there is no such file. */
const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt()
