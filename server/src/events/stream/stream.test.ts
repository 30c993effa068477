// One event stream between what it missed and what happens meanwhile. The test decides when the database and the feed answer.
import { describe, expect, it } from 'vitest'
import type { Db } from '../../db/pool.ts'
import type { Follower } from '../feed.ts'
import type { EventRow } from '../render.ts'
import { formatId } from '../../lib/ids.ts'
import { type EventStream, openEventStream, type Start } from './stream.ts'

const NOW = new Date('2026-01-02T00:00:00.000Z')
const PAGE = 200

const idOf = (count: number) => `01940000-0000-7000-8000-${String(count).padStart(12, '0')}`
const rowOf = (count: number, type: EventRow['type'] = 'card.updated') =>
  ({
    company_id: idOf(0),
    environment: 'sandbox',
    id: idOf(count),
    type,
    object_id: idOf(count),
    sequence: count,
    data: { id: `card_${count}` },
    created_at: NOW,
  }) as unknown as EventRow
const rowsOf = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => rowOf(first + index))

interface Given {
  readonly start?: Start
  readonly types?: ReadonlySet<string>
  /** What each page of the missed events has. */
  readonly pages?: readonly EventRow[][]
  readonly settled?: string
  readonly bufferBytesMax?: number
  /** Called when a page is read, before it is passed on. */
  onPage?(page: number, follower: Follower): void
}

async function open({ start, types, pages = [], settled = idOf(0), onPage, bufferBytesMax = 1_000_000 }: Given) {
  let follower: Follower | undefined
  let settledId = settled
  const state = { stopped: 0, pages: 0 }
  const many = async () => {
    const page = state.pages
    state.pages += 1
    if (follower !== undefined) onPage?.(page, follower)
    return pages[page] ?? []
  }
  const stream = await openEventStream(
    {
      db: { many } as unknown as Db,
      clock: { now: () => NOW },
      scope: { companyId: idOf(0), environment: 'sandbox' },
      showOperation: () => ({}),
      types,
      isOnlyTypes: false,
      bufferBytesMax,
      retryMs: 3000,
      inTurn: async (left, read) => (left.aborted ? undefined : read()),
      follow: async (each) => {
        follower = each
        return { settledId: () => settledId, stop: () => void (state.stopped += 1) }
      },
    },
    start,
  )
  const settle = (id: string) => {
    settledId = id
  }
  return { stream, state, settle, follower: follower as unknown as Follower }
}

/** Returns what reads until nothing more comes: the events' numbers, and the positions that came with all messages. */
function createReader(stream: EventStream) {
  let text = ''
  stream.body.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return async () => {
    let before = -1
    while (text.length > before) {
      before = text.length
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
    }
    const taken = text
    text = ''
    const counts = [...taken.matchAll(/"sequence":(\d+)/g)].map(([, count]) => Number(count))
    const positions = [...taken.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id ?? '')
    return { text: taken, counts, positions }
  }
}

