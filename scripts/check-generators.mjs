// `npm run generators -- openapi-generator-cli.jar`: generates clients in TypeScript and Python from the OpenAPI documents with
// openapi-generator, and checks that they compile. It needs Java, Python 3 and the jar (org.openapitools:openapi-generator-cli),
// so it is not part of `npm test`.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const DOCUMENTS = ['openapi', 'openapi-admin', 'issuer-openapi']
const GENERATORS = ['typescript-fetch', 'python']
const COMPILER_OPTIONS = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'es2022']

const jar = process.argv[2]
if (jar === undefined) {
  console.error('Usage: npm run generators -- <path of openapi-generator-cli.jar>')
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'cardstock-generators-'))
const problems = []
try {
  for (const document of DOCUMENTS)
    for (const generator of GENERATORS) {
      const out = join(folder, `${generator}-${document}`)
      const input = join(root, `${document}.json`)
      run('java', ['-jar', jar, 'generate', '-i', input, '-g', generator, '-o', out])
      const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|py)$/.test(name))
      problems.push(...findBadNames(files), ...findEmptyUnions(out, files))
      if (generator === 'python') run('python3', ['-m', 'compileall', '-q', out])
      else compile(files.filter((name) => name.endsWith('.ts')).map((name) => join(out, name)))
      console.log(`${document} ${generator}: ${files.length} files`)
    }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

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

function compile(files) {
  const compiler = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
  const libraries = ['--lib', 'es2022,dom', '--moduleResolution', 'bundler', '--types', '']
  run(process.execPath, [compiler, ...COMPILER_OPTIONS, ...libraries, ...files])
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (error !== undefined) throw error
  if (status !== 0) problems.push(`${command} ${args.slice(0, 8).join(' ')} failed:\n${(stdout + stderr).slice(-4000)}`)
}
