// The idempotency key of a form. It is made when the form opens and survives a reload, so that a double click, a reload or a
// lost answer never makes a second operation.
import { useCallback, useState } from 'react'
import { findKept, keep } from '~/lib/kept.ts'
import { newKey } from '~/lib/random-key.ts'
import { useDraftName } from './use-draft-name.ts'

export interface FormKey {
  readonly key: string
  /** Makes a new key. Call it after the request was carried out, because the next one is another operation. */
  renew(): void
}

/** `form` names the form and what it is about, such as `top-up card_…`. */
export function useIdempotencyKey(form: string): FormKey {
  const name = useDraftName(`key ${form}`)
  const [held, setHeld] = useState(() => findOrMake(name))
  // Another form with the same component needs a key of its own. React repeats the render at once.
  if (held.name !== name) setHeld(findOrMake(name))
  const renew = useCallback(() => setHeld(make(name)), [name])
  return { key: held.key, renew }
}

interface HeldKey {
  readonly name: string
  readonly key: string
}

function findOrMake(name: string): HeldKey {
  const key = findKept('tab', name)
  return key === undefined ? make(name) : { name, key }
}

function make(name: string): HeldKey {
  const key = newKey()
  keep('tab', name, key)
  return { name, key }
}
