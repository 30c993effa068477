// A form that was sent, whose answer was lost, and that was then changed: the first request stands, and the next one needs
// a key of its own.
import { useCallback, useState } from 'react'
import { codeOf, detailOf } from './errors.ts'

export interface SentBeforeState {
  /** The object that the first request made. */
  readonly originalId: string | undefined
  /** For `useAction`: takes the conflict away from the errors that are shown. */
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
