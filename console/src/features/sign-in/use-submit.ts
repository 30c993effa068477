// Sends a form of a page before signing in, once at a time, and keeps what was refused.
import { useState } from 'react'

export function useSubmit(send: () => Promise<void>) {
  const [{ isBusy, error }, setState] = useState<{ isBusy: boolean; error: unknown }>({
    isBusy: false,
    error: undefined,
  })
  const submit = () => {
    if (isBusy) return
    setState({ isBusy: true, error: undefined })
    void send().then(
      () => setState({ isBusy: false, error: undefined }),
      (refusal: unknown) => setState({ isBusy: false, error: refusal }),
    )
  }
  return { submit, isBusy, error }
}
