// Tests where the PostgreSQL programs come from.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nobody } from '../src/account.ts'
import { findBinaries } from '../src/binaries.ts'
import { PrivatePostgresError } from '../src/error.ts'
import { findSystemFolders } from '../src/system-binaries.ts'
import { copyInstalled, isRoot, makeFolder, query, start, TEST_MS_MAX, useCleanups } from './helpers.ts'
import { PROGRAM } from './program.ts'

useCleanups()

const account = isRoot ? nobody() : undefined

function countLinks(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isSymbolicLink()).length
}

const systemFolders = await findSystemFolders()

/** Creates a folder of fake programs that everyone may run and that report this version. */
function fakeFolder(version: string): string {
  const bin = join(makeFolder('/tmp'), 'bin')
  mkdirSync(bin)
  for (const name of ['initdb', 'postgres']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`, { mode: 0o755 })
  }
  chmodSync(dirname(bin), 0o755)
  return bin
}

describe('the PostgreSQL programs', { timeout: TEST_MS_MAX }, () => {
  it('are completed if the package was installed without its scripts, even by two processes at the same time', async () => {
    const packageDir = join(makeFolder('/tmp'), 'package')
    chmodSync(dirname(packageDir), 0o755)
    copyInstalled(packageDir)
    const before = countLinks(packageDir)
    execFileSync('find', [packageDir, '-type', 'l', '-delete'])
    const search = { packageDir, searchPath: [], account }
    const found = await Promise.all([
      findBinaries(PROGRAM, search),
      findBinaries(PROGRAM, search),
      findBinaries(PROGRAM, search),
    ])
    for (const { postgres } of found) expect(postgres.startsWith(packageDir)).toBe(true)
    expect(countLinks(packageDir)).toBe(before)
    const db = await start(makeFolder(), {}, search)
    expect(await query(db.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('the message says what to set if there are none', async () => {
    const error = await findBinaries(PROGRAM, { packageDir: '', searchPath: [] }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PrivatePostgresError)
    expect(String(error)).toMatch(/No PostgreSQL for this machine.*DATABASE_URL=postgres:\/\/.*PostgreSQL 15 or newer/s)
    await expect(start(makeFolder(), {}, { packageDir: '', searchPath: [] })).rejects.toThrow(
      'DATABASE_URL=postgres://',
    )
  })

  it('of the system are used if there is no package, unless they are too old', async () => {
    const [old, good] = [fakeFolder('14.9'), fakeFolder('16.2 (Debian 16.2-1)')]
    const found = await findBinaries(PROGRAM, { packageDir: '', searchPath: [old, good] })
    expect(found).toMatchObject({ major: 16, initdb: join(good, 'initdb') })
    await expect(findBinaries(PROGRAM, { packageDir: '', searchPath: [old] })).rejects.toThrow(
      'PostgreSQL 14 is too old',
    )
  })

  it('that do not run are skipped with the reason', async () => {
    const packageDir = join(makeFolder('/tmp'), 'package')
    mkdirSync(join(packageDir, 'native', 'bin'), { recursive: true })
    for (const name of ['initdb', 'postgres']) {
      writeFileSync(join(packageDir, 'native', 'bin', name), '#!/bin/sh\necho wrong machine; exit 1\n', { mode: 0o755 })
    }
    const good = fakeFolder('17.0')
    expect(await findBinaries(PROGRAM, { packageDir, searchPath: [good] })).toMatchObject({ major: 17 })
    await expect(findBinaries(PROGRAM, { packageDir, searchPath: [] })).rejects.toThrow('wrong machine')
  })

  it.skipIf(systemFolders.length === 0)('of the system run a database', async () => {
    const db = await start(makeFolder(), {}, { packageDir: '' })
    expect(await query(db.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})
