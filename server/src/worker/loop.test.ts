// The loop runs without a pause while there is more work, when it is woken, at its interval, after a pause if it failed, and
// never after stop.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLog } from '../lib/log.ts'
import { startLoop } from './loop.ts'

const log = createLog({ level: 'silent' })
const INTERVAL_MS = 1_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(run: () => Promise<boolean>) {
  return startLoop({ name: 'test', intervalMs: INTERVAL_MS, run }, log)
}

it('runs immediately, continues without a pause while there is more work, then runs at its interval', async () => {
  let left = 3
  const run = vi.fn<() => Promise<boolean>>(async () => (left -= 1) > 0)
  const loop = start(run)
  await vi.advanceTimersByTimeAsync(0)
  expect(run).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(INTERVAL_MS - 1)
  expect(run).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(1)
  expect(run).toHaveBeenCalledTimes(4)
  await loop.stop()
})

it('runs when it is woken, without waiting for the interval', async () => {
  const run = vi.fn<() => Promise<boolean>>(async () => false)
  const loop = start(run)
  await vi.advanceTimersByTimeAsync(10)
  loop.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(run).toHaveBeenCalledTimes(2)
  await loop.stop()
})

it('runs once more if it is woken while it runs, because that run may have missed the work', async () => {
  let finish: (more: boolean) => void = () => {}
  const run = vi.fn<() => Promise<boolean>>(() => new Promise<boolean>((resolve) => (finish = resolve)))
  const loop = start(run)
  loop.wake()
  finish(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(run).toHaveBeenCalledTimes(2)
  finish(false)
  await loop.stop()
})

it('continues after a failure, but only after a pause', async () => {
  const run = vi.fn<() => Promise<boolean>>(async () => {
    throw new Error('the database is away')
  })
  const loop = start(run)
  await vi.advanceTimersByTimeAsync(0)
  expect(run).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(499)
  expect(run).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(run).toHaveBeenCalledTimes(2)
  await loop.stop()
})

it('stops after the current run and begins no other', async () => {
  let finish: (more: boolean) => void = () => {}
  const run = vi.fn<() => Promise<boolean>>(() => new Promise<boolean>((resolve) => (finish = resolve)))
  const loop = start(run)
  let isStopped = false
  const stopped = loop.stop().then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(isStopped).toBe(false)
  finish(true)
  await stopped
  loop.wake()
  await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS)
  expect(run).toHaveBeenCalledTimes(1)
})
