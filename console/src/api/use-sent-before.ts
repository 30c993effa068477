// For a form that was sent, whose answer was lost, and that was then changed: the server has carried out the first request, so that the next one
// needs another idempotency key.
import { useCallback, useState } from 'react'
import { codeOf, detailOf } from './errors.ts'

export interface SentBeforeState {
  /** The object that the first request made. */
  readonly originalId: string | undefined
  /** For `useAction`: handles the conflict, so that it is not shown as an error. */
  onRefused(error: unknown): boolean
}

/** `renew` makes a new idempotency key. */
export function useSentBefore(renew: () => void): SentBeforeState {
  const [originalId, setOriginalId] = useState<string>()
  const onRefused = useCallback(
    (error: unknown) => {
      const id = detailOf(error, 'originalId')
      const isConflict = codeOf(error) === 'idempotency_conflict' && id !== undefined
      setOriginalId(isConflict ? id : undefined)
      if (isConflict) renew()
      return isConflict
    },
    [renew],
  )
  return { originalId, onRefused }
}
