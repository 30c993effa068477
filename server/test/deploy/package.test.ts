// The packages as somebody installs them: another account, in an empty folder, from the archives alone.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packAll } from '../../../scripts/pack/pack-all.mjs'
import { root } from '../documents/blocks.ts'
import { findFreePort } from '../support/free-port.ts'
import { until } from '../support/wait.ts'
import { Stranger } from './stranger.ts'

const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as { version: string }
const NAMES = ['sdk', 'cli', 'server']
const RENDERERS = ['marked', 'highlight.js']

let archives: string
const stranger = new Stranger()
const archiveOf = (name: string) => `cardstock-${name}-${version}.tgz`
const installed = (path: string) => join(stranger.folder, 'node_modules', path)
const read = (path: string) => readFileSync(installed(path), 'utf8')

beforeAll(async () => {
  archives = mkdtempSync(join(tmpdir(), 'cardstock-packages-'))
  packAll(archives)
  for (const name of NAMES) stranger.give(join(archives, archiveOf(name)), archiveOf(name))
  // With an address that answers nothing: what the archives bring must be enough.
  const nowhere = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }
  stranger.write('package.json', '{"private":true}')
  await stranger.get('npm', ['install', `./${archiveOf('sdk')}`, `./${archiveOf('cli')}`], nowhere)
  await stranger.get('npm', ['install', `./${archiveOf('server')}`])
})
afterAll(async () => {
  await stranger.leave()
  rmSync(archives, { recursive: true, force: true })
})

