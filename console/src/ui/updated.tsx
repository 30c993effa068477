// When the figures of a page were read. They are read again now and then, not at every moment, so the page says how old they are.
import type { UseQueryResult } from '@tanstack/react-query'
import { Time } from './time.tsx'

export function Updated({ query }: { query: Pick<UseQueryResult, 'dataUpdatedAt'> }) {
  if (query.dataUpdatedAt === 0) return null
  return (
    <p className="muted">
      Last updated <Time value={new Date(query.dataUpdatedAt).toISOString()} precision="seconds" />
    </p>
  )
}
