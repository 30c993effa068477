// The packed SDK, installed in an empty project outside the repository: ESM, CommonJS and strict TypeScript.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack } from '../../scripts/pack/pack-all.mjs'
import { VERSION } from '../src/options.ts'
import { type Listener, startListener } from './listener.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tsc = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
/** What a page of a browser loads, minified and compressed. */
const BROWSER_BYTES_MAX = 8 * 1024

let folder: string
let project: string
let tarball: string
let listener: Listener

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-sdk-'))
  project = join(folder, 'project')
  mkdirSync(project)
  const { bytes, fileName } = pack('sdk')
  tarball = join(folder, fileName)
  writeFileSync(tarball, bytes)
  writeFileSync(join(project, 'package.json'), '{"name":"elsewhere","private":true}')
  npm(project, 'install', '--offline', '--no-audit', '--no-fund', tarball)
  listener = await startListener()
})
afterAll(async () => {
  await listener.close()
  rmSync(folder, { recursive: true, force: true })
})

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

const installed = (path: string) => join(project, 'node_modules', '@cardstock', 'sdk', path)

async function run(file: string, text: string): Promise<string> {
  writeFileSync(join(project, file), text)
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    let out = ''
    const environ = { PATH: process.env['PATH'], CARDSTOCK_URL: listener.baseUrl, CARDSTOCK_API_KEY: 'cstk_sandbox_x' }
    const child = spawn(process.execPath, [file], { cwd: project, env: environ })
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.on('close', () => resolve(out))
  })
}

const PROGRAM = `
const cardstock = new Cardstock()
const main = async () => {
  console.log((await cardstock.balance.get()).available, amounts.add('0.10', '0.20'), typeof webhooks.verify, VERSION)
}
main()
`

describe('the package', () => {
  test(`is smaller than ${BROWSER_BYTES_MAX} bytes in the bundle of a web page`, async () => {
    // The client of a company with everything that hangs on it. CardstockAdmin is for operators, whose token no page has.
    writeFileSync(
      join(project, 'page.js'),
      "import { Cardstock } from '@cardstock/sdk'\nglobalThis.client = Cardstock\n",
    )
    const built = await build({
      root: project,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, modulePreload: false, rollupOptions: { input: join(project, 'page.js') } },
    })
    const [output] = 'output' in built ? built.output : []
    const code = output?.type === 'chunk' ? output.code : ''
    expect(code).toContain('cardstock-sdk/')
    expect(gzipSync(code).length).toBeLessThan(BROWSER_BYTES_MAX)
  })

  test('contains its licence, README and source maps, and nothing that is not meant to be published', () => {
    for (const file of ['LICENSE', 'README.md']) expect(existsSync(installed(file)), file).toBe(true)
    for (const file of ['dist/esm/amounts.js', 'dist/cjs/resources/admin.js']) {
      const [, map = ''] = /sourceMappingURL=(\S+)/.exec(readFileSync(installed(file), 'utf8')) ?? []
      const path = join(dirname(installed(file)), map)
      const { sources, sourcesContent } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string[]>
      // The package has no sources beside the maps, so that a debugger finds them only there.
      const source = readFileSync(join(root, 'sdk', 'dist', 'esm', dirname(file.slice(9)), sources?.[0] ?? ''), 'utf8')
      expect(sourcesContent, file).toEqual([source])
    }
    for (const file of ['src', 'test', 'tsconfig.json', 'dist/.built'])
      expect(existsSync(installed(file)), file).toBe(false)
    expect(readFileSync(installed('LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
  })

  test('has no dependencies, is not private, and its version is the one in its user agent', () => {
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).toMatchObject({ version: VERSION, sideEffects: false })
    for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'private'])
      expect(manifest[field]).toBeUndefined()
  })
})

