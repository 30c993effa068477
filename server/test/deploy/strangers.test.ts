// Somebody who has only the files of a release: another account, in an empty folder, with nothing of the checkout. They install the server, run it on
// its private PostgreSQL, make a company and a key, issue a card, back up, upgrade to the next version, and restore the backup.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packAll } from '../../../scripts/pack/pack-all.mjs'
import { root } from '../documents/blocks.ts'
import { findFreePort } from '../support/free-port.ts'
import { until } from '../support/wait.ts'
import { Stranger } from './stranger.ts'

const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as { version: string }
/** The same code under the next number. */
const NEXT = version.replace(/\d+$/, (patch) => String(Number(patch) + 1))
const SERVER = 'node_modules/.bin/cardstock-server'
const CLI = 'node_modules/.bin/cardstock'

const stranger = new Stranger()
let files: string
let environ: Record<string, string>

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), 'cardstock-files-'))
  packAll(files)
  packAll(files, { version: NEXT })
  const baseUrl = `http://127.0.0.1:${await findFreePort()}`
  environ = { PORT: new URL(baseUrl).port, LOG_LEVEL: 'silent', DEMO: 'false' }
})
afterAll(async () => {
  await stranger.leave()
  rmSync(files, { recursive: true, force: true })
})

/** Gives them the files of a release, and installs the server and the command line. */
async function install(wanted: string): Promise<void> {
  const names = ['server', 'cli'].map((name) => `cardstock-${name}-${wanted}.tgz`)
  for (const name of names) stranger.give(join(files, name), name)
  await stranger.get('npm', ['install', ...names.map((name) => `./${name}`)])
  expect(await stranger.get(SERVER, ['--version'])).toBe(`${wanted}\n`)
  // The code of the next version is ours, with the number that was compiled into it.
  expect(await stranger.get(CLI, ['--version'])).toBe(`${version}\n`)
}

async function serve(): Promise<ChildProcess> {
  const child = stranger.start(SERVER, ['serve'], environ)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (printed += text.toString()))
  await until('the server is ready', () => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${printed}`)
    return fetch(`http://127.0.0.1:${environ['PORT']}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
}

async function ask<Answer>(
  program: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<Answer> {
  return JSON.parse(await stranger.get(program, [...args, '--json'], { ...environ, ...more })) as Answer
}

test('the files of a release are enough to run a server, to upgrade it and to restore a backup', async () => {
  await install(version)
  let server = await serve()

  const { id: company } = await ask<{ id: string }>(CLI, [
    'admin',
    'company',
    'create',
    '--name',
    'Acme',
    '--kind',
    'corporate',
  ])
  await ask(CLI, ['admin', 'company', 'verify', company])
  const created = ['admin', 'key', 'create', company, '--environment', 'sandbox', '--name', 'first', '--scope', 'all']
  const { key } = await ask<{ key: string }>(CLI, created)
  const asCompany = { CARDSTOCK_API_KEY: key }
  await ask(CLI, ['sandbox', 'fund', '100.00'], asCompany)
  const holder = ['holders', 'create', '--name', 'Ada Lovelace', '--email', 'ada@example.com']
  const { id: holderId } = await ask<{ id: string }>(CLI, holder, asCompany)
  const order = ['operations', 'create', '--type', 'issue', '--product', 'prod_card_virtual', '--holder', holderId]
  const issued = await ask<{ status: string }>(CLI, [...order, '--amount', '25.00', '--wait'], asCompany)
  expect(issued.status).toBe('completed')

  const { recipient } = await ask<{ recipient: string }>(SERVER, ['backup-key', 'generate', 'backup.key'])
  await ask(SERVER, ['backup', 'monday.age', '--recipient', recipient])
  await ask(CLI, ['sandbox', 'fund', '5.00'], asCompany)
  await stop(server)

  await install(NEXT)
  server = await serve()
  const balance = () => ask<{ available: string }>(CLI, ['balance'], asCompany)
  expect((await balance()).available).toBe('76.95')
  const again = await ask<{ status: string }>(CLI, [...order, '--amount', '10.00', '--wait'], asCompany)
  expect(again.status).toBe('completed')
  expect((await ask<{ differences: unknown[] }>(SERVER, ['admin', 'audit'])).differences).toEqual([])
  await stop(server)

  // The disk is lost but for the backup, its identity, the secret key and the credentials.
  renameSync(join(stranger.folder, 'data'), join(stranger.folder, 'lost'))
  for (const name of ['secret.key', 'credentials.json']) {
    stranger.makeFolder('data')
    stranger.give(join(stranger.folder, 'lost', name), `data/${name}`)
  }
  const restored = await ask<{ audit: { differences: unknown[] } }>(SERVER, [
    'restore',
    'monday.age',
    '--identity-file',
    'backup.key',
  ])
  expect(restored.audit.differences).toEqual([])
  server = await serve()
  expect((await balance()).available).toBe('71.95')
  expect((await ask<{ data: unknown[] }>(CLI, ['card', 'list'], asCompany)).data).toHaveLength(1)
  expect((await ask<{ differences: unknown[] }>(SERVER, ['admin', 'audit'])).differences).toEqual([])
  await stop(server)
  expect(existsSync(join(stranger.folder, 'node_modules/@cardstock/server/src'))).toBe(false)
})
