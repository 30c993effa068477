// The idempotency key of a form: made when the form opens and kept over a reload, so that a double click, a reload and a
// lost answer still make one operation.
import { useCallback, useState } from 'react'
import { findKept, keep } from './kept.ts'
import { newKey } from './random-key.ts'

export interface FormKey {
  readonly key: string
  /** After the request was carried out: the next one is another operation. */
  renew(): void
}

/** `form` names the form and what it is about, such as `top-up card_…`. */
export function useIdempotencyKey(form: string): FormKey {
  const name = `form.${form}`
  const [key, setKey] = useState(() => findKept('tab', name) ?? make(name))
  const renew = useCallback(() => setKey(make(name)), [name])
  return { key, renew }
}

function make(name: string): string {
  const key = newKey()
  keep('tab', name, key)
  return key
}
