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

/** Each process writes the scripts that it loaded when it ends. */
function listLoaded(file: string, ...args: string[]): string[] {
  const target = join(folder, file)
  const env = { PATH: process.env['PATH'], NODE_V8_COVERAGE: target }
  const { status, stderr } = spawnSync(process.execPath, [join(program, file), ...args], { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return readdirSync(target).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(target, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  })
}

test('a process of a group loads the server from fewer than 550 files, and nothing of the command line', () => {
  // Nobody gives it a task, so it ends.
  const loaded = listLoaded('child.js')
  expect(loaded.length).toBeLessThan(550)
  expect(loaded.filter((url) => url.includes('/node_modules/fastify/')).length).toBeGreaterThan(10)
  expect(loaded.filter((url) => /\/node_modules\/(?:commander|typebox|@redis)\/|opentelemetry\/sdk/.test(url))).toEqual(
    [],
  )
})

test('the help loads no server', () => {
  const loaded = listLoaded('main.js', '--version')
  expect(loaded.length).toBeLessThan(200)
  expect(loaded.filter((url) => /\/node_modules\/(?:fastify|pg)\//.test(url))).toEqual([])
})
