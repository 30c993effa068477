// The private database under root and under ordinary users. Needs root; skipped otherwise.

import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nobody, serviceAccount } from '../src/account.ts'
import { findBinaries } from '../src/binaries.ts'
import {
  copyInstalled,
  NAMELESS,
  hold,
  holdReady,
  isRoot,
  makeFolder,
  ORDINARY,
  ordinaryCanRun,
  postmasters,
  query,
  start,
  TEST_MS_MAX,
  useCleanups,
} from './helpers.ts'
import { PROGRAM } from './program.ts'

useCleanups()

describe.skipIf(!isRoot || process.platform !== 'linux')(
  'the private database of root',
  { timeout: TEST_MS_MAX },
  () => {
    it('runs under an account of its own, with its data in a closed folder whose permissions stay as they were', async () => {
      const home = makeFolder(homedir())
      const folder = join(home, 'data', 'postgres')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const first = await start(folder)
      await query(first.connection, `create table kept as select 42 as answer`)
      const [postmaster] = postmasters(folder)
      expect(statSync(`/proc/${postmaster}`).uid).toBe(serviceAccount(PROGRAM.name).uid)
      expect(serviceAccount(PROGRAM.name).uid).not.toBe(0)
      await first.stop()
      const second = await start(folder)
      expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
      expect(
        await query(
          second.superuser,
          'select count(*) > 0 as read from pg_ls_dir(current_setting($$data_directory$$))',
        ),
      ).toEqual([{ read: true }])
      for (const path of [home, dirname(folder), folder]) {
        expect(statSync(path)).toMatchObject({ uid: 0, mode: 0o40700 })
      }
      expect(existsSync(join(folder, 'cluster', 'PG_VERSION'))).toBe(true)
    })

    it('goes on as nobody on a cluster that an earlier version made as nobody', async () => {
      const folder = makeFolder('/tmp')
      chownSync(folder, nobody().uid, nobody().gid)
      const first = await start(folder)
      await query(first.connection, 'create table kept as select 42 as answer')
      await first.stop()
      chownSync(folder, 0, 0)
      chmodSync(folder, 0o711)
      const second = await start(folder)
      expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
      const [postmaster] = postmasters(folder)
      expect(statSync(`/proc/${postmaster}`).uid).toBe(nobody().uid)
    })

    it('recovers from kill -9 in a private folder', async () => {
      const folder = makeFolder(homedir())
      const server = await holdReady({ folder })
      await query(server.connection, 'create table kept as select 1 as answer')
      await server.kill('SIGKILL')
      const db = await start(folder)
      expect(await query(db.connection, 'select answer from kept')).toEqual([{ answer: 1 }])
      expect(postmasters(folder)).toHaveLength(1)
    })

    it('copies binaries that the user nobody cannot reach, once, to a folder owned by root', async () => {
      const packageDir = join(makeFolder(homedir()), 'package')
      copyInstalled(packageDir)
      const place = join(makeFolder('/tmp'), 'copies')
      chmodSync(dirname(place), 0o755)
      const search = { packageDir, searchPath: [], account: nobody(), copyTo: [place] }
      const found = await Promise.all([findBinaries(PROGRAM, search), findBinaries(PROGRAM, search)])
      expect(new Set(found.map(({ postgres }) => postgres)).size).toBe(1)
      expect(readdirSync(place)).toHaveLength(1)
      expect(found[0].postgres.startsWith(place)).toBe(true)
      expect(statSync(found[0].postgres)).toMatchObject({ uid: 0, mode: 0o100755 })
      const db = await start(makeFolder(homedir()), {}, { packageDir, searchPath: [], copyTo: [place] })
      expect(await query(db.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    })

    it('does not use a folder for copies that another user has prepared', async () => {
      const packageDir = join(makeFolder(homedir()), 'package')
      mkdirSync(join(packageDir, 'native', 'bin'), { recursive: true })
      const place = makeFolder('/tmp')
      chmodSync(place, 0o755)
      chownSync(place, ORDINARY.uid, ORDINARY.gid)
      const search = { packageDir, searchPath: [], account: nobody(), copyTo: [place] }
      await expect(findBinaries(PROGRAM, search)).rejects.toThrow('belongs to another user')
    })

    it.skipIf(!ordinaryCanRun)('keeps the owner of a cluster that an ordinary user has made', async () => {
      const folder = makeFolder('/tmp')
      chownSync(folder, ORDINARY.uid, ORDINARY.gid)
      const server = await holdReady({ folder }, ORDINARY)
      await query(server.connection, 'create table kept as select 42 as answer')
      await server.stop()
      const asRoot = await start(folder)
      expect(await query(asRoot.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
      await asRoot.stop()
      const again = await holdReady({ folder }, ORDINARY)
      expect(await query(again.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    })
  },
)

describe.skipIf(!ordinaryCanRun)('the private database of an ordinary user', { timeout: TEST_MS_MAX }, () => {
  it('runs as that user, and recovers from kill -9', async () => {
    const folder = makeFolder('/tmp')
    chownSync(folder, ORDINARY.uid, ORDINARY.gid)
    const server = await holdReady({ folder }, ORDINARY)
    const [postmaster] = postmasters(folder)
    expect(statSync(`/proc/${postmaster}`).uid).toBe(ORDINARY.uid)
    await query(server.connection, 'create table kept as select 42 as answer')
    await server.kill('SIGKILL')
    const again = await holdReady({ folder }, ORDINARY)
    expect(await query(again.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(postmasters(folder)).toHaveLength(1)
  })

  it('uses a copy in its own folder if the links are missing in a package owned by root', async () => {
    const packageDir = join(makeFolder('/tmp'), 'package')
    chmodSync(dirname(packageDir), 0o755)
    copyInstalled(packageDir, { links: false })
    const folder = makeFolder('/tmp')
    chownSync(folder, ORDINARY.uid, ORDINARY.gid)
    const server = await holdReady({ folder, search: { packageDir, searchPath: [] } }, ORDINARY)
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(join(folder, 'binaries'))).toHaveLength(1)
  })

  it('is told what to do if the system does not know the user’s name', async () => {
    const folder = makeFolder('/tmp')
    chownSync(folder, NAMELESS.uid, NAMELESS.gid)
    const { refused } = await hold({ folder }, NAMELESS).answer
    expect(refused).toMatch(/could not look up effective user ID .*\/etc\/passwd.*DATABASE_URL=postgres:/s)
    const asRoot = await start(folder)
    expect(await query(asRoot.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is told if another user owns the folder', async () => {
    const folder = makeFolder('/tmp')
    const { refused } = await hold({ folder }, ORDINARY).answer
    expect(refused).toMatch(/could not be started: EACCES.*Give that folder to the user/)
    expect(refused).toContain(folder)
  })
})