describe('a program', () => {
  test('imports it', async () => {
    listener.reply = () => ({ body: { available: '12.00' } })
    const head = "import { amounts, Cardstock, VERSION, webhooks } from '@cardstock/sdk'"
    expect(await run('main.mjs', head + PROGRAM)).toBe(`12.00 0.30 function ${VERSION}\n`)
  })

  test.each([
    ['index', '@cardstock/sdk', 'WebhookVerificationError'],
    ['statements', '@cardstock/sdk/statements', 'verifyStatement'],
    ['mock', '@cardstock/sdk/mock', 'createMock'],
    ['bulk', '@cardstock/sdk/bulk', 'sendBulk'],
    ['csv', '@cardstock/sdk/csv', 'parseCsv'],
  ])(
    'finds the same names whether it imports or requires it, and each has a type: %s',
    async (entry, specifier, one) => {
      const types = readFileSync(installed(`dist/cjs/${entry}.d.ts`), 'utf8')
      const load = `console.log(JSON.stringify([Object.keys(await import('${specifier}')), Object.keys(require('${specifier}'))]))`
      const head = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
      const [imported = [], required = []] = JSON.parse(await run(`names-${entry}.mjs`, head + load)) as string[][]
      expect(required.filter((name) => name !== '__esModule').toSorted()).toEqual(imported.toSorted())
      expect(imported).toContain(one)
      for (const value of imported)
        expect(types).toMatch(new RegExp(`^export declare (?:class|const|function) ${value}\\b`, 'm'))
    },
  )

  test('loads the check of statements only from its own entrance', () => {
    const loaded = new Set<string>()
    const load = (file: string) => {
      if (loaded.has(file)) return
      loaded.add(file)
      for (const [, path = ''] of readFileSync(installed(file), 'utf8').matchAll(/from '(\..*)'/g))
        load(join(dirname(file), path))
    }
    load('dist/esm/index.js')
    expect([...loaded].filter((file) => file.includes('statements'))).toEqual([])
    load('dist/esm/statements.js')
    expect(loaded).toContain('dist/esm/statements/verify.js')
  })

  const CHECK = `
const { readFileSync } = require('node:fs')
const vectors = JSON.parse(readFileSync(${JSON.stringify(join(root, 'vectors', 'statements.json'))}, 'utf8'))
const found = vectors.map(({ statement }) => verifyStatement(statement).problems.map(({ where }) => where))
console.log(JSON.stringify(found) === JSON.stringify(vectors.map(({ where }) => where)), vectors.length)
`
  test.each([
    [
      'statements.mjs',
      `import { createRequire } from 'node:module'
import { verifyStatement } from '@cardstock/sdk/statements'
const require = createRequire(import.meta.url)`,
    ],
    ['statements.cjs', "const { verifyStatement } = require('@cardstock/sdk/statements')"],
  ])('checks the statements of vectors/ as they must be checked: %s', async (file, head) => {
    const { length } = JSON.parse(readFileSync(join(root, 'vectors', 'statements.json'), 'utf8')) as unknown[]
    expect(await run(file, head + CHECK)).toBe(`true ${length}\n`)
  })

  test('requires it', async () => {
    listener.reply = () => ({ body: { available: '12.00' } })
    const head = "const { amounts, Cardstock, VERSION, webhooks } = require('@cardstock/sdk')"
    expect(await run('main.cjs', head + PROGRAM)).toBe(`12.00 0.30 function ${VERSION}\n`)
  })

  test('gets the rest of an answer that was cut, and refuses what is not a raw body', async () => {
    const whole = { body: { available: '12.00' } }
    const asked = listener.asked.length
    listener.reply = () => (listener.asked.length === asked + 1 ? { ...whole, half: 'cut' } : whole)
    const text = `import { Cardstock, webhooks, WebhookVerificationError } from '@cardstock/sdk'
console.log((await new Cardstock().balance.get()).available)
for (const body of [{ type: 'x' }, undefined, new ArrayBuffer(2)])
  await webhooks.verify(body, {}, 'whsec_x').catch((error) => console.log(error instanceof WebhookVerificationError, error.code))`
    expect(await run('cut.mjs', text)).toBe(
      '12.00\ntrue invalid_argument\ntrue invalid_argument\ntrue signature_missing\n',
    )
  })

  test.each([
    ['trace.mjs', "import('@cardstock/sdk')"],
    ['trace.cjs', "Promise.resolve(require('@cardstock/sdk'))"],
  ])('gets a stack trace with the lines of the sources: %s', async (file, load) => {
    const text = `process.setSourceMapsEnabled(true)
${load}.then(({ amounts }) => { try { amounts.parse('x') } catch (error) { console.log(error.stack) } })`
    const stack = await run(file, text)
    const line = Number(/src\/amounts\.ts:(\d+)/.exec(stack)?.[1])
    const source = readFileSync(join(root, 'sdk', 'src', 'amounts.ts'), 'utf8').split('\n')
    expect(source[line - 1]).toContain('is not an amount')
  })
})

