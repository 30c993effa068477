// What the private database does after a crash, and with data that it cannot use.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBinaries, placesForCopy } from '../src/binaries.ts'
import {
  countProcesses,
  findWatch,
  hold,
  holdReady,
  isRoot,
  makeDatabaseFolder,
  makeFolder,
  postmasters,
  query,
  start,
  TEST_MS_MAX,
  waitFor,
  useCleanups,
} from './helpers.ts'
import { PROGRAM } from './program.ts'

useCleanups()

function readOrEmpty(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

describe('the private database after a crash', { timeout: TEST_MS_MAX }, () => {
  it('stops the PostgreSQL that outlived a killed server before it starts another on the same data', async () => {
    const folder = await makeDatabaseFolder()
    const server = await holdReady({ folder })
    await query(server.connection, 'create table kept as select 42 as answer')
    await query(server.superuser, 'checkpoint')
    const [orphan] = postmasters(folder)
    const watch = findWatch(orphan ?? 0)
    process.kill(watch ?? 0, 'SIGKILL')
    await server.kill('SIGKILL')
    expect(postmasters(folder)).toEqual([orphan])

    const db = await start(folder)
    expect(await query(db.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(postmasters(folder)).toHaveLength(1)
    expect(postmasters(folder)).not.toContain(orphan)
    expect(existsSync(server.connection.host)).toBe(false)
  })

  it('stops by itself if its server is killed', async () => {
    const folder = await makeDatabaseFolder()
    const server = await holdReady({ folder })
    await server.kill('SIGKILL')
    await waitFor(() => countProcesses(folder) === 0, 'PostgreSQL is gone')
    await waitFor(() => !existsSync(server.connection.host), 'its socket is gone')
    expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).toContain('database system is shut down')
  })

  it('starts after all processes were killed at the same time', async () => {
    const folder = await makeDatabaseFolder()
    const server = await holdReady({ folder })
    await query(server.connection, 'create table kept as select 7 as answer')
    await query(server.superuser, 'checkpoint')
    const [postmaster] = postmasters(folder)
    process.kill(findWatch(postmaster ?? 0) ?? 0, 'SIGKILL')
    process.kill(postmaster ?? 0, 'SIGKILL')
    await server.kill('SIGKILL')
    expect(existsSync(join(folder, 'cluster', 'postmaster.pid'))).toBe(true)
    const db = await start(folder)
    expect(await query(db.connection, 'select answer from kept')).toEqual([{ answer: 7 }])
    expect(postmasters(folder)).toHaveLength(1)
  })

  it('is not misled by a left-over postmaster.pid whose number now belongs to another process', async () => {
    const folder = await makeDatabaseFolder()
    const { uid, gid } = statSync(join(folder, 'cluster'))
    const other = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
    writeFileSync(join(folder, 'cluster', 'postmaster.pid'), `${other.pid}\n${join(folder, 'cluster')}\n`)
    const db = await start(folder)
    expect(await query(db.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(other.exitCode ?? other.signalCode).toBeNull()
    other.kill()
    await once(other, 'exit')
  })

  it('does not stop a PostgreSQL that a user started on the same data, and does not start a second one', async () => {
    const folder = await makeDatabaseFolder()
    chmodSync(folder, 0o711)
    const cluster = join(folder, 'cluster')
    const { uid, gid } = statSync(cluster)
    // The programs that made the data: those of the package may have been copied to where this account can read them.
    const account = isRoot ? { uid, gid } : undefined
    const { postgres } = await findBinaries(PROGRAM, { account, copyTo: placesForCopy(account, folder, PROGRAM.name) })
    const args = ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories="${cluster}"`]
    const other = spawn(postgres, args, { uid, gid, cwd: '/', stdio: 'ignore' })
    await waitFor(() => {
      expect(other.exitCode).toBeNull()
      return readOrEmpty(join(cluster, 'postmaster.pid')).includes('ready')
    }, 'it is ready')
    await expect(start(folder)).rejects.toThrow(/lock file "postmaster.pid" already exists/)
    expect(other.exitCode ?? other.signalCode).toBeNull()
    other.kill('SIGINT')
    await once(other, 'exit')
    const db = await start(folder)
    expect(await query(db.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts over if the first start was killed while the database was being created', async () => {
    const folder = makeFolder()
    const server = hold({ folder })
    const drafts = () => readdirSync(folder).filter((name) => name.startsWith('cluster.draft-'))
    await waitFor(() => drafts().some((name) => existsSync(join(folder, name, 'PG_VERSION'))), 'initdb is at work')
    await server.kill('SIGKILL')
    expect(existsSync(join(folder, 'cluster'))).toBe(false)
    expect(drafts()).toHaveLength(1)

    const db = await start(folder)
    expect(await query(db.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await db.stop()
    await (await start(folder)).stop()
    expect(drafts()).toEqual([])
  })

  it('does not touch a folder that is not a database, and says so', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'cluster'))
    writeFileSync(join(folder, 'cluster', 'precious'), 'x')
    writeFileSync(join(folder, 'password'), 'x')
    await expect(start(folder)).rejects.toThrow(/is not a PostgreSQL data folder .* left untouched/)
    expect(readdirSync(join(folder, 'cluster'))).toEqual(['precious'])
  })

  it('does not replace a lost password, because the data may still be needed', async () => {
    const folder = await makeDatabaseFolder()
    rmSync(join(folder, 'password'))
    await expect(start(folder)).rejects.toThrow(/the file with its password, .* is not\. Put that file back/)
  })

  it('refuses data made by another major version, and says what to do', async () => {
    const folder = await makeDatabaseFolder()
    writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '14\n')
    await expect(start(folder)).rejects.toThrow(
      /was made by PostgreSQL 14, but the one at hand .* is 1\d\..*pg_upgrade.*DATABASE_URL=postgres:/s,
    )
  })
})
