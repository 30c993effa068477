// The Dockerfile without Docker: the package of the image is put into an empty folder, and the server runs there with the
// image's command, settings and health check. The unit of systemd and compose.yaml are checked as far as this machine can.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack } from '../../../scripts/pack/pack-all.mjs'
import { root } from '../documents/blocks.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { until } from '../support/wait.ts'
import { commandIn, copiesOf, only, readStages } from './dockerfile.ts'

const stages = readStages()
const image = stages.at(-1) ?? []
const read = (path: string) => readFileSync(join(root, path), 'utf8')
let folder: string
let database: TestDatabase
let server: ChildProcess | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-image-'))
  database = await createDatabase()
})
afterAll(async () => {
  if (server !== undefined && server.exitCode === null) {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Does what the stages do, without the network: package.test.ts installs the package with npm. Other packages are those of the checkout. */
function assemble(): void {
  const target = join(folder, 'node_modules/@cardstock/server')
  mkdirSync(target, { recursive: true })
  const { bytes, fileName } = pack('server')
  writeFileSync(join(folder, fileName), bytes)
  execFileSync('tar', ['-xzf', join(folder, fileName), '-C', target, '--strip-components=1'])
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '@cardstock'))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
}

test('the image has the installed package and nothing of the checkout', () => {
  const [build = [], install = []] = stages
  expect(
    build.find(({ name, text }) => name === 'RUN' && text === 'npm ci && node scripts/pack.mjs /packages'),
  ).toBeDefined()
  expect(copiesOf(install)).toEqual([{ stage: 'build', sources: ['/packages'], target: 'packages' }])
  expect(only(install, 'RUN')).toMatch(/^npm install .*--ignore-scripts.* \.\/packages\/cardstock-server-\*\.tgz$/)
  expect(copiesOf(image)).toEqual([{ stage: 'install', sources: ['/app/node_modules'], target: 'node_modules' }])
})

test('every path that the Dockerfile copies from the checkout exists and is not ignored', () => {
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const sources = stages.flatMap((stage) =>
    copiesOf(stage).flatMap((copy) => (copy.stage === undefined ? copy.sources : [])),
  )
  expect(sources).toContain('docs')
  for (const source of sources) {
    expect(existsSync(join(root, source)), source).toBe(true)
    expect(ignored).not.toContain(source)
  }
})

test('the image runs as an ordinary user and has one volume', () => {
  expect(only(image, 'USER')).toBe('1000:1000')
  expect(only(image, 'VOLUME')).toBe('/data')
  expect(only(image, 'ENV')).toContain('DATA_DIR=/data')
})

test('the files of the image are enough to serve the API, the guides and the console, and the health check notices both ends', async () => {
  assemble()
  const port = String(await findFreePort())
  const settings = Object.fromEntries(
    only(image, 'ENV')
      .split(' ')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const data = join(folder, 'data')
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...settings,
    HOST: '127.0.0.1',
    PORT: port,
    DATA_DIR: data,
    DATABASE_URL: toDatabaseUrl(database.connection),
  }
  const inFolder = (command: readonly string[]) =>
    command.map((word) => (word === 'node' ? process.execPath : word.replace(/^\/app\//, `${folder}/`)))
  const [health = '', ...healthArgs] = inFolder(commandIn(only(image, 'HEALTHCHECK')))
  const isHealthy = () => spawnSync(health, healthArgs, { env }).status === 0
  expect(isHealthy()).toBe(false)

  const [program = '', ...args] = [...inFolder(commandIn(only(image, 'ENTRYPOINT'))), ...commandIn(only(image, 'CMD'))]
  server = spawn(program, args, { cwd: folder, env, stdio: 'ignore' })
  await until('the server is ready', () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  expect(isHealthy()).toBe(true)
  for (const path of ['/openapi.json', '/docs', '/docs/sdk', '/docs/containers', '/sign-in']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    expect(answer.status, path).toBe(200)
    await answer.arrayBuffer()
  }
  server.kill('SIGTERM')
  const [code] = (await once(server, 'exit')) as [number | null]
  expect(code).toBe(0)
})

test('compose.yaml and the unit set only settings that exist', () => {
  const documented = new Set([...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name))
  const ofCompose = [...read('compose.yaml').matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name ?? '')
  const ofUnit = [...read('deploy/systemd/cardstock.service').matchAll(/\b([A-Z_]+)=[\w/]/g)].map(
    ([, name]) => name ?? '',
  )
  expect(ofCompose).toContain('SECRET_KEY')
  expect(ofUnit).toContain('DATA_DIR')
  const others = [...ofCompose, ...ofUnit].filter((name) => !name.startsWith('POSTGRES_') && name !== 'NODE_ENV')
  expect(others.filter((name) => !documented.has(name))).toEqual([])
})

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0
// oxlint-disable-next-line vitest/no-disabled-tests -- machines without systemd cannot check a unit
test.skipIf(!analyze)('systemd accepts the unit', () => {
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(root, 'deploy/systemd/cardstock.service')], {
    encoding: 'utf8',
  })
  // Whether the program is installed where the unit expects it says nothing about the unit.
  const problems = stderr
    .split('\n')
    .filter((line) => line.includes('cardstock.service') && !line.includes('not executable'))
  expect(problems).toEqual([])
  expect(status === 0 || stderr.includes('not executable')).toBe(true)
})
