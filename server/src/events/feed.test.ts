// How long a feed runs that nobody follows any more, and what it costs to follow it again. The test says what the database answers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db } from '../db/pool.ts'
import type { Statement } from '../db/sql.ts'
import { createLog } from '../lib/log.ts'
import type { Scope } from '../lib/scope.ts'
import { createEventFeeds, type EventFeeds } from './feed.ts'

const NOW = new Date('2026-01-02T00:00:00.000Z')
/** A feed that nobody follows ends after this long. */
const KEPT_MS = 10_000
const POLL_MS = 250

const idOf = (count: number) => `01940000-0000-7000-8000-${String(count).padStart(12, '0')}`
const scopeOf = (company: number): Scope => ({ companyId: idOf(company), environment: 'sandbox' })

let feeds: EventFeeds
/** The ids that a poll finds. */
let found: string[]
let counts: { starts: number; polls: number }
beforeEach(() => {
  vi.useFakeTimers()
  found = []
  counts = { starts: 0, polls: 0 }
  const many = async ({ text, values }: Statement) => {
    if (text.includes('any(')) return (values.at(-1) as string[]).map((id) => ({ id }))
    const isPoll = text.includes('unnest')
    counts[isPoll ? 'polls' : 'starts'] += 1
    return isPoll && found.length > 0 ? [{ feed: 1, ids: found }] : []
  }
  const db = { many } as unknown as Db
  feeds = createEventFeeds({ db, clock: { now: () => NOW }, log: createLog({ level: 'silent' }), keptMs: KEPT_MS })
})
afterEach(async () => {
  await feeds.close()
  vi.useRealTimers()
})

const follow = (onEvents: (ids: string[]) => void = () => {}, company = 1) =>
  feeds.follow(scopeOf(company), { onEvents: (rows) => onEvents(rows.map(({ id }) => id)) })

describe('a feed without a follower', () => {
  it('is found by those who come again and again, so that it is started once', async () => {
    for (let round = 0; round < 50; round += 1) {
      const { stop } = await follow()
      stop()
      await vi.advanceTimersByTimeAsync(KEPT_MS / 2)
    }
    expect(counts.starts).toBe(1)
  })

  it('ends after a few seconds, and with the last one nothing is read any more', async () => {
    const { stop } = await follow()
    stop()
    await vi.advanceTimersByTimeAsync(KEPT_MS)
    const { polls } = counts
    expect(polls).toBeGreaterThan(1)
    await vi.advanceTimersByTimeAsync(KEPT_MS)
    expect(counts).toEqual({ starts: 1, polls })
    expect(vi.getTimerCount()).toBe(0)
    await follow()
    expect(counts.starts).toBe(2)
  })

  it('ends with the process', async () => {
    const { stop } = await follow()
    stop()
    await feeds.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('goes on for as long as somebody follows, counted from the last who left', async () => {
    const [first, second] = [await follow(), await follow()]
    first.stop()
    await vi.advanceTimersByTimeAsync(2 * KEPT_MS)
    second.stop()
    first.stop()
    await vi.advanceTimersByTimeAsync(KEPT_MS - POLL_MS)
    await follow()
    expect(counts.starts).toBe(1)
  })

  it('passes on to those who come later only what came since', async () => {
    const { stop } = await follow()
    stop()
    found = [idOf(1)]
    await vi.advanceTimersByTimeAsync(POLL_MS)
    const passed: string[][] = []
    await follow((ids) => passed.push(ids))
    found = [idOf(1), idOf(2)]
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(passed).toEqual([[idOf(2)]])
  })

  it('ends at once when there are too many feeds', async () => {
    const many = 1000
    for (let company = 1; company <= many; company += 1) await follow(() => {}, company)
    for (const company of [many, many + 1, many + 1, many]) {
      const { stop } = await follow(() => {}, company)
      stop()
    }
    expect(counts.starts).toBe(many + 2)
  })
})

it('those who come while a feed is started get the same', async () => {
  const passed: string[][] = []
  await Promise.all([follow((ids) => passed.push(ids)), follow((ids) => passed.push(ids))])
  found = [idOf(1)]
  await vi.advanceTimersByTimeAsync(POLL_MS)
  expect(passed).toEqual([[idOf(1)], [idOf(1)]])
  expect(counts.starts).toBe(1)
})
