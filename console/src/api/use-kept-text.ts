// A text of a form that survives a reload of the page, until the form is sent or the person signs out.
import { useCallback, useState } from 'react'
import { findKept, keep } from '~/lib/kept.ts'
import { useDraftName } from './use-draft-name.ts'

/** `name` names the form, what it is about, and the field. What the address says must not be kept: the address would lose. */
export function useKeptText(name: string, initial = ''): readonly [string, (value: string) => void] {
  const key = useDraftName(`text ${name}`)
  const [typed, setTyped] = useState<{ key: string; text: string }>()
  // What was typed into another form does not count, even if React shows this one with the same component.
  const text = typed?.key === key ? typed.text : (findKept('tab', key) ?? initial)
  const set = useCallback(
    (value: string) => {
      setTyped({ key, text: value })
      keep('tab', key, value === '' ? undefined : value)
    },
    [key],
  )
  return [text, set]
}
