// Changes of one's own account: they may change what the frame knows about the person, so that is read again too.
import { useQueryClient } from '@tanstack/react-query'
import { refreshMe } from '~/api/me.ts'
import { type Action, useAction } from '~/api/use-action.ts'
import type { Topic } from '~/api/topics.ts'

const REFRESHED: readonly Topic[] = ['passkeys', 'people', 'second-factors', 'sessions']

export function useAccountAction<Input = void, Result = unknown>(
  change: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
): Action<Input, Result> {
  const queries = useQueryClient()
  return useAction(change, {
    refreshes: REFRESHED,
    onDone: (result) => {
      void refreshMe(queries)
      onDone?.(result)
    },
  })
}
