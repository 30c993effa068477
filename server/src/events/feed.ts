// Tells followers about new events of a company and environment. One poller serves all followers of a process, and it runs only
// while there are any, and for a few seconds after the last has left. It must not know who follows or how events are sent.
//
// Events become visible when their transaction commits, which is not the order of their ids: the id has the time at which a
// process began to write. A poll therefore looks again at the last two seconds, and a wide poll at everything that could still
// have been on its way, and both pass on what they have not seen. Whatever is older than that is settled: no event can appear
// there any more.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Grouping } from '../lib/grouping.ts'
import { firstIdAt, timeInId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Scope } from '../lib/scope.ts'
import { listEventIds, listEventIdsOf, listEventsById, type SeenEvents } from './queries.ts'
import type { EventRow } from './render.ts'

/** People notice a longer delay. A poll without news costs one index look-up for each followed company. */
const POLL_INTERVAL_MS = 250
/** Almost every transaction commits within this time after its ids were made. */
const RECENT_MS = 2_000
/** A late event is delayed by this much at most. */
const WIDE_INTERVAL_MS = 5_000
/**
 * The longest time between the time in an id and the commit: 22 s to get a connection and for the statement, and twice the 30 s
 * by which a clock may differ from the database's before its process stops working.
 */
export const SETTLED_AFTER_MS = 90_000
/** Ids that one poll reads for one company. At the highest rate that was measured, two seconds have a tenth of this. */
const IDS_MAX = 100_000
/** Events that one statement reads. */
const EVENTS_MAX = 200
/** With more feeds than this, none goes on without a follower. As many as a process may have streams. */
const KEPT_FEEDS_MAX = 1000

export interface Follower {
  /** Called with new events, the smallest id first. An event is passed on once. */
  onEvents(rows: readonly EventRow[]): void
}

export interface Following {
  /** The greatest id of which it is certain that every event up to it was passed on. */
  settledId(): string
  stop(): void
}

export interface EventFeeds {
  /** Resolves when the feed runs: every event that becomes visible from then on is passed on. */
  follow(scope: Scope, follower: Follower): Promise<Following>
  close(): Promise<void>
}

interface Feed {
  readonly scope: Scope
  readonly followers: Set<Follower>
  /** When the last follower left, or when the feed was started, as `performance.now()` tells. */
  leftAt: number
  /** The ids within the time of the next wide poll that were passed on or existed before. */
  readonly seen: Set<string>
  /** When the last poll and the last wide poll began; what came before was looked at. */
  polledAt: number
  widelyPolledAt: number
  settledId: string
}

interface Deps {
  db: Db
  clock: Clock
  log: Log
  /** Which feeds may share a statement. */
  grouping?: Grouping
  /**
   * How long a feed goes on without a follower. To start one, all ids of the last 90 seconds are read, so a client that connects and leaves
   * again and again must find it running.
   */
  keptMs: number
}

export function createEventFeeds({ db, clock, log, grouping = 'all', keptMs }: Deps): EventFeeds {
  const feeds = createFeedSet({ db, clock, keptMs })
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let isClosed = false

  const schedule = () => {
    if (isClosed || timer !== undefined || feeds.isEmpty()) return
    timer = setTimeout(() => {
      polling = poll().finally(() => {
        timer = undefined
        schedule()
      })
    }, POLL_INTERVAL_MS)
  }
  const pollSome = async (some: readonly Feed[]) => {
    try {
      await pollFeeds({ db, clock, grouping }, some)
    } catch (error) {
      // What was not passed on is still unseen, so the next poll finds it.
      log.debug({ error }, 'New events could not be read.')
    }
  }
  const poll = async () => {
    feeds.endUnused()
    if (feeds.isEmpty()) return
    const all = feeds.list()
    // Each company by itself, so that a node that is down harms only its companies.
    if (grouping === 'citus') await Promise.all(all.map((feed) => pollSome([feed])))
    else await pollSome(all)
  }

  return {
    async follow(scope, follower) {
      // A feed that runs is followed at once: it could end while somebody waits.
      const feed = feeds.find(scope) ?? (await feeds.start(scope))
      feed.followers.add(follower)
      schedule()
      return { settledId: () => feed.settledId, stop: () => feeds.leave(feed, follower) }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await polling
    },
  }
}

