// Passkeys in the browser. The library is loaded when a passkey is used.
import type { PasskeyJson } from '@cardstock/sdk/console'
import { useState } from 'react'

/** Asks the browser for a signature and returns what the server verifies. */
export type Authenticate = (options: PasskeyJson) => Promise<PasskeyJson>

/** The person closed the browser's dialog: nothing went wrong. */
const CLOSED = new Set(['NotAllowedError', 'AbortError'])

export function usePasskey(use: (authenticate: Authenticate) => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async () => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      await use((options) => startAuthentication({ optionsJSON: options as never }) as Promise<never>)
    } catch (problem) {
      if (!(problem instanceof Error && CLOSED.has(problem.name))) setError(problem)
    } finally {
      setBusy(false)
    }
  }
  const isSupported = typeof window.PublicKeyCredential === 'function'
  return { run: () => void run(), isBusy, error, isSupported }
}
