// sdk/README.md: its code, as it is written, passes strict TypeScript and runs against a server.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from '../support/harness.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const text = readFileSync(join(root, 'sdk', 'README.md'), 'utf8')
const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await TestServer.start()
  folder = mkdtempSync(join(tmpdir(), 'cardstock-sdk-readme-'))
  mkdirSync(join(folder, 'node_modules', '@cardstock'), { recursive: true })
  symlinkSync(join(root, 'sdk'), join(folder, 'node_modules', '@cardstock', 'sdk'))
  symlinkSync(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
  symlinkSync(join(root, 'node_modules', 'undici-types'), join(folder, 'node_modules', 'undici-types'))
  writeFileSync(join(folder, 'readme.mts'), blocks.map(([, , code]) => code).join('\n'))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('every block of code is TypeScript', () => {
  expect(blocks.length).toBeGreaterThan(4)
  expect(new Set(blocks.map(([, language]) => language))).toEqual(new Set(['ts']))
})

test('the code passes strict TypeScript', () => {
  const args = [
    '--strict',
    '--noEmit',
    '--target',
    'es2023',
    '--lib',
    'es2023',
    '--types',
    'node',
    '--module',
    'nodenext',
  ]
  const compiler = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
  const { stdout } = spawnSync(process.execPath, [compiler, ...args, 'readme.mts'], { cwd: folder, encoding: 'utf8' })
  expect(stdout).toBe('')
})

test('the code runs and prints what its comments say', async () => {
  const company = await server.createCompany()
  await server.post('/api/v1/sandbox/funding', company.key, { amount: '100.00' })
  const lines = await run({ CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: company.key })
  expect(lines[0]).toMatch(/^completed card_/)
  expect(lines[1]).toBe('1')
  expect(lines[2]).toMatch(/^\d{4} 25\.00$/)
  expect(lines[3]).toBe('1')
  expect(lines[4]).toMatch(/^not_found /)
  expect(lines[5]).toMatch(/^201 \S+ \S+ true$/)
  expect(lines[6]).toBe('completed')
  expect(lines[7]).toMatch(/^GET http\S+\/api\/v1\/balance 200 \S+ \d+$/)
  expect(lines[8]).toMatch(/^\d+\.\d\d$/)
  expect(lines.slice(9, 11)).toEqual(['10.02', 'accepted undefined'])
  expect(lines.slice(11, 14)).toEqual(['insufficient_funds', 'queued 2', 'completed'])
  expect(lines[14]).toMatch(/^\d+ true$/)
  expect(lines.slice(15)).toEqual(['0.30', '2550n 25.50'])
})

function run(environ: Record<string, string>): Promise<string[]> {
  return new Promise((resolve) => {
    let out = ''
    const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
    const child = spawn(process.execPath, [tsx, 'readme.mts'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...environ },
    })
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.on('close', () => resolve(out.trimEnd().split('\n')))
  })
}
