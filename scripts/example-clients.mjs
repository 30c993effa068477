// `npm run example-clients [-- --check] --tools <folder>`: generates the clients of examples/go and examples/python from
// examples/openapi.json with openapi-generator. The folder has openapi-generator-cli.jar, as for `npm run generators`; Java must be in the path.
// With --check it writes nothing, and fails when a client differs from what it would write.
import '../server/bin/require-node.mjs'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const DOCUMENT = join(root, 'examples/openapi.json')
/** The tests compare it with the document, so that no client is forgotten where openapi-generator is not installed. */
const MARK = 'generated-from.txt'
/** An older client must be able to read a field that is added tomorrow. */
const TOLERANT = 'disallowAdditionalPropertiesIfNotPresent=false'

const CLIENTS = [
  {
    generator: 'go',
    target: 'examples/go/client',
    // Without the choice by `type`, the code needs another package.
    options: `packageName=client,withGoMod=false,useOneOfDiscriminatorLookup=true,${TOLERANT}`,
    source: '.',
    isCode: (name) => name.endsWith('.go') && !name.includes('/'),
  },
  {
    generator: 'python',
    target: 'examples/python/cardstock_client',
    options: `packageName=cardstock_client,${TOLERANT}`,
    source: 'cardstock_client',
    isCode: (name) => name.endsWith('.py'),
  },
]

const isCheck = process.argv.includes('--check')
const at = process.argv.indexOf('--tools')
const jar = resolve(at === -1 ? '.' : (process.argv[at + 1] ?? '.'), 'openapi-generator-cli.jar')
if (!existsSync(jar)) {
  console.error(`There is no ${jar}. Name the folder that has it: npm run example-clients -- --tools <folder>`)
  process.exit(1)
}

const work = mkdtempSync(join(tmpdir(), 'cardstock-example-clients-'))
try {
  for (const client of CLIENTS) {
    const made = generate(client)
    if (isCheck) compare(client.target, made)
    else replace(client.target, made)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Returns the files of a client by their path. */
function generate({ generator, options, source, isCode }) {
  const out = join(work, generator)
  const args = ['-jar', jar, 'generate', '-i', DOCUMENT, '-g', generator, '-o', out, '--additional-properties', options]
  execFileSync('java', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const made = readFiles(join(out, source), isCode)
  const digest = createHash('sha256').update(readFileSync(DOCUMENT)).digest('hex')
  return made.set(MARK, `${digest}\n`)
}

function compare(target, made) {
  const kept = readFiles(join(root, target), (path) => !path.includes('__pycache__'))
  const names = [...new Set([...made.keys(), ...kept.keys()])]
  const changed = names.filter((name) => made.get(name) !== kept.get(name))
  if (changed.length > 0) process.exitCode = 1
  console.log(changed.length === 0 ? `${target}: up to date` : `${target} is stale: ${changed.join(', ')}`)
}

function replace(target, made) {
  rmSync(join(root, target), { recursive: true, force: true })
  for (const [name, text] of made) {
    const path = join(root, target, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  console.log(`${target}: ${made.size} files written`)
}

function readFiles(folder, isWanted) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const names = paths.map((path) => relative(folder, path).replaceAll(sep, '/')).filter(isWanted)
  return new Map(names.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
