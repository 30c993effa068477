// A `serve` without options starts its first process before it knows what it is for. Nobody may notice more of that than a quicker start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { until } from '../support/wait.ts'
import { listChildren } from './server.ts'

/** A busy machine takes many times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000

const inPackage = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cardstock early '))
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
}, SLOW_MACHINE_MS)
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function run(args: readonly string[], environ: Record<string, string>) {
  const child = spawn(process.execPath, [...args, 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', LOG_LEVEL: 'error', DATA_DIR: join(folder, 'data'), ...environ },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const told = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told.err += text))
  // The pipes close when the last process that writes to them has ended.
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...told }))
  return { pid: child.pid ?? 0, told, ended, stop: () => child.kill('SIGTERM') }
}

test('wrong settings are told once, and no process is left', { timeout: SLOW_MACHINE_MS }, async () => {
  const { code, out, err } = await run([inPackage('bin/cardstock.mjs')], { DRAIN_SECONDS: 'soon' }).ended
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.match(/DRAIN_SECONDS/g)).toHaveLength(1)
  expect(err).not.toContain('    at ')
})

test('a process that asks for its task before anybody listens gets it', { timeout: SLOW_MACHINE_MS }, async () => {
  const early = JSON.stringify(new URL('../../program/dist/early.js', import.meta.url).href)
  // The processes that it starts carry this out, too.
  const first = `import cluster from 'node:cluster'
    if (cluster.isPrimary) {
      await import(${early})
      await new Promise((resolve) => cluster.once('message', resolve))
    }`
  const { pid, told, ended, stop } = run(
    ['--import', `data:text/javascript,${encodeURIComponent(first)}`, inPackage('program/dist/main.js')],
    { DATABASE_URL: toDatabaseUrl(database.connection) },
  )
  await until('it listens', () => told.out.includes('listens on') || undefined)
  await until('both processes are there', () => listChildren(pid).length === 2 || undefined)
  stop()
  expect(await ended).toMatchObject({ code: 0, err: '' })
})
