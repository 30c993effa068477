// A start takes as long as its files take to load, so their number has a limit.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../program/dist/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cardstock modules '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each process writes the scripts that it loaded when it ends. Those of a process that it starts are left out. */
function listLoaded(file: string, args: string[], environ: Record<string, string> = {}) {
  const target = join(folder, [file, ...args].join(''))
  const env = { PATH: process.env['PATH'], NODE_V8_COVERAGE: target, ...environ }
  const { pid, status, stderr } = spawnSync(process.execPath, [join(program, file), ...args], { env, encoding: 'utf8' })
  const written = readdirSync(target).filter((name) => name.startsWith(`coverage-${pid}-`))
  const loaded = written.flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(target, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  })
  return { status, stderr, loaded }
}

const SUCCESS = { status: 0, stderr: '' }

test('a process of a group loads the server from fewer than 480 files, and nothing of the command line', () => {
  // Nobody gives it a task, so it ends.
  const { loaded, ...ended } = listLoaded('child.js', [])
  expect(ended).toEqual(SUCCESS)
  expect(loaded.length).toBeLessThan(480)
  expect(loaded.filter((url) => url.includes('/node_modules/fastify/')).length).toBeGreaterThan(10)
  const unused = /\/node_modules\/(?:commander|typebox|@redis)\/|opentelemetry\/sdk/
  expect(loaded.filter((url) => unused.test(url))).toEqual([])
})

// Node 20 loads its client for HTTP, which is as large as all of the driver of PostgreSQL, when somebody makes a Response.
test('a process of a group does not load the client for HTTP before it calls anybody', () => {
  const report = `process.on('exit', () => process.stdout.write(process.moduleLoadList.filter((name) => name.includes('undici/undici')).join()))`
  const command = ['--import', `data:text/javascript,${encodeURIComponent(report)}`, join(program, 'child.js')]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { env: {}, encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('a supervisor loads neither the server nor what adds up metrics', () => {
  // Nothing listens there, so it ends.
  const environ = { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: join(folder, 'data'), PORT: '0' }
  const { status, loaded } = listLoaded('main.js', ['serve'], environ)
  expect(status).toBe(1)
  expect(loaded.filter((url) => url.includes('/node_modules/pg/')).length).toBeGreaterThan(0)
  expect(loaded.filter((url) => /\/node_modules\/(?:fastify|ajv|prom-client)\//.test(url))).toEqual([])
})

test('the help loads no server', () => {
  const { loaded, ...ended } = listLoaded('main.js', ['--version'])
  expect(ended).toEqual(SUCCESS)
  expect(loaded.length).toBeLessThan(200)
  expect(loaded.filter((url) => /\/node_modules\/(?:fastify|pg)\//.test(url))).toEqual([])
})