function createFeedSet({ db, clock, keptMs }: Pick<Deps, 'db' | 'clock' | 'keptMs'>) {
  const running = new Map<string, Feed>()
  const starting = new Map<string, Promise<Feed>>()
  const keyOf = ({ companyId, environment }: Scope) => `${companyId} ${environment}`
  const start = async (scope: Scope) => {
    const feed = await startFeed({ db, clock }, scope)
    running.set(keyOf(scope), feed)
    return feed
  }
  return {
    isEmpty: () => running.size === 0,
    list: () => [...running.values()],
    find: (scope: Scope) => running.get(keyOf(scope)),
    /** Everybody who asks before the feed runs gets the same. */
    start(scope: Scope): Promise<Feed> {
      const key = keyOf(scope)
      const begun = starting.get(key) ?? start(scope).finally(() => starting.delete(key))
      starting.set(key, begun)
      return begun
    },
    /** The feed goes on for a while when its last follower has left. */
    leave(feed: Feed, follower: Follower): void {
      if (!feed.followers.delete(follower) || feed.followers.size > 0) return
      feed.leftAt = performance.now()
      if (running.size > KEPT_FEEDS_MAX) running.delete(keyOf(feed.scope))
    },
    endUnused(): void {
      for (const [key, { followers, leftAt }] of running)
        if (followers.size === 0 && performance.now() - leftAt >= keptMs) running.delete(key)
    },
  }
}

type PollDeps = Pick<Deps, 'db' | 'clock'>

/** Everything that exists already counts as seen. */
async function startFeed({ db, clock }: PollDeps, scope: Scope): Promise<Feed> {
  const now = clock.now().getTime()
  const after = settledBefore(now)
  const rows = await listEventIdsOf(db, { ...scope, after, seen: -1 }, IDS_MAX)
  const seen = new Set(rows.map(({ id }) => id))
  const leftAt = performance.now()
  return { scope, followers: new Set(), leftAt, seen, polledAt: now, widelyPolledAt: now, settledId: after }
}

/** Like listEventIds, with a statement for each company. */
async function listOneByOne(db: Db, positions: readonly SeenEvents[]): Promise<{ feed: number; ids: string[] }[]> {
  const found = await Promise.all(positions.map((position) => listEventIdsOf(db, position, IDS_MAX)))
  return found.map((rows, index) => ({ feed: index + 1, ids: rows.map(({ id }) => id) }))
}

const settledBefore = (ms: number) => firstIdAt(new Date(ms - SETTLED_AFTER_MS))

async function pollFeeds(
  { db, clock, grouping = 'all' }: PollDeps & Pick<Deps, 'grouping'>,
  feeds: readonly Feed[],
): Promise<void> {
  const now = clock.now().getTime()
  const wanted = feeds.map((feed) => {
    const isWide = Math.abs(now - feed.widelyPolledAt) >= WIDE_INTERVAL_MS
    if (isWide) forgetSettled(feed)
    const after = isWide ? settledBefore(feed.widelyPolledAt) : firstIdAt(new Date(feed.polledAt - RECENT_MS))
    return { feed, isWide, after, seen: isWide ? feed.seen.size : -1 }
  })
  const positions = wanted.map(({ feed: { scope }, after, seen }) => ({ ...scope, after, seen }))
  const found = grouping === 'citus' ? await listOneByOne(db, positions) : await listEventIds(db, positions, IDS_MAX)
  const idsOf = new Map(found.map(({ feed, ids }) => [feed, ids]))
  for (const [index, { feed, isWide }] of wanted.entries()) {
    const ids = idsOf.get(index + 1) ?? []
    await passOn(db, feed, ids)
    const last = ids.at(-1)
    // A full list may go on; the next poll continues there.
    const until = ids.length === IDS_MAX && last !== undefined ? timeInId(last).getTime() : now
    feed.polledAt = until
    if (!isWide) continue
    feed.widelyPolledAt = until
    feed.settledId = settledBefore(until)
  }
}

/** Drops the ids that no later poll looks at. */
function forgetSettled(feed: Feed): void {
  const settled = settledBefore(feed.widelyPolledAt)
  for (const id of feed.seen) if (id <= settled) feed.seen.delete(id)
}

async function passOn(db: Db, feed: Feed, ids: readonly string[]): Promise<void> {
  const unseen = ids.filter((id) => !feed.seen.has(id))
  if (feed.followers.size === 0) {
    for (const id of unseen) feed.seen.add(id)
    return
  }
  for (let start = 0; start < unseen.length; start += EVENTS_MAX) {
    const rows = await listEventsById(db, feed.scope, unseen.slice(start, start + EVENTS_MAX))
    for (const { id } of rows) feed.seen.add(id)
    for (const follower of feed.followers) follower.onEvents(rows)
  }
}