describe('a stream that catches up', () => {
  it('sends what it missed, then what happened meanwhile, each event once', async () => {
    const { stream, state } = await open({
      start: { after: idOf(0) },
      settled: idOf(2),
      pages: [rowsOf(1, 2), rowsOf(3, 4)],
      // The feed passes on what the last page contains too, and one event more.
      onPage: (page, follower) => page === 1 && follower.onEvents(rowsOf(3, 5)),
    })
    const read = createReader(stream)
    const { counts, positions } = await read()
    expect(counts).toEqual([1, 2, 3, 4, 5])
    expect(state.pages).toBe(2)
    // Beyond what is settled an earlier event may still appear, so the position does not move.
    expect(positions).toEqual([0, 1, 2, 2, 2, 2].map((count) => formatId('pos', idOf(count))))
  })

  it('does not pass on events of the feed before it has read the settled part, because it will read them itself', async () => {
    const { stream } = await open({
      start: { after: idOf(0) },
      settled: idOf(2),
      pages: [rowsOf(1, 2), [rowOf(3)]],
      onPage: (page, follower) => page === 0 && follower.onEvents([rowOf(3)]),
    })
    const read = createReader(stream)
    expect((await read()).counts).toEqual([1, 2, 3])
  })

  it('reads page after page while pages are full', async () => {
    const { stream, state } = await open({
      start: { after: idOf(0) },
      settled: idOf(2 * PAGE),
      pages: [rowsOf(1, PAGE), rowsOf(PAGE + 1, 2 * PAGE), [], []],
    })
    const read = createReader(stream)
    expect((await read()).counts).toHaveLength(2 * PAGE)
    expect(state.pages).toBe(4)
  })

  it('leaves out the event that the client has, and types that it did not ask for', async () => {
    const { stream, follower } = await open({
      start: { after: idOf(0), skip: idOf(2) },
      types: new Set(['card.updated']),
      pages: [[], [rowOf(1), rowOf(2), rowOf(3, 'card.created')]],
    })
    const read = createReader(stream)
    expect((await read()).counts).toEqual([1])
    follower.onEvents([rowOf(2), rowOf(4, 'card.created'), rowOf(5)])
    expect((await read()).counts).toEqual([5])
  })

  it('begins at the position of the client if that is beyond what is settled', async () => {
    const { stream } = await open({ start: { after: idOf(7) }, settled: idOf(3), pages: [[], [rowOf(8)]] })
    const read = createReader(stream)
    expect((await read()).positions).toEqual([7, 7].map((count) => formatId('pos', idOf(count))))
  })

  it('is cut when more events wait than it keeps', async () => {
    const most = 10_000
    const openWith = (count: number) =>
      open({
        start: { after: idOf(0) },
        bufferBytesMax: 100_000_000,
        onPage: (page, follower) => page === 1 && follower.onEvents(rowsOf(1, count)),
      })
    const { stream } = await openWith(most)
    const read = createReader(stream)
    expect((await read()).counts).toHaveLength(most)
    const { stream: long } = await openWith(most + 1)
    const readLong = createReader(long)
    expect((await readLong()).counts).toEqual([])
    expect(long.body.destroyed).toBe(true)
  })

  it('stops reading when its client has gone', async () => {
    const { stream, state } = await open({
      start: { after: idOf(0) },
      settled: idOf(PAGE),
      pages: [rowsOf(1, PAGE), rowsOf(PAGE + 1, 2 * PAGE)],
      // How much a stream takes before it waits for its reader depends on the version of Node, so the client leaves at once.
      onPage: (page, follower) => page === 0 && (follower as EventStream).cut(),
    })
    const read = createReader(stream)
    await read()
    // The page that tells what is still missing is read in any case.
    expect(state).toEqual({ pages: 2, stopped: 1 })
  })
})

describe('a live stream', () => {
  it('sends new events with the position up to which everything was sent', async () => {
    const { stream, follower, settle } = await open({})
    const read = createReader(stream)
    const [begin] = (await read()).positions
    follower.onEvents([rowOf(1)])
    expect((await read()).positions).toEqual([begin])
    settle('019f9999-0000-7000-8000-000000000000')
    follower.onEvents([rowOf(2)])
    expect((await read()).positions).toEqual(['pos_019f9999000070008000000000000000'])
  })

  it('shows with each sign of life how far it got, and forgets what cannot come again', async () => {
    const { stream, follower, settle } = await open({ start: { after: idOf(0), skip: idOf(2) }, pages: [[], []] })
    const read = createReader(stream)
    await read()
    settle(idOf(1))
    stream.beat()
    follower.onEvents([rowOf(2)])
    expect(await read()).toMatchObject({ counts: [], positions: [formatId('pos', idOf(1))] })
    settle(idOf(2))
    stream.beat()
    expect((await read()).text).toBe(`: alive\nid: ${formatId('pos', idOf(2))}\n\n`)
    follower.onEvents([rowOf(2)])
    expect((await read()).counts).toEqual([2])
  })

  it('is cut when its client does not read, and not before', async () => {
    const { stream, follower } = await open({ bufferBytesMax: 2_000 })
    while (stream.body.readableLength <= 2_000 && !stream.body.destroyed) follower.onEvents([rowOf(1)])
    expect(stream.body.destroyed).toBe(true)
    expect(stream.body.readableLength).toBeGreaterThan(2_000)
  })

  it('that was ended sends nothing more, and ends once', async () => {
    const { stream, follower } = await open({})
    const read = createReader(stream)
    await read()
    stream.end()
    follower.onEvents([rowOf(1)])
    expect((await read()).counts).toEqual([])
    expect(stream.body.readableEnded).toBe(true)
    stream.end()
  })
})
