// Every entry point names the versions of Node it needs instead of failing on an import.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const entries = [
  'server/bin/cardstock.mjs',
  'cli/bin/cardstock.mjs',
  ...readdirSync(join(root, 'scripts'))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => `scripts/${name}`),
]

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-node-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a file on this Node, which claims to be another version. */
function runAs(version: string, file: string) {
  const disguise = join(folder, `${version}.cjs`)
  writeFileSync(disguise, `Object.defineProperty(process.versions, 'node', { value: '${version}' })`)
  return spawnSync(process.execPath, ['--require', disguise, join(root, file)], { encoding: 'utf8' })
}

test('both commands have the same check', () => {
  const [server, cli] = ['server', 'cli'].map((name) => readFileSync(join(root, name, 'bin/require-node.mjs'), 'utf8'))
  expect(cli).toBe(server)
})

describe('a Node that is too old', () => {
  test.each(entries)('%s says so in one sentence and exits with 1', (entry) => {
    const { status, stdout, stderr } = runAs('18.20.8', entry)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Node 18\.20\.8 is too old for Cardstock.+: install Node 24 .+\n$/)
    expect(status).toBe(1)
  })

  test.each(entries)('%s can be loaded by it far enough to print that sentence', (entry) => {
    const text = readFileSync(join(root, entry), 'utf8')
    const imported = [...text.matchAll(/^(?:import|export)\b[^'"(]*['"]([^'"]+)['"]/gm)].map((match) => match[1] ?? '')
    expect(imported[0]).toMatch(/\/require-node\.mjs$/)
    // An old Node would have to load packages and new built-in modules before it prints anything.
    for (const name of imported) {
      expect(name).toMatch(/^\.{1,2}\/.+\.mjs$|^node:(?:child_process|crypto|fs|module|os|path|url)$/)
    }
  })
})

describe('the supported versions', () => {
  const check = 'server/bin/require-node.mjs'

  test.each(['20.19.0', '20.20.2', '22.12.0', '22.23.3', '24.0.0', '25.1.0', '26.10.0', '30.0.0'])(
    'Node %s is accepted',
    (version) => expect(runAs(version, check)).toMatchObject({ status: 0, stderr: '' }),
  )

  test.each(['16.20.2', '18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1'])('Node %s is refused', (version) => {
    expect(runAs(version, check)).toMatchObject({ status: 1 })
  })

  test('are the same in every package.json', () => {
    for (const workspace of ['.', 'server', 'sdk', 'cli', 'private-postgres', 'docs-site']) {
      const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
      expect(manifest.engines).toEqual({ node: '^20.19.0 || ^22.12.0 || >=24.0.0' })
    }
  })
})
