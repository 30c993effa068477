// The programs in examples/: they pass strict TypeScript, run against a real server, and print what is committed beside them.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCompany, TestServer } from '../support/harness.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** In this order, because each program uses what the earlier ones created. */
const PROGRAMS = ['issue-a-card', 'top-up', 'fund-by-invoice', 'receive-webhooks', 'monthly-statement']

let server: TestServer
let company: TestCompany
let folder: string

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  folder = mkdtempSync(join(tmpdir(), 'cardstock-examples-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function run(name: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let out = ''
    const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
    const child = spawn(process.execPath, [tsx, join(root, 'examples', `${name}.ts`), ...args], {
      env: { PATH: process.env['PATH'], CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: company.key },
    })
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.on('close', () => resolve(out))
  })
}

/** What differs from run to run: ids, receipts, the card's digits, the address, the tail of the amount to pay. */
function mask(text: string): string {
  return text
    .replaceAll(/\b(op|card|hld|inv|evt)_[0-9a-f]{32}\b/g, '$1_…')
    .replaceAll(/receipt \S+\./g, 'receipt ….')
    .replaceAll(/ends in \d{4}/g, 'ends in …')
    .replaceAll(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, 'T…')
    .replaceAll(/\b100\.00\d{4}\b/g, '100.00…')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/pay\/\S+/g, 'http://127.0.0.1:8080/pay/…')
}

test('every program is tested here and has its output beside it', () => {
  const files = readdirSync(join(root, 'examples')).filter((name) => /\.(ts|txt)$/.test(name))
  expect(files.toSorted()).toEqual(PROGRAMS.flatMap((name) => [`${name}.ts`, `${name}.txt`]).toSorted())
  const page = readFileSync(join(root, 'examples', 'README.md'), 'utf8')
  for (const name of PROGRAMS) expect(page).toContain(`(${name}.ts)`)
})

test('the programs pass strict TypeScript', () => {
  const compiler = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', join(root, 'examples')], { encoding: 'utf8' })
  expect(stdout).toBe('')
})

test.each(PROGRAMS)('%s prints what it did', async (name) => {
  // A receiver of webhooks compares the server's clock with its own.
  server.clock.set(new Date().toISOString())
  const month = server.clock.now().toISOString().slice(0, 7)
  const output = await run(name, name === 'monthly-statement' ? [month, folder] : [])
  await expect(mask(output)).toMatchFileSnapshot(join(root, 'examples', `${name}.txt`))
})

test('the statement was saved as CSV and as PDF', () => {
  expect(readFileSync(join(folder, 'statement.csv'), 'utf8')).toContain('deposit')
  expect(readFileSync(join(folder, 'statement.pdf'), 'latin1')).toMatch(/^%PDF-/)
})
