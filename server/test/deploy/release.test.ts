// `npm run release`: the files of a release are the same whoever makes them, complete, and not made from what is not committed.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Checkout } from '../documents/checkout.ts'
import { root } from '../documents/blocks.ts'

const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as { version: string }
const outputs = mkdtempSync(join(tmpdir(), 'cardstock-release-'))
const checkouts: Checkout[] = []
let [first, second] = ['', '']

beforeAll(() => {
  first = release(commitCopy(), join(outputs, 'first')).folder
  second = release(commitCopy(), join(outputs, 'second'), '--tag').folder
})
afterAll(() => {
  for (const checkout of checkouts) checkout.remove()
  rmSync(outputs, { recursive: true, force: true })
})

/** Returns a copy of this checkout, in a folder with another name each time, in which everything is committed. */
function commitCopy(): Checkout {
  const checkout = new Checkout({}, { fresh: true })
  checkouts.push(checkout)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout.folder, stdio: 'ignore' })
  git('init')
  commit(checkout)
  return checkout
}

function commit({ folder }: Checkout): void {
  const author = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...author, 'add', '--all'], { cwd: folder, stdio: 'ignore' })
  execFileSync('git', [...author, 'commit', '--message', 'All'], { cwd: folder, stdio: 'ignore' })
}

function run({ folder }: Checkout, target: string, ...options: string[]) {
  const author = ['GIT_AUTHOR', 'GIT_COMMITTER'].flatMap((who) => [
    [`${who}_NAME`, 'Nobody'],
    [`${who}_EMAIL`, 'nobody@example.com'],
  ])
  // Without the settings of whoever runs the tests, who may have a key to sign with.
  const env = { ...process.env, ...Object.fromEntries(author), GIT_CONFIG_GLOBAL: '/dev/null' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', ...options, target], {
    cwd: folder,
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr }
}

function release(checkout: Checkout, folder: string, ...options: string[]) {
  const { status, stdout, stderr } = run(checkout, folder, ...options)
  if (status !== 0) throw new Error(`The release failed: ${stderr}`)
  const advice = `git tag --sign v${version} --message 'Cardstock ${version}'`
  expect(stdout.includes(advice)).toBe(!options.includes('--tag'))
  return { folder, stdout }
}

const read = (name: string) => readFileSync(join(first, name), 'utf8')

test('two releases of the same commit have the same bytes', () => {
  const files = readdirSync(first)
  expect(files.toSorted()).toEqual(
    [
      'RELEASE-NOTES.md',
      'SHA256SUMS',
      'THIRD-PARTY-LICENCES.txt',
      ...['cli', 'sdk', 'server'].map((name) => `cardstock-${name}-${version}.tgz`),
      'sbom.cdx.json',
    ].toSorted(),
  )
  expect(readdirSync(second)).toEqual(files)
  for (const name of files)
    expect([name, readFileSync(join(second, name)).equals(readFileSync(join(first, name)))]).toEqual([name, true])
})

test('SHA256SUMS has the checksum of every other file', () => {
  const others = readdirSync(first).filter((name) => name !== 'SHA256SUMS')
  const lines = others.toSorted().map((name) => {
    const digest = createHash('sha256').update(readFileSync(join(first, name)))
    return `${digest.digest('hex')}  ${name}\n`
  })
  expect(read('SHA256SUMS')).toBe(lines.join(''))
})

test('the notes are the section of the changelog, with links that work elsewhere', () => {
  const notes = read('RELEASE-NOTES.md')
  expect(notes).toMatch(new RegExp(`^# Cardstock ${version.replaceAll('.', String.raw`\.`)}\n`))
  expect(notes).not.toMatch(/^## /m)
  const links = [...notes.matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !link.startsWith('https://'))).toEqual([])
})

test('the licences include what the console contains, and the fonts', () => {
  const text = read('THIRD-PARTY-LICENCES.txt')
  for (const name of [
    'react',
    '@mantine/core',
    '@fontsource-variable/inter',
    '@fontsource/unifont',
    'fastify',
    'commander',
    // A part of the server's program, so that nobody installs it.
    'typebox',
  ])
    expect(text).toMatch(new RegExp(`^ {2}${name} [\\d.]+ \\(`, 'm'))
  expect(text).toContain('SIL OPEN FONT LICENSE')
  const packed = execFileSync('tar', [
    '-xzOf',
    join(first, `cardstock-server-${version}.tgz`),
    'package/THIRD-PARTY-LICENCES.txt',
  ])
  expect(packed.toString()).toBe(text)
})

