// Reads data. Every query of a page is made here, so that its key begins with the company and the environment.
import {
  keepPreviousData,
  type QueryClient,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useStore } from '~/lib/store.ts'
import type { CompanyClient } from './client.ts'
import { useWorkplace } from './company.tsx'
import { isStreaming } from './live.ts'
import type { Topic } from './topics.ts'

/** How often something that is under way is read again while there is no event stream. */
const POLL_MS_UNDER_WAY = 3_000
/** All data of an open page that may change by itself is read again in turn, one every so often: a page makes at most four requests a minute. */
const POLL_MS_BETWEEN = 15_000
/** A page with little data reads it again no more often than this. The event stream is how most changes arrive. */
const POLL_MS_MIN = 30_000
/** Whoever has just made a change waits for what comes of it, such as an attempt of a webhook, which is no event of the stream. */
const EXPECTANT_MS = 30_000
let expectantUntilMs = 0

/** For some time, data that may change by itself is read again every few seconds. */
export function expectChanges(): void {
  expectantUntilMs = performance.now() + EXPECTANT_MS
}

interface Options<Data> {
  /**
   * Whether the data may change by itself. It is then read again after an event of the stream, and now and then. A function that returns true says
   * that something is under way, which is read again every few seconds if there is no stream.
   */
  readonly isMoving?: boolean | ((data: Data | undefined) => boolean)
  readonly isEnabled?: boolean
  /** Keeps showing the previous data until that of the new key is read. */
  readonly keepsFormer?: boolean
}

export function useData<Data>(
  topic: Topic,
  key: readonly unknown[],
  read: (client: CompanyClient, options: { signal: AbortSignal }) => Promise<Data>,
  { isMoving = false, isEnabled = true, keepsFormer = false }: Options<Data> = {},
): UseQueryResult<Data> {
  const { client, company, environment } = useWorkplace()
  const isStreamed = useStore(isStreaming)
  const queries = useQueryClient()
  const moves = (data: Data | undefined) => (typeof isMoving === 'function' ? isMoving(data) : isMoving)
  const pollMs = () => (typeof isMoving === 'function' && !isStreamed ? POLL_MS_UNDER_WAY : idlePollMs(queries))
  return useQuery({
    queryKey: [company?.id, environment, topic, ...key],
    queryFn: ({ signal }) => read(client, { signal }),
    enabled: isEnabled,
    meta: { isPolled: isEnabled && isMoving !== false },
    refetchInterval: ({ state }) => (moves(state.data) ? pollMs() : false),
    ...(keepsFormer ? { placeholderData: keepPreviousData } : {}),
  })
}

/** How long a query of an open page waits until it is read again: the longer, the more of them there are. */
export function idlePollMs(queries: QueryClient): number {
  if (performance.now() < expectantUntilMs) return POLL_MS_UNDER_WAY
  const polled = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ meta }) => meta?.['isPolled'] === true })
  return Math.max(POLL_MS_MIN, polled.length * POLL_MS_BETWEEN)
}

/** How many batches of a list stay in memory after they left the view, so that scrolling back shows them at once. */
const BATCHES_KEPT_MAX = 20

/** Reads the batches of a list that are in view, and forgets all but a few of the others. */
export function useDataOfEach<Key extends readonly unknown[], Data>(
  topic: Topic,
  keys: readonly Key[],
  read: (client: CompanyClient, key: Key, options: { signal: AbortSignal }) => Promise<Data>,
): UseQueryResult<Data>[] {
  const { client, company, environment } = useWorkplace()
  const queries = useQueryClient()
  const start = [company?.id, environment, topic]
  useEffect(() => {
    const unused = queries.getQueryCache().findAll({ queryKey: [...start, 'list'], type: 'inactive' })
    const newestFirst = unused.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    for (const query of newestFirst.slice(BATCHES_KEPT_MAX)) queries.getQueryCache().remove(query)
  })
  return useQueries({
    queries: keys.map((key) => ({
      queryKey: [...start, ...key],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(client, key, { signal }),
    })),
  })
}

/** Returns a function that reads all data of these topics again. */
export function useRefresh(): (topics: readonly Topic[]) => Promise<void> {
  const queries = useQueryClient()
  const { company, environment } = useWorkplace()
  const companyId = company?.id
  return useCallback(
    async (topics) => {
      await Promise.all(topics.map((topic) => queries.invalidateQueries({ queryKey: [companyId, environment, topic] })))
    },
    [queries, companyId, environment],
  )
}
