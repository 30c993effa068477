// Sends a form of a page before signing in, once at a time, and keeps what was refused.
import { type FormEvent, useState } from 'react'

export function useSubmit(send: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    void send()
      .catch((refusal: unknown) => setError(refusal))
      .finally(() => setBusy(false))
  }
  return { submit, isBusy, error }
}
