// Event streams that end while they are opened, that say that they live, that are opened again and again, and that are closed.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { createEventStreams, type EventStreams, type StreamLimits } from '../../src/events/stream/streams.ts'
import { Book } from '../ledger/book.ts'
import { until } from '../support/wait.ts'

let book: Book
let scope: Scope
const open: EventStreams[] = []
beforeAll(async () => {
  book = await Book.open()
  scope = (await book.addCompany()).scope
})
afterAll(() => book.close())
afterEach(async () => {
  vi.useRealTimers()
  for (const streams of open.splice(0)) await streams.close()
})

function create(streamLimits: Partial<StreamLimits> = {}, db: Db = book.db): EventStreams {
  const log = createLog({ level: 'silent' })
  const streams = createEventStreams({
    db,
    clock: book.clock,
    log,
    grouping: 'all',
    showOperation: () => ({}),
    streamLimits,
  })
  open.push(streams)
  return streams
}
const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()))
const newStream = (recheck: () => Promise<void> = async () => {}) => ({
  scope,
  start: undefined,
  types: undefined,
  recheck,
})

describe('a stream is cut at once', () => {
  it('if its client has gone while it was opened', async () => {
    const streams = create()
    const response = newResponse()
    response.destroy()
    const body = await streams.open(newStream(), response)
    expect(body.destroyed).toBe(true)
    await until('its place is free', () => streams.count() === 0)
  })

  it('if the server began to stop while it was opened', async () => {
    const streams = create()
    const opening = streams.open(newStream(), newResponse())
    await streams.close()
    const body = await opening
    expect(body.destroyed).toBe(true)
    await until('its place is free', () => streams.count() === 0)
  })

  it('otherwise not', async () => {
    const body = await create().open(newStream(), newResponse())
    expect(body.destroyed).toBe(false)
    body.resume()
  })
})

describe('while a stream is open', () => {
  it('the right to read is checked again and again, and its time is not over', async () => {
    // Ends at once what is measured from the start of the process instead of from the last event.
    const streams = create({ checkMs: 5, idleMs: performance.now() * 1.5 })
    let checks = 0
    const recheck = async () => void (checks += 1)
    const bodies = await Promise.all(Array.from({ length: 20 }, () => streams.open(newStream(recheck), newResponse())))
    for (const body of bodies) body.resume()
    await until('each was checked three times', () => checks >= 60)
    expect(streams.count()).toBe(20)
    expect(bodies.filter(({ readableEnded, destroyed }) => readableEnded || destroyed)).toEqual([])
  })

  it('its reader is told that it lives after the given time, and not before', async () => {
    const beatMs = 60
    const startedMs = performance.now()
    const body = await create({ checkMs: 5, beatMs }).open(newStream(), newResponse())
    let beats = 0
    body.on('data', (chunk: Buffer) => (beats += chunk.toString().startsWith(':') ? 1 : 0))
    await until('there were five', () => beats >= 5)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(beats * beatMs)
  })
})

it('opening and closing a stream again and again reads the newest events once', async () => {
  let reads = 0
  const many: typeof book.db.many = async (statement) => {
    if (statement.text.includes('event_log') && !statement.text.includes('unnest')) reads += 1
    return book.db.many(statement)
  }
  const streams = create({}, { ...book.db, many })
  for (let round = 0; round < 50; round += 1) {
    const body = await streams.open(newStream(), newResponse())
    body.destroy()
    await until('its place is free', () => streams.count() === 0)
  }
  expect(reads).toBe(1)
})

it('closed streams are not looked at any more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const streams = create()
  const body = await streams.open(newStream(), newResponse())
  body.resume()
  await streams.close()
  expect(vi.getTimerCount()).toBe(0)
})