const TYPED = `
const cardstock: Cardstock = new Cardstock({ apiKey: 'cstk_sandbox_x' })
export async function main(event: WebhookEvent): Promise<string> {
  const operation = await cardstock.operations.create({ type: 'topup', cardId: 'card_1', amount: '10.00' })
  for await (const card of cardstock.cards.list({ status: 'active' })) console.log(card.balance)
  // @ts-expect-error A service has no card.
  await cardstock.operations.create({ type: 'service', cardId: 'card_1', amount: '10.00' })
  // @ts-expect-error Not a status of a card.
  await cardstock.cards.list({ status: 'happy' })
  const { data, isReplay } = await cardstock.balance.get().withResponse()
  const raw: { total: string } = await cardstock.request<{ total: string }>('GET', '/api/v1/balance')
  if (isReplay) return data.available + raw.total
  await webhooks.verify(new ArrayBuffer(1), {}, 'whsec_x')
  // @ts-expect-error A parsed body does not verify.
  await webhooks.verify({ type: 'card.created' }, {}, 'whsec_x')
  const statement = await cardstock.statements.get({ from: '2026-01-01', to: '2026-01-31' })
  const verdict: StatementVerdict = verifyStatement(statement)
  // @ts-expect-error A verdict lists problems.
  console.log(verdict.problem)
  const first: string | undefined = verdict.problems[0]?.where
  if (first !== undefined) return digestOf(statement)
  if (event.type === 'card.created') return event.data.last4
  if (event.type === 'operation.failed') return event.data.failure?.code ?? ''
  // @ts-expect-error Only a card has last4.
  return event.data.last4 ?? operation.id
}
`

/** Types must be right for each kind of importer: an ES module, a CommonJS module, and a bundler. */
describe('strict TypeScript', () => {
  const IMPORT = `import { Cardstock, type WebhookEvent, webhooks } from '@cardstock/sdk'
import { digestOf, type StatementVerdict, verifyStatement } from '@cardstock/sdk/statements'`
  test.each([
    ['an ES module', 'typed.mts', IMPORT, 'nodenext', 'nodenext', 'es2022'],
    ['a CommonJS module', 'typed.cts', IMPORT, 'nodenext', 'nodenext', 'es2022'],
    ['a bundler', 'typed.ts', IMPORT, 'esnext', 'bundler', 'es2022'],
    ['a program for ES2020', 'typed.mts', IMPORT, 'nodenext', 'nodenext', 'es2020'],
  ])('accepts it in %s, and checks the types of the package, too', (_name, file, head, module, resolution, target) => {
    writeFileSync(join(project, file), head + TYPED)
    const lib = ['--target', target, '--lib', `${target},dom,dom.asynciterable`]
    const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', ...lib, '--types', '']
    const args = [tsc, ...options, '--module', module, '--moduleResolution', resolution, '--exactOptionalPropertyTypes']
    const result = spawnSync(process.execPath, [...args, '--traceResolution', file], { cwd: project, encoding: 'utf8' })
    expect(result.stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([])
    // Only a CommonJS module may find the types of the CommonJS code.
    const format = file === 'typed.cts' ? 'cjs' : 'esm'
    for (const entry of ['index', 'statements']) expect(result.stdout).toContain(`dist/${format}/${entry}.d.ts`)
  })
})
