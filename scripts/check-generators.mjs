// `npm run generators [-- --tools <folder>]`: generates clients from the OpenAPI documents with the code generators that are
// installed, checks that their code compiles, and calls a server with those that `generators/calls.mjs` has a program for. It needs
// programs that are not dependencies of this project, so it is not part of `npm test`; for each that is missing it says so in one
// line. The folder is where `npm install @hey-api/openapi-ts orval
// typescript@5` was run, outside of this repository; openapi-generator-cli.jar is looked for there too.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findWrong, writeProgram } from './generators/calls.mjs'
import { toOpenApi30 } from './generators/openapi30.mjs'
import { startServer } from './generators/server.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const DOCUMENTS = ['openapi', 'openapi-admin', 'issuer-openapi']
/** The document whose clients call the server. */
const CALLED = 'openapi'
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'es2022',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
}

const at = process.argv.indexOf('--tools')
const tools = resolve(at === -1 ? '.' : (process.argv[at + 1] ?? '.'))
const inTools = (path) => (existsSync(join(tools, path)) ? join(tools, path) : undefined)
const inPath = (command) => (spawnSync(command, ['--version']).error === undefined ? command : undefined)
const [java, maven, python, go] = [inPath('java'), inPath('mvn'), inPath('python3'), inPath('go')]
const jar = inTools('openapi-generator-cli.jar')

/** Each generator: what it needs, how it is called, and how its code is checked. */
const GENERATORS = [
  {
    name: 'hey-api',
    needs: { '@hey-api/openapi-ts': inTools('node_modules/@hey-api/openapi-ts/bin/run.js') },
    generate: (input, out, [script]) => run(process.execPath, [script, '-i', input, '-o', out]),
    check: compileTypeScript,
  },
  {
    name: 'orval',
    needs: { orval: findBin('orval') },
    generate(input, out, [script]) {
      const config = join(out, '..', `${basename(out)}.config.cjs`)
      const output = { target: join(out, 'api.ts'), client: 'fetch', mode: 'single', baseUrl: server.url }
      const settings = { input, output }
      writeFileSync(config, `module.exports = { api: ${JSON.stringify(settings)} }\n`)
      run(process.execPath, [script, '--config', config])
    },
    check: compileTypeScript,
  },
  openApiGenerator('typescript-fetch', {}, compileTypeScript),
  openApiGenerator('python', { python3: python }, compilePython),
  openApiGenerator('go', { go }, compileGo),
  openApiGenerator('java', { mvn: maven }, compileJava),
  {
    name: 'oapi-codegen',
    needs: { 'oapi-codegen': inPath('oapi-codegen'), go },
    // It reads OpenAPI 3.0 only.
    generate(input, out) {
      const older = `${out}.json`
      writeFileSync(older, JSON.stringify(toOpenApi30(JSON.parse(readFileSync(input, 'utf8')))))
      mkdirSync(out)
      run('oapi-codegen', ['-generate', 'types,client', '-package', 'api', '-o', join(out, 'api.go'), older])
      if (existsSync(join(out, 'api.go'))) run('go', ['mod', 'init', 'example.com/api'], out)
    },
    check: compileGo,
  },
  {
    name: 'openapi-python-client',
    needs: { 'openapi-python-client': inPath('openapi-python-client'), python3: python },
    generate: (input, out) =>
      run('openapi-python-client', ['generate', '--path', input, '--output-path', out, '--meta', 'none']),
    check: compilePython,
  },
]

const problems = []
const folder = mkdtempSync(join(tmpdir(), 'cardstock-generators-'))
const server = await startServer()
const called = []
try {
  for (const { name, needs, generate, check } of GENERATORS) {
    const missing = Object.keys(needs).filter((need) => needs[need] === undefined)
    if (missing.length > 0) console.log(`${name}: left out, because ${missing.join(' and ')} is not installed.`)
    else
      for (const document of DOCUMENTS) tryGenerator({ name, document, generate, check, found: Object.values(needs) })
  }
  if (jar !== undefined && java !== undefined) checkExampleClients()
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${called.length} clients called the server: ${called.join(', ')}`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function tryGenerator({ name, document, generate, check, found }) {
  const before = problems.length
  const out = join(folder, `${name.replaceAll(' ', '-')}-${document}`)
  generate(join(root, `${document}.json`), out, found)
  const files = existsSync(out) ? readdirSync(out, { recursive: true, encoding: 'utf8' }) : []
  const sources = files.filter((file) => /\.(ts|py|go|java)$/.test(file))
  if (sources.length === 0) problems.push(`${name} wrote nothing for ${document}.`)
  else check(out)
  problems.push(...findBadNames(sources), ...findEmptyUnions(out, sources))
  if (document === CALLED) callServer(name, out)
  console.log(`${name} ${document}: ${sources.length} files, ${problems.length - before} problems`)
}

/** Their generator is openapi-generator, too. */
function checkExampleClients() {
  const script = join(root, 'scripts', 'example-clients.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check', '--tools', tools], {
    encoding: 'utf8',
  })
  process.stdout.write(stdout)
  if (status !== 0)
    problems.push(`The clients of the examples are not those that would be generated:\n${stdout}${stderr}`)
}

function callServer(name, out) {
  const program = writeProgram(name, out, server)
  if (program === undefined) return
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
  const [command, ...args] = program.endsWith('.py') ? ['python3', program] : [process.execPath, tsx, program]
  const { stdout, stderr } = spawnSync(command, args, { cwd: out, encoding: 'utf8' })
  problems.push(...findWrong(name, stdout || stderr))
  called.push(name)
}

function openApiGenerator(generator, needs, check) {
  return {
    name: `openapi-generator ${generator}`,
    needs: { 'openapi-generator-cli.jar': jar, java, ...needs },
    generate: (input, out) => run('java', ['-jar', jar, 'generate', '-i', input, '-g', generator, '-o', out]),
    check,
  }
}

function findBin(name) {
  const manifest = inTools(`node_modules/${name}/package.json`)
  if (manifest === undefined) return undefined
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  return join(tools, 'node_modules', name, typeof bin === 'string' ? bin : bin[name])
}

/** A generator invents such a name for a schema that has none. */
function findBadNames(files) {
  const names = new Set(files.map((name) => basename(name).replace(/\.\w+$/, '')))
  return [...names]
    .filter((name) => /\d+_?response|_?response_?\d|inline_?(object|response)|_?inner\d*$|[a-z]\d$/i.test(name))
    .filter((name) => !/last_?4/i.test(name))
    .map((name) => `The generated class ${name} has an invented name.`)
}

function findEmptyUnions(out, files) {
  return files
    .filter((name) => /export type \w+ = *;/.test(readFileSync(join(out, name), 'utf8')))
    .map((name) => `${name} has an empty union.`)
}

function compileTypeScript(out) {
  const compiler = inTools('node_modules/typescript/lib/tsc.js') ?? join(root, 'node_modules/typescript/lib/tsc.js')
  const project = join(out, 'tsconfig.check.json')
  writeFileSync(project, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['**/*.ts'] }))
  run(process.execPath, [compiler, '-p', project])
}

function compilePython(out) {
  run('python3', ['-m', 'compileall', '-q', out])
}

function compileGo(out) {
  run('go', ['mod', 'tidy'], out)
  run('go', ['build', './...'], out)
}

function compileJava(out) {
  run('mvn', ['-q', '-B', '-DskipTests', 'compile'], out)
}

function run(command, args, cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error !== undefined) throw error
  if (status !== 0) problems.push(`${command} ${args.slice(0, 8).join(' ')} failed:\n${(stdout + stderr).slice(-4000)}`)
}