describe('the bill of materials', () => {
  interface Component {
    readonly 'bom-ref': string
    readonly name: string
    readonly version: string
    readonly purl: string
    readonly hashes: readonly { alg: string; content: string }[]
    readonly licenses: readonly object[]
    readonly properties: readonly { value: string }[]
  }
  interface Sbom {
    readonly bomFormat: string
    readonly specVersion: string
    readonly components: readonly Component[]
    readonly dependencies: readonly { ref: string; dependsOn: readonly string[] }[]
  }
  const readSbom = () => JSON.parse(read('sbom.cdx.json')) as Sbom

  test('has every package of the lock file that the server installs, with its checksum', () => {
    const { bomFormat, specVersion, components } = readSbom()
    expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6'])
    const { dependencies, optionalDependencies } = JSON.parse(
      execFileSync('tar', ['-xzOf', join(first, `cardstock-server-${version}.tgz`), 'package/package.json']).toString(),
    ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>
    const installed = Object.entries({ ...dependencies, ...optionalDependencies }).filter(
      ([name]) => !name.startsWith('@cardstock/'),
    )
    expect(installed.length).toBeGreaterThan(100)
    for (const [name, wanted] of installed) {
      const found = components.find((one) => one.name === name && one.version === wanted)
      expect(found?.hashes[0]?.content, name).toMatch(/^[0-9a-f]{128}$/)
      expect(found?.licenses.length, name).toBe(1)
    }
    expect(components.find(({ name }) => name === 'typebox')?.properties).toEqual([
      { name: 'cardstock:part', value: 'server' },
    ])
    expect(components.find(({ name }) => name === 'react-dom')?.properties).toEqual([
      { name: 'cardstock:part', value: 'console' },
    ])
  })

  test('names each part once, and refers only to parts that it has', () => {
    const { components, dependencies } = readSbom()
    const refs = components.map((one) => one['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    expect(dependencies.map(({ ref }) => ref)).toEqual(['cardstock', ...refs])
    for (const { ref, dependsOn } of dependencies)
      expect(
        dependsOn.filter((other) => !refs.includes(other)),
        ref,
      ).toEqual([])
    expect(dependencies.find(({ ref }) => ref.startsWith('pkg:npm/fastify@'))?.dependsOn.length).toBeGreaterThan(5)
  })
})

test('the tag is made if it is wanted, and never moved', () => {
  const [untagged, tagged] = checkouts
  if (untagged === undefined || tagged === undefined) throw new Error('There are no checkouts.')
  const git = ({ folder }: Checkout, ...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  expect(git(untagged, 'tag')).toBe('')
  expect(git(tagged, 'for-each-ref', '--format=%(refname) %(objecttype) %(subject)', 'refs/tags')).toBe(
    `refs/tags/v${version} tag Cardstock ${version}`,
  )
  expect(git(tagged, 'rev-parse', `v${version}^{commit}`)).toBe(git(tagged, 'rev-parse', 'HEAD'))
  const again = run(tagged, join(outputs, 'again'), '--tag')
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('is there already') as string })
  expect(readdirSync(outputs)).not.toContain('again')
})

test('what is not committed, a version that the changelog does not have, and a folder with files are refused', () => {
  const [checkout] = checkouts
  if (checkout === undefined) throw new Error('There is no checkout.')
  expect(run(checkout, first)).toMatchObject({ status: 1, stderr: expect.stringContaining('is not empty') as string })
  const changelog = join(checkout.folder, 'CHANGELOG.md')
  const text = readFileSync(changelog, 'utf8')
  writeFileSync(changelog, text.replace(`## ${version}`, '## Unreleased'))
  const target = join(outputs, 'third')
  expect(run(checkout, target)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`no section "## ${version}"`) as string,
  })
  writeFileSync(changelog, `${text}\n`)
  expect(run(checkout, target)).toMatchObject({ status: 1, stderr: expect.stringContaining('CHANGELOG.md') as string })
  expect(readdirSync(outputs)).not.toContain('third')
})
