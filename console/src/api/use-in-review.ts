// The operations that wait for a decision. The menu counts them and the overview lists them, so they are read once for both.
import type { Operation } from '@cardstock/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Batch } from './client.ts'
import { useWorkplace } from './company.tsx'
import { useData } from './use-data.ts'

/** More are counted as `9+`: the number says that something waits, not how much. */
export const COUNTED_MAX = 9

export function useInReview(): UseQueryResult<Batch<Operation>> {
  const { may } = useWorkplace()
  return useData(
    'operations',
    ['in review'],
    (client, options) => client.operations.list({ status: 'manual_review', limit: COUNTED_MAX + 1 }, options),
    { isMoving: true, isEnabled: may('operations:read') },
  )
}
