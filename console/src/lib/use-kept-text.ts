// A text of a form that survives a reload of the page, until the form is sent.
import { useCallback, useState } from 'react'
import { findKept, keep } from './kept.ts'

/** `name` names the form and the field. */
export function useKeptText(name: string, initial = ''): readonly [string, (value: string) => void] {
  const key = `text.${name}`
  const [text, setText] = useState(() => findKept('tab', key) ?? initial)
  const set = useCallback(
    (value: string) => {
      setText(value)
      keep('tab', key, value === '' ? undefined : value)
    },
    [key],
  )
  return [text, set]
}
