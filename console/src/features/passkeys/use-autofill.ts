// Offers passkeys in the list that browsers show where the e-mail address is typed.
import { useEffect, useRef } from 'react'
import type { Me } from '~/api/me.ts'
import { hasPasskeys, signInByAutofill, stopAutofill } from './device.ts'

/** A challenge works for five minutes, so it is replaced a little earlier. */
const RENEW_MS = 4 * 60_000

export function usePasskeyAutofill(onDone: (me: Me) => void, onRefused: (error: unknown) => void): void {
  const latest = useRef({ onDone, onRefused })
  useEffect(() => {
    latest.current = { onDone, onRefused }
  })
  useEffect(() => {
    if (!hasPasskeys()) return undefined
    let isOver = false
    const offer = () => {
      signInByAutofill().then(
        (me) => {
          if (me !== undefined && !isOver) latest.current.onDone(me)
        },
        (error: unknown) => {
          if (!isOver) latest.current.onRefused(error)
        },
      )
    }
    offer()
    const timer = setInterval(offer, RENEW_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      void stopAutofill()
    }
  }, [])
}
