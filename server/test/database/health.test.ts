// The monitor: what it makes of a database that does not answer, does not write, or has another clock.
import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type HealthMonitor, startHealthMonitor } from '../../src/db/health.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { FaultProxy } from '../support/fault-proxy.ts'
import { createDatabase } from '../support/harness.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let proxy: FaultProxy
let other: Pool
let monitor: HealthMonitor
let lines: { level: number; msg: string; skewMs?: number }[]
const onLost = vi.fn<() => void>()

beforeAll(async () => {
  database = await createDatabase()
  proxy = await FaultProxy.open(database.connection)
  other = createPool(database.connection, { size: 1, onError: () => {} })
})
afterEach(async () => {
  monitor.close()
  await proxy.setMode('pass')
})
afterAll(async () => {
  await other.close()
  await proxy.close()
  await database.drop()
})

async function start(skewMs = 0): Promise<void> {
  lines = []
  onLost.mockClear()
  const destination = new PassThrough().on('data', (line) => lines.push(JSON.parse(String(line))))
  monitor = await startHealthMonitor({
    connection: proxy.connection,
    clock: { now: () => new Date(systemClock.now().getTime() - skewMs) },
    log: createLog({ level: 'info', destination }),
    onLost,
  })
}
const until = async (trouble: string | undefined) => {
  await expect.poll(() => monitor.trouble()).toBe(trouble)
}
const execute = (text: string) => other.run({ name: undefined, text, values: [] })

it.each(['drop', 'swallow-answers', 'reset', 'refuse'] as const)(
  'a database behind a network with the fault %s is unreachable until it is over, in one line each',
  async (mode) => {
    await start()
    expect(monitor.trouble()).toBeUndefined()
    await proxy.setMode(mode)
    await until('unreachable')
    expect(monitor.isReachable()).toBe(false)
    expect(onLost).toHaveBeenCalled()
    await proxy.setMode('pass')
    await until(undefined)
    expect(lines.map(({ level }) => level)).toEqual([50, 30])
  },
)

it('a connection of the monitor that the database ends does not make the database unreachable', async () => {
  await start()
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  // With a time-out, PostgreSQL waits until the connections have ended, so that one found later is a new one.
  expect(await execute(`select pg_terminate_backend(pid, 60000) ${others}`)).toBeGreaterThan(0)
  await expect.poll(() => execute(`select 1 ${others}`)).toBeGreaterThan(0)
  expect(onLost).not.toHaveBeenCalled()
  expect(lines).toEqual([])
})

it('a read-only database is not writable, and writable again when it is over', async () => {
  const name = String(database.connection.database)
  await execute(`alter database ${name} set default_transaction_read_only = on`)
  await start()
  expect(monitor.trouble()).toBe('not_writable')
  expect(monitor.isReachable()).toBe(true)
  await execute(`set default_transaction_read_only = off`)
  await execute(`alter database ${name} reset default_transaction_read_only`)
  await until(undefined)
  expect(lines.map(({ level }) => level)).toEqual([50, 30])
})

it('writes about once a second, whatever happens', async () => {
  await start()
  const read = async () =>
    String(
      (
        await other.find<{ beat_at: Date }>({ name: randomUUID(), text: 'select beat_at from heartbeat', values: [] })
      )?.beat_at.getTime(),
    )
  const first = await read()
  await expect.poll(read).not.toBe(first)
})

describe('the clocks', () => {
  it.each([
    [0, undefined, []],
    [1_900, undefined, []],
    [-1_900, undefined, []],
    [4_000, undefined, [40]],
    [-4_000, undefined, [40]],
    [29_900, undefined, [40]],
    [-29_900, undefined, [40]],
    [33_000, 'clock', [50]],
    [-3 * 86_400_000, 'clock', [50]],
  ])('with a difference of %i ms the trouble is %s', async (skewMs, trouble, levels) => {
    await start(skewMs)
    expect(monitor.trouble()).toBe(trouble)
    // What asking took counts as doubt, and a probe takes two seconds at most.
    expect(Math.abs(monitor.skewMs() - skewMs)).toBeLessThan(2_000)
    expect(lines.map(({ level }) => level)).toEqual(levels)
  })
})
