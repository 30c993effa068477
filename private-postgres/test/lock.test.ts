// Two servers never share a folder, however they are started.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockFolder } from '../src/lock.ts'
import { PrivatePostgresError } from '../src/error.ts'
import {
  hold,
  holdReady,
  makeDatabaseFolder,
  makeFolder,
  postmasters,
  query,
  start,
  TEST_MS_MAX,
  useCleanups,
} from './helpers.ts'
import { PROGRAM } from './program.ts'

useCleanups()

const DEAD = { pid: process.pid, started: 'another process with the same number' }

describe('one server per folder', { timeout: TEST_MS_MAX }, () => {
  it('a second server is refused with the folder and the process id of the first, which keeps running', async () => {
    const folder = await makeDatabaseFolder()
    const first = await holdReady({ folder })
    const error = await start(folder).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PrivatePostgresError)
    expect(String(error)).toContain(folder)
    expect(String(error)).toContain(`process ${first.pid}`)
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('exactly one of several servers started at the same time gets the folder, even after a crash', async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'server.lock.3'), JSON.stringify(DEAD))
    const servers = [hold({ folder }), hold({ folder }), hold({ folder })]
    const answers = await Promise.all(servers.map((server) => server.answer))
    expect(answers.filter(({ connection }) => connection !== undefined)).toHaveLength(1)
    const winner = servers[answers.findIndex(({ connection }) => connection !== undefined)]
    for (const { refused } of answers.filter(({ connection }) => connection === undefined)) {
      expect(refused).toContain(`process ${winner?.pid}`)
    }
    expect(postmasters(folder)).toHaveLength(1)
  })

  it('exactly one of many processes that find a stale lock gets it, in every round', async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'server.lock.1'), JSON.stringify(DEAD))
    for (let round = 0; round < 20; round++) {
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, PROGRAM)))
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      expect(won).toHaveLength(1)
      await won[0]?.release()
    }
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('a lock file damaged by a power cut blocks nobody', async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'server.lock.5'), '')
    const lock = await lockFolder(folder, PROGRAM)
    await expect(lockFolder(folder, PROGRAM)).rejects.toThrow(`process ${process.pid}`)
    await lock.release()
  })
})
