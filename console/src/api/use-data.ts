// Reading: every query of a page goes through here, so that its key carries the company and the environment.
import { keepPreviousData, type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useStore } from '~/lib/store.ts'
import type { CompanyClient } from './client.ts'
import { useWorkplace } from './company.tsx'
import { isStreaming } from './live.ts'
import type { Topic } from './topics.ts'

/** How often what may change by itself is read again when the server cannot tell us. */
const POLL_MS = 3_000
/** A net under the stream: a connection may be dead without either side knowing it yet. */
const POLL_MS_STREAMING = 15_000

/** The stream tells a company about its own objects only, and not about the attempts to deliver an event. */
const NOT_STREAMED: ReadonlySet<Topic> = new Set(['companies', 'health', 'keys', 'reviews', 'webhook-endpoints'])

interface Options<Data> {
  /** Whether what is shown may change by itself. It is then followed: by the event stream, else by asking again. */
  readonly isMoving?: boolean | ((data: Data | undefined) => boolean)
  readonly isEnabled?: boolean
  /** Keeps showing the former page of a list until the next one is there. */
  readonly keepsFormer?: boolean
}

export function useData<Data>(
  topic: Topic,
  key: readonly unknown[],
  read: (client: CompanyClient, options: { signal: AbortSignal }) => Promise<Data>,
  { isMoving = false, isEnabled = true, keepsFormer = false }: Options<Data> = {},
): UseQueryResult<Data> {
  const { client, company, environment } = useWorkplace()
  const isTold = useStore(isStreaming) && !NOT_STREAMED.has(topic)
  const moves = (data: Data | undefined) => (typeof isMoving === 'function' ? isMoving(data) : isMoving)
  return useQuery({
    queryKey: [company?.id, environment, topic, ...key],
    queryFn: ({ signal }) => read(client, { signal }),
    enabled: isEnabled,
    refetchInterval: ({ state }) => (moves(state.data) ? (isTold ? POLL_MS_STREAMING : POLL_MS) : false),
    ...(keepsFormer ? { placeholderData: keepPreviousData } : {}),
  })
}

/** Of the pages of lists that left the view, so many stay in memory, so that going back shows them at once. */
const PAGES_KEPT_MAX = 20

/** Reads several things at once, such as the pages of a list that are in view, and forgets all but a few of the others. */
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
    for (const query of newestFirst.slice(PAGES_KEPT_MAX)) queries.getQueryCache().remove(query)
  })
  return useQueries({
    queries: keys.map((key) => ({
      queryKey: [...start, ...key],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(client, key, { signal }),
    })),
  })
}

/** Returns a function that reads again whatever shows these topics. */
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
