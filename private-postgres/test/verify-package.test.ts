// `verifyPackage`: an installed package that differs from the published one in any file is noticed.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPackage, packageName } from '../src/binaries.ts'
import { PACKAGES } from '../src/generated/packages.ts'
import { verifyPackage } from '../src/verify-package.ts'

const parent = mkdtempSync(join(tmpdir(), 'cardstock-verify-package-'))
let archive: string

beforeAll(() => {
  const specifier = `${packageName()}@${PACKAGES[packageName()]?.version}`
  execFileSync('npm', ['pack', specifier, '--prefer-offline', '--pack-destination', parent], { stdio: 'ignore' })
  archive = join(parent, readdirSync(parent).find((name) => name.endsWith('.tgz')) ?? '')
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

function copyPackage(): string {
  const folder = mkdtempSync(join(parent, 'copy-'))
  cpSync(findPackage(), folder, { recursive: true, verbatimSymlinks: true })
  return folder
}

test('the installed package is the published one, also with the links to libraries that are made later', async () => {
  const { name, files, problems } = await verifyPackage({ archive })
  expect([name, problems]).toEqual([packageName(), []])
  expect(files).toBeGreaterThan(500)
})

test('a file that was changed, added or removed is named, and a link that leads elsewhere', async () => {
  const folder = copyPackage()
  const at = (path: string) => join(folder, 'native', path)
  appendFileSync(at('bin/postgres'), ' ')
  writeFileSync(at('lib/libextra.so'), '')
  rmSync(at('bin/initdb'))
  renameSync(at('bin/pg_ctl'), join(parent, 'pg_ctl'))
  symlinkSync(join(parent, 'pg_ctl'), at('bin/pg_ctl'))
  symlinkSync('/bin/sh', at('lib/libother.so'))
  const { problems } = await verifyPackage({ archive, folder })
  const found = problems.map(({ path, problem }) => `${path}: ${problem}`).toSorted()
  expect(found).toEqual([
    expect.stringMatching(/^native\/bin\/initdb: .*no such file/),
    'native/bin/pg_ctl: is a link that does not belong here',
    'native/bin/postgres: was changed',
    'native/lib/libextra.so: was added',
    'native/lib/libother.so: is a link that does not belong here',
  ])
})

test('an archive with another checksum is refused', async () => {
  const other = join(parent, 'other.tgz')
  writeFileSync(other, Buffer.concat([readFileSync(archive), Buffer.from([0])]))
  await expect(verifyPackage({ archive: other })).rejects.toThrow(/is not the one that was chosen/)
})
