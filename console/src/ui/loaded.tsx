// What a query shows: its data, a problem, or a skeleton, which appears only when the data takes a moment.
import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Problem } from './notice.tsx'

/** A skeleton that flashes is worse than none. */
const SKELETON_DELAY_MS = 150

interface Props<Data> {
  readonly query: UseQueryResult<Data>
  readonly skeleton?: ReactNode
  readonly children: (data: Data) => ReactNode
}

const LINES = <Lines count={4} />

export function Loaded<Data>({ query, skeleton = LINES, children }: Props<Data>) {
  // Data that was read before is shown even when reading it again fails; the frame shows that the connection is lost.
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  return <Delayed>{skeleton}</Delayed>
}

export function Delayed({ children }: { children: ReactNode }) {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), SKELETON_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-busy="true">
      <span className="only-for-readers" role="status">
        Loading
      </span>
      {isDue ? children : null}
    </div>
  )
}

export function Lines({ count, height = 20 }: { count: number; height?: number }) {
  return (
    <div>
      {Array.from({ length: count }, (_, line) => (
        <Skeleton key={line} height={height} mb={12} radius="sm" width={line === count - 1 ? '60%' : '100%'} />
      ))}
    </div>
  )
}
