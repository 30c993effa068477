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

it('rests after it found no more, however often it is woken, and never while there is more or when it is stopped', async () => {
  let isMore = true
  const run = vi.fn<() => Promise<boolean>>(async () => isMore && ((isMore = false), true))
  const loop = startLoop({ name: 'test', intervalMs: INTERVAL_MS, restMs: 20, run }, log)
  await vi.advanceTimersByTimeAsync(0)
  expect(run).toHaveBeenCalledTimes(2)
  loop.wake()
  await vi.advanceTimersByTimeAsync(19)
  loop.wake()
  expect(run).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(run).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(20)
  loop.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(run).toHaveBeenCalledTimes(4)
  loop.wake()
  await loop.stop()
  expect(run).toHaveBeenCalledTimes(4)
})

it('rests for as long as it ran, but at most for 100 ms', async () => {
  let runMs = 60
  const run = vi.fn<() => Promise<boolean>>(
    () => new Promise<boolean>((resolve) => setTimeout(() => resolve(false), runMs)),
  )
  const loop = startLoop({ name: 'test', intervalMs: INTERVAL_MS, restMs: 20, run }, log)
  const expectRest = async (restMs: number, runs: number) => {
    await vi.advanceTimersByTimeAsync(runMs)
    loop.wake()
    await vi.advanceTimersByTimeAsync(restMs - 1)
    expect(run).toHaveBeenCalledTimes(runs)
    await vi.advanceTimersByTimeAsync(1)
    expect(run).toHaveBeenCalledTimes(runs + 1)
  }
  await expectRest(60, 1)
  runMs = 500
  await vi.advanceTimersByTimeAsync(60)
  loop.wake()
  await vi.advanceTimersByTimeAsync(60)
  await expectRest(100, 3)
  await vi.advanceTimersByTimeAsync(runMs)
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

it('pauses after a failure, twice as long after each further one but at most 8 s, and begins anew after a success', async () => {
  let isFailing = true
  const run = vi.fn<() => Promise<boolean>>(async () => {
    if (isFailing) throw new Error('the database is away')
    return false
  })
  const loop = start(run)
  await vi.advanceTimersByTimeAsync(0)
  let runs = 1
  const expectPause = async (ms: number) => {
    expect(run).toHaveBeenCalledTimes(runs)
    // Work that arrives does not shorten it.
    loop.wake()
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(run).toHaveBeenCalledTimes(runs)
    await vi.advanceTimersByTimeAsync(1)
    runs += 1
    expect(run).toHaveBeenCalledTimes(runs)
  }
  for (const pauseMs of [500, 1_000, 2_000, 4_000, 8_000]) await expectPause(pauseMs)
  isFailing = false
  await expectPause(8_000)
  isFailing = true
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  runs += 1
  await expectPause(500)
  await loop.stop()
})

it('logs one line without a stack trace while the database cannot be used, and another after it could', async () => {
  const lines: string[] = []
  let isAway = true
  const run = vi.fn<() => Promise<boolean>>(async () => {
    if (isAway) throw new Error('Connection terminated unexpectedly')
    return false
  })
  const collecting = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const loop = startLoop({ name: 'test', intervalMs: INTERVAL_MS, run }, collecting)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(run.mock.calls.length).toBeGreaterThan(3)
  expect(lines).toEqual([expect.stringContaining('"reason":"Connection terminated unexpectedly"')])
  expect(lines[0]).not.toContain('stack')
  isAway = false
  await vi.advanceTimersByTimeAsync(20_000)
  isAway = true
  await vi.advanceTimersByTimeAsync(20_000)
  expect(lines).toHaveLength(2)
  await loop.stop()
})

it('does not run while it may not, and begins when it may', async () => {
  let mayRun = false
  const run = vi.fn<() => Promise<boolean>>(async () => false)
  const loop = startLoop({ name: 'test', intervalMs: INTERVAL_MS, run }, log, () => mayRun)
  loop.wake()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(run).not.toHaveBeenCalled()
  mayRun = true
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(run).toHaveBeenCalled()
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
