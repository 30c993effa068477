// A checkout in which nothing is built yet: a port that is in use is refused before the build begins.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const checkout = mkdtempSync(join(tmpdir(), 'cardstock checkout '))
const busy = createServer().listen(0, '127.0.0.1')
afterAll(() => {
  busy.close()
  rmSync(checkout, { recursive: true, force: true })
})

test('a port that is in use is refused before anything is built', async () => {
  if (!busy.listening) await once(busy, 'listening')
  const port = String((busy.address() as AddressInfo).port)
  cpSync(fileURLToPath(new URL('../../bin', import.meta.url)), join(checkout, 'server', 'bin'), { recursive: true })
  for (const folder of ['scripts', 'server/program/dist']) mkdirSync(join(checkout, folder), { recursive: true })
  const built = join(checkout, 'built')
  const build = `import { writeFileSync } from 'node:fs'\nexport const ensureBuilt = () => writeFileSync(${JSON.stringify(built)}, '')\n`
  writeFileSync(join(checkout, 'scripts', 'build.mjs'), build)
  writeFileSync(join(checkout, 'server/program/dist/main.js'), '')
  const start = (...command: string[]) =>
    spawnSync(process.execPath, [join(checkout, 'server', 'bin', 'cardstock.mjs'), ...command], {
      env: { PATH: process.env['PATH'] ?? '', PORT: port },
      encoding: 'utf8',
    })
  const refused = start('serve')
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(`Port ${port} is in use.`) })
  expect(existsSync(built)).toBe(false)
  expect(start('--help')).toMatchObject({ status: 0, stderr: '' })
  expect(existsSync(built)).toBe(true)
})
