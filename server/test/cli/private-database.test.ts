// The commands on a private database: migrate, serve, operate with the saved credentials, check, stop.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardstock, start } from './run.ts'

let folder: string
let environ: Record<string, string>
let running: ChildProcess | undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock cli '))
  environ = { DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'silent' }
})
afterAll(async () => {
  if (running?.exitCode === null) {
    running.kill('SIGTERM')
    await once(running, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

async function waitForAddress(child: ChildProcess): Promise<string> {
  let out = ''
  for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
    out += text as string
    const address = /listens on (\S+)/.exec(out)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`the server ended: ${out}`)
}

test('the commands work together from an empty folder to a stopped server', async () => {
  const fresh = await cardstock(['doctor'], environ)
  expect(fresh.out).toContain('the first start makes it')
  expect(fresh.code).toBe(0)

  const first = await cardstock(['migrate'], environ)
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toMatch(/^applied migrations\/0001_baseline\/01_common\.sql$/m)

  running = start(['serve'], environ)
  const address = await waitForAddress(running)
  const [companies, busy, examined] = await Promise.all([
    cardstock(['company', 'list'], environ),
    cardstock(['migrate'], environ),
    // Without the PORT that the server was started with: the doctor finds the address in credentials.json.
    cardstock(['doctor'], { ...environ, PORT: '' }),
  ])
  expect(companies.code).toBe(0)
  expect(companies.out).toContain('Demonstration Ltd')
  expect(busy.code).toBe(1)
  expect(busy.err).toContain('in use by another server')
  expect(examined.out).toContain(`${address} is ready`)
  expect(examined.out).toMatch(/^ok {4}secret key {3}belongs to this database$/m)
  expect(examined.code).toBe(0)

  running.kill('SIGTERM')
  const [code] = (await once(running, 'exit')) as [number | null]
  expect(code).toBe(0)
  const after = await cardstock(['doctor'], environ)
  expect(after.out).toMatch(/^ok {4}secret key {3}belongs to this database$/m)
  expect(after.out).toMatch(/^warn {2}server/m)
})
