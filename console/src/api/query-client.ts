// The cache of everything that was read.
import { QueryClient } from '@tanstack/react-query'
import { watchQueries } from './connection.ts'
import { isPassing } from './errors.ts'
import { watchOtherTabs } from './me.ts'

/** Long enough that going back shows the list at once, short enough that nobody decides by old figures. */
const FRESH_MS = 5_000
const RETRY_MS_FIRST = 1_000
const RETRY_MS_MAX = 10_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      networkMode: 'always',
      // Tries again until the connection is back. A refusal is final.
      retry: (_count, error) => isPassing(error),
      retryDelay: (count) => Math.min(RETRY_MS_FIRST * 2 ** count, RETRY_MS_MAX),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
watchQueries(queryClient)
watchOtherTabs(queryClient)
