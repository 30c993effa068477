// Returns a value after it has stopped changing, so that typing does not send a request for every key.
import { useEffect, useState } from 'react'

/** Shorter than a pause between words, longer than one between keys. */
const PAUSE_MS = 250

export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
