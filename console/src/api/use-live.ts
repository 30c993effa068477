// Keeps the pages of the chosen company up to date.
import { useEffect } from 'react'
import { useWorkplace } from './company.tsx'
import { followEvents } from './live.ts'
import { useRefresh } from './use-data.ts'

export function useLive(): void {
  const { client, may } = useWorkplace()
  const refresh = useRefresh()
  const mayFollow = may('operations:read')
  useEffect(() => {
    if (!mayFollow) return undefined
    const stop = new AbortController()
    void followEvents(client, stop.signal, refresh)
    return () => stop.abort()
  }, [client, mayFollow, refresh])
}
