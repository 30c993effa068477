// Runs the commands of README.md as they are written, in two shells that find Node, npm and curl and nothing unusual.
// `npm ci` and `npm test` are not run here: .ci/run runs them in a clean clone.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What a newcomer has: the three tools that the README asks for, and a shell with the commands it uses. */
const TOOLS = ['node', 'npm', 'npx', 'curl', 'bash', 'sh', 'grep', 'sleep']

/** Returns the shell blocks of one section of a page. */
function blocksOf(page: string, heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands ?? '')
}

const readme = read('README.md')
let folder = ''
let checkout = ''
let environ: Record<string, string>
let server: ChildProcess | undefined
let printed = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-readme-'))
  const bin = join(folder, 'bin')
  checkout = join(folder, 'checkout')
  mkdirSync(bin)
  mkdirSync(checkout)
  for (const tool of TOOLS) symlinkSync(find(tool), join(bin, tool))
  for (const name of ['package.json', 'node_modules', 'server', 'sdk', 'scripts']) {
    symlinkSync(join(root, name), join(checkout, name))
  }
  // A port of its own: other servers may run on this machine.
  environ = { PATH: bin, HOME: folder, PORT: '0', LOG_LEVEL: 'silent', npm_config_update_notifier: 'false' }
  await startServer()
})
afterAll(async () => {
  if (server?.exitCode === null && server.pid !== undefined) {
    // Ctrl-C reaches every process of the terminal.
    process.kill(-server.pid, 'SIGINT')
    await once(server, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

function find(tool: string): string {
  if (tool === 'node') return process.execPath
  return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim()
}

/** The first terminal: everything but `npm ci`, until the server prints its address. */
async function startServer(): Promise<void> {
  const [commands = ''] = blocksOf(readme, 'Start it')
  const [install, ...start] = commands.trim().split('\n')
  expect(install).toBe('npm ci')
  const child = spawn('bash', ['--norc', '-euc', start.join('\n')], {
    cwd: checkout,
    env: environ,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  server = child
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  child.stdout.setEncoding('utf8')
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: string) => {
      printed += text
      if (/listens on \S+.*\n(?:.*\n)*\s+curl .+\n\s+curl .+\n/.test(printed)) resolve()
    })
    child.on('exit', () => reject(new Error(`the server ended: ${printed}${complaints}`)))
  })
}

/** The second terminal. Returns what each block printed; a command that fails ends the test. */
async function runBlocks(blocks: readonly string[]): Promise<string[]> {
  const MARK = '=== next block ==='
  const script = blocks.map((block) => `${block}\necho '${MARK}'\n`).join('')
  const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], { cwd: checkout, env: environ })
  let out = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const [code] = (await once(child, 'close')) as [number | null]
  expect({ code, complaints }, out).toEqual({ code: 0, complaints: '' })
  return out.split(MARK).map((text) => text.trim())
}

describe('README.md', () => {
  test('its commands issue a card, decide a review and add funds', async () => {
    const first = blocksOf(readme, 'Issue your first card')
    const [, issued = '', completed = ''] = await runBlocks(first)
    expect(JSON.parse(issued)).toMatchObject({ type: 'issue', status: 'queued', fee: '3.05', total: '28.05' })
    const [operation = '', cards = '', balance = ''] = completed.split(/(?<=\})(?=\{)|\n/)
    expect(JSON.parse(operation)).toMatchObject({ status: 'completed' })
    expect(JSON.parse(cards).data).toMatchObject([{ balance: '25.00', status: 'active' }])
    expect(JSON.parse(balance)).toMatchObject({ available: '971.95', held: '0.00' })

    const [, again] = await runBlocks(first.slice(0, 2))
    expect(again).toBe(issued)

    const [setup = '', holder = ''] = first
    const [, , review = '', funding = ''] = await runBlocks([
      setup,
      holder,
      ...blocksOf(readme, 'Decide a review'),
      ...blocksOf(readme, 'Add more funds'),
    ])
    expect(review).toMatch(/"status":"manual_review"/)
    expect(review).toContain('28.05')
    expect(review).toMatch(/failed/)
    expect(funding).toBe('{}')

    const [, after = ''] = await runBlocks([setup, 'curl -s $BASE/api/v1/balance -H "Authorization: Bearer $KEY"'])
    expect(JSON.parse(after)).toMatchObject({ available: '1971.95', held: '0.00' })
  })

  test('the commands that the first start prints work as they are printed', async () => {
    const commands = printed.split('\n').filter((line) => line.startsWith('  curl '))
    const [issued = '', cards = ''] = await runBlocks(commands)
    expect(JSON.parse(issued)).toMatchObject({ type: 'issue', total: '28.05' })
    expect(JSON.parse(cards)).toHaveProperty('data')
  })

  test('the commands need nothing but Node, npm and curl', () => {
    // Whoever prepares a release needs the programs of PostgreSQL too.
    const [contributing = ''] = read('CONTRIBUTING.md').split('## Prepare a release')
    for (const page of [readme, contributing]) {
      expect([...page.matchAll(/^```sh\n(.*?)^```$/gms)].join('\n')).not.toMatch(
        /\b(?:jq|uuidgen|openssl|psql|docker)\b/,
      )
    }
  })
})

describe('npm scripts', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const pages = readme + read('CONTRIBUTING.md') + read('docs/benchmarks.md')
  const named = new Set(
    [...pages.matchAll(/(?:`|^)npm (?:run (?:--silent )?)?([a-z][a-z0-9:]*)/gm)].map(([, name]) => name ?? ''),
  )

  test('every script that the documents name exists, and every script is documented', () => {
    const builtIn = new Set(['ci'])
    expect([...named].filter((name) => !builtIn.has(name)).toSorted()).toEqual(Object.keys(scripts).toSorted())
  })

  test('CI runs the commands that are not run here', () => {
    expect(read('.ci/run')).toMatch(/^npm ci\nnpm run check$/m)
    expect(scripts['check']).toMatch(/&& npm test$/)
  })
})
