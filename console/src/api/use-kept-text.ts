// A text of a form that survives a reload of the page, until the form is sent or the person signs out.
import { useCallback, useState } from 'react'
import { findKept, keep } from '~/lib/kept.ts'
import { useDraftName } from './use-draft-name.ts'

/** `name` names the form, what it is about, and the field. Do not use it for what is in the address: the kept text would win. */
export function useKeptText(name: string, initial = ''): readonly [string, (value: string) => void] {
  const key = useDraftName(`text ${name}`)
  const [typed, setTyped] = useState<{ key: string; text: string }>()
  // React may show another form with the same component. What was typed there does not belong here.
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