describe.each(NAMES)('@cardstock/%s', (name) => {
  const inPackage = (path: string) => `@cardstock/${name}/${path}`

  test('says what it is, where it comes from and under which licence', () => {
    const manifest = JSON.parse(read(inPackage('package.json'))) as Record<string, unknown>
    const { repository, homepage, bugs } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object & {
      [name: string]: unknown
    }
    expect(manifest).toMatchObject({ version, license: 'Apache-2.0', repository, homepage, bugs })
    expect(manifest['keywords']).toContain('cardstock')
    expect(manifest['description']).toMatch(/\.$/)
    for (const field of ['private', 'scripts', 'devDependencies']) expect(manifest[field]).toBeUndefined()
    expect(read(inPackage('LICENSE'))).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
  })

  test('has a README whose links lead to files of the repository at this version', () => {
    const links = [...read(inPackage('README.md')).matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) {
      const [, path = ''] = /^https:\/\/[\w.]+\/[\w-]+\/[\w-]+\/blob\/v[\d.]+\/([^#]*)/.exec(link) ?? []
      expect(link).toContain(`/blob/v${version}/`)
      expect(existsSync(join(root, posix.normalize(path))), link).toBe(true)
    }
  })

  test('has neither sources nor tests nor marks of the build', () => {
    const files = readdirSync(installed(inPackage('')), { recursive: true, encoding: 'utf8' })
    expect(files.filter((path) => /^(?:src|test)(?:\/|$)|(?:^|\/)\.built$|^tsconfig/.test(path))).toEqual([])
  })
})

test.each([
  ['sdk', 'dist/esm', undefined],
  ['cli', 'dist', 'commander'],
  ['server', 'program/dist', 'fastify'],
])('@cardstock/%s imports only packages that it depends on', (name, dist, one) => {
  const manifest = readFileSync(join(root, name, 'package.json'), 'utf8')
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: object }
  const folder = installed(`@cardstock/${name}/${dist}`)
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  const imported = modules.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [
      ...text.matchAll(
        /(?:^(?:import|export|\}).*\bfrom |^import |\bimport\(|\b(?:__)?require\(|\brequire\.resolve\()["']((?:@[\w-]+\/)?[a-z][\w.-]*)[^"':]*["']/gm,
      ),
    ]
  })
  const packages = new Set(imported.map(([, found = '']) => found))
  if (one !== undefined) expect(packages).toContain(one)
  // A setting's message has a command in it that uses a module of Node.
  expect([...packages].filter((found) => !isBuiltin(found) && !(found in dependencies))).toEqual([])
})

describe('@cardstock/cli', () => {
  const cardstock = (...args: string[]) => stranger.run('node_modules/.bin/cardstock', args)

  test('is small, and has no code of the server', () => {
    expect(statSync(join(archives, archiveOf('cli'))).size).toBeLessThan(350 * 1024)
    const { dependencies } = JSON.parse(read('@cardstock/cli/package.json')) as { dependencies: object }
    expect(Object.keys(dependencies)).toEqual(['@cardstock/sdk', 'commander', 'uqr'])
  })

  test('shows its help, its version, and where the commands of a server are', async () => {
    expect(await cardstock('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
    const { out } = await cardstock('--help')
    expect(out).toMatch(/^Examples:\n {2}cardstock login/)
    for (const heading of ['Operator:', 'Company:', 'Developer:']) expect(out).toContain(`\n${heading}\n`)
    expect(out).not.toContain('Server and maintenance:')
    const { code, err } = await cardstock('doctor')
    expect(code).toBe(2)
    expect(err).toContain('Run cardstock-server doctor there; the package @cardstock/server has it.')
  })

  test('says what is missing when no server is known, and does not advise to start one', async () => {
    const { code, err } = await cardstock('balance')
    expect(code).toBe(3)
    expect(err).toContain('Set CARDSTOCK_URL and CARDSTOCK_API_KEY, or run cardstock login.')
    expect(err).not.toContain('npm start')
  })
})

describe('@cardstock/server', () => {
  test('installs the versions of our lock file and no others, and brings our own packages', () => {
    type Lock = { packages: Record<string, { version: string; integrity?: string }> }
    const ours = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
    const theirs = JSON.parse(readFileSync(join(stranger.folder, 'package-lock.json'), 'utf8')) as Lock
    // A second version of a package is not pinned: a manifest cannot name it.
    const others = Object.entries(theirs.packages).filter(([path]) =>
      /^node_modules\/(?!@cardstock\/)[^/]+(?:\/[^/]+)?$/.test(path),
    )
    expect(others.length).toBeGreaterThan(50)
    for (const [path, { version: found, integrity }] of others)
      expect([path, found, integrity]).toEqual([path, ours.packages[path]?.version, ours.packages[path]?.integrity])
    // The others are a part of the program.
    expect(readdirSync(installed('@cardstock/server/node_modules/@cardstock'))).toEqual(['sdk'])
    expect(existsSync(installed('typebox'))).toBe(false)
  })

  test('has no package that renders the documentation', () => {
    for (const name of RENDERERS) expect(existsSync(installed(name)), name).toBe(false)
  })

  test('starts its private PostgreSQL, and serves the guides, the console and the downloads', async () => {
    const port = await findFreePort()
    const baseUrl = `http://127.0.0.1:${port}`
    const environ = { PORT: String(port), LOG_LEVEL: 'silent' }
    const server = stranger.start('node_modules/.bin/cardstock-server', ['serve'], environ)
    let printed = ''
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (text: Buffer) => (printed += text.toString()))
    await until('the server is ready', () => {
      if (server.exitCode !== null) throw new Error(`The server ended: ${printed}`)
      return fetch(`${baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
    const page = await fetch(`${baseUrl}/docs/api/operations`)
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining(`curl ${baseUrl}/api/v1/operations`),
    ])
    for (const path of [
      '/docs',
      '/docs/sdk',
      '/docs/assets/search.json',
      '/openapi.json',
      '/sign-in',
      '/downloads/sdk.tgz',
    ]) {
      const answer = await fetch(`${baseUrl}${path}`)
      expect(answer.status, path).toBe(200)
      await answer.arrayBuffer()
    }
    const balance = await stranger.get('node_modules/.bin/cardstock', ['balance', '--json'])
    expect(JSON.parse(balance)).toMatchObject({ available: '1000.00' })
    const doctor = await stranger.run('node_modules/.bin/cardstock-server', ['doctor', '--json'], environ)
    expect(doctor.err).toBe('')
    expect(doctor.out).toContain('see them with cardstock-server config')
    server.kill('SIGTERM')
    await until('the server has ended', () => server.exitCode !== null)
    expect(server.exitCode).toBe(0)
  })

  test('its help, its advice and its errors name the command that was installed', async () => {
    const help = await stranger.get('node_modules/.bin/cardstock-server', ['--help'])
    expect(help).toMatch(/^Examples:\n {2}cardstock-server serve\n/)
    expect(help).toContain('Usage: cardstock-server ')
    const { err } = await stranger.run('node_modules/.bin/cardstock-server', [
      'backup',
      'monday.age',
      '--recipient',
      'nobody',
    ])
    expect(err).toContain('cardstock-server backup-key generate')
  })
})
