// Follows the operations of a file after they were accepted, until each has ended. It reads the newest operations, page by page, because one request
// for each row would be hundreds.
import type { BulkItem } from '@cardstock/sdk/bulk'
import type { CompanyClient } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'

const ROWS_PER_PAGE = 100
/** Other people order meanwhile, so that the operations of the file may begin a little later in the list. */
const PAGES_MORE = 2

type Statuses = Readonly<Record<string, string>>

/** Returns the items with the status that their operations have now. */
export function useStatuses(items: readonly BulkItem[]): readonly BulkItem[] {
  const ids = items.flatMap(({ state, operationId }) => (state === 'accepted' && operationId ? [operationId] : []))
  const { data } = useData(
    'operations',
    ['of a file', ...ids],
    (client, options) => readStatuses(client, new Set(ids), options),
    { isEnabled: ids.length > 0, isMoving: (read: Statuses | undefined) => ids.some((id) => isUnderWay(read?.[id])) },
  )
  if (data === undefined) return items
  return items.map((item) => {
    const status = item.operationId === undefined ? undefined : data[item.operationId]
    return status === undefined ? item : { ...item, status }
  })
}

export function isUnderWay(status: string | undefined): boolean {
  return status === undefined || status === 'queued' || status === 'processing'
}

async function readStatuses(
  client: CompanyClient,
  ids: ReadonlySet<string>,
  options: { signal: AbortSignal },
): Promise<Statuses> {
  const found: Record<string, string> = {}
  let left = ids.size
  let cursor: string | undefined
  for (let page = 0; page < Math.ceil(ids.size / ROWS_PER_PAGE) + PAGES_MORE; page += 1) {
    const query = { limit: ROWS_PER_PAGE, ...(cursor === undefined ? {} : { cursor }) }
    const batch = await client.operations.list(query, options)
    for (const { id, status } of batch.data) {
      if (!ids.has(id)) continue
      found[id] = status
      left -= 1
    }
    if (left === 0 || batch.nextCursor === null) break
    cursor = batch.nextCursor
  }
  return found
}
