// A change of the own account. It also reads again what the frame shows about the person.
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
