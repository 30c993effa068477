// Makes a change. A second click while the first is under way does nothing. If the session has ended, the person signs in over the page and the
// change is made then. Afterwards the data that it may have changed is read again.
import { useCallback, useRef, useState } from 'react'
import { isOutcomeUnknown } from './errors.ts'
import { guarded } from './session-dialogs.ts'
import type { Topic } from './topics.ts'
import { expectChanges, useRefresh } from './use-data.ts'

interface Options<Result> {
  readonly refreshes?: readonly Topic[]
  readonly onDone?: (result: Result) => void
  /** Returns true if it has handled the error, which is not shown then. */
  readonly onRefused?: (error: unknown) => boolean
}

export interface Action<Input, Result> {
  /** Resolves with undefined when the change was refused; `error` says why. */
  run(input: Input): Promise<Result | undefined>
  readonly isBusy: boolean
  readonly error: unknown
  forget(): void
}

export function useAction<Input = void, Result = unknown>(
  change: (input: Input) => Promise<Result>,
  { refreshes = [], onDone, onRefused }: Options<Result> = {},
): Action<Input, Result> {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: undefined })
  const isBusy = useRef(false)
  const refresh = useRefresh()
  const run = async (input: Input) => {
    if (isBusy.current) return undefined
    isBusy.current = true
    setState({ isBusy: true, error: undefined })
    try {
      const result = await guarded(() => change(input))
      setState({ isBusy: false, error: undefined })
      expectChanges()
      void refresh(refreshes)
      onDone?.(result)
      return result
    } catch (error) {
      // It may have been made: the page shows what is true now.
      if (isOutcomeUnknown(error)) void refresh(refreshes)
      setState({ isBusy: false, error: onRefused?.(error) === true ? undefined : error })
      return undefined
    } finally {
      isBusy.current = false
    }
  }
  const forget = useCallback(() => setState({ isBusy: false, error: undefined }), [])
  return { run, ...state, forget }
}
