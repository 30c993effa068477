// The packed server, unpacked into an empty project beside the packages that it depends on. What renders the documentation is not
// there: the pages were rendered when the server was built.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../documents/blocks.ts'
import { findFreePort } from '../support/free-port.ts'
import { until } from '../support/wait.ts'

const RENDERERS = ['marked', 'highlight.js']
const PACKED = {
  cardstock: 'server',
  '@cardstock/cli': 'cli',
  '@cardstock/sdk': 'sdk',
  '@cardstock/private-postgres': 'private-postgres',
}

let folder: string
let server: ChildProcess | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-package-'))
  for (const [name, workspace] of Object.entries(PACKED)) unpack(workspace, join(folder, 'node_modules', name))
  const others = readdirSync(join(root, 'node_modules')).filter(
    (name) => !name.startsWith('.') && !['@cardstock', 'cardstock', ...RENDERERS].includes(name),
  )
  for (const name of others) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
})
afterAll(async () => {
  if (server !== undefined && server.exitCode === null) {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

function unpack(workspace: string, target: string): void {
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: join(root, workspace), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [packed] = JSON.parse(npm('pack', '--json', '--pack-destination', folder)) as [{ filename: string }]
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', target, '--strip-components=1'])
}

const installed = (path: string) => join(folder, 'node_modules/cardstock', path)

test('has the rendered pages, and neither sources nor tests', () => {
  for (const path of [
    'docs/dist/pages/index.html',
    'docs/dist/pages/api/operations.html',
    'docs/dist/assets/search.json',
  ])
    expect(existsSync(installed(path)), path).toBe(true)
  for (const path of ['src', 'test', 'dist/.built', 'docs/dist/.built'])
    expect(existsSync(installed(path)), path).toBe(false)
})

test('imports only packages that it depends on, and none that renders the documentation', () => {
  const { dependencies } = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as { dependencies: object }
  const modules = readdirSync(installed('dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )
  const imported = modules.flatMap((name) => {
    const text = readFileSync(installed(join('dist', name)), 'utf8')
    return [
      ...text.matchAll(
        /(?:^(?:import|export|\}).*\bfrom |^import |\bimport\(|\brequire\(|\brequire\.resolve\()'((?:@[\w-]+\/)?[a-z][\w.-]*)[^':]*'/gm,
      ),
    ]
  })
  const packages = new Set(imported.map(([, name = '']) => name))
  expect(packages).toContain('fastify')
  expect([...packages].filter((name) => !(name in dependencies))).toEqual([])
  expect([...listNeeded('server')].filter((name) => [...RENDERERS, '@cardstock/docs-site'].includes(name))).toEqual([])
})

/** Returns the names of all packages that a workspace needs, directly or not. */
function listNeeded(workspace: string): Set<string> {
  type Locked = { dependencies?: object; optionalDependencies?: object; link?: boolean; resolved?: string }
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  const names = new Set<string>()
  const visit = (path: string) => {
    const { dependencies = {}, optionalDependencies = {}, link, resolved = '' } = lock.packages[path] ?? {}
    if (link === true) visit(resolved)
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) {
      if (names.has(name)) continue
      names.add(name)
      const nested = `${path}/node_modules/${name}`
      visit(nested in lock.packages ? nested : `node_modules/${name}`)
    }
  }
  visit(workspace)
  return names
}

test('starts its private PostgreSQL and serves the pages without what renders them', async () => {
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
  }
  server = spawn(process.execPath, [installed('bin/cardstock.mjs'), 'serve'], { cwd: folder, env, stdio: 'ignore' })
  await until('the server is ready', () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const page = await fetch(`${baseUrl}/docs/api/operations`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`curl ${baseUrl}/api/v1/operations`)])
  for (const path of ['/docs', '/docs/sdk', '/docs/assets/search.json', '/docs/assets/main.js', '/openapi.json']) {
    const answer = await fetch(`${baseUrl}${path}`)
    expect(answer.status, path).toBe(200)
    await answer.arrayBuffer()
  }
  server.kill('SIGTERM')
  const [code] = (await once(server, 'exit')) as [number | null]
  expect(code).toBe(0)
})
