// Sends the rows of a checked file. Each has the key of its row and the total that was shown, so that it is carried out once, at that price.
import { CardstockError, ConflictError } from '../errors.ts'
import { type BulkCalls, type BulkOptions, isOfRow } from './check.ts'
import type { BulkItem } from './item.ts'
import { createPace, forEachPaced } from './pace.ts'

export interface BulkSent {
  readonly items: readonly BulkItem[]
  /** What ended the sending before the last row: no connection, a key that was revoked, or the signal. */
  readonly stoppedBy: unknown
}

/** Sends the items that are `ready` and leaves the others as they are. It does not throw: `stoppedBy` tells why rows are still `ready`. */
export async function sendBulk(
  calls: BulkCalls,
  checked: readonly BulkItem[],
  { signal, onProgress }: BulkOptions = {},
): Promise<BulkSent> {
  const pace = createPace(signal)
  const items = [...checked]
  const ready = checked.flatMap((item, index) => (item.state === 'ready' ? { item, index } : []))
  let done = 0
  try {
    await forEachPaced(ready, async ({ item, index }) => {
      const { operation, idempotencyKey } = item.row
      if (operation === undefined || item.total === undefined) return
      const order = { ...operation, expectedTotal: item.total }
      try {
        const created = await pace.send(() => calls.operations.create(order, { idempotencyKey, signal }))
        items[index] = { ...item, state: 'accepted', operationId: created.id, status: created.status }
      } catch (error) {
        items[index] = toRefusal(item, error)
        if (!isOfRow(error)) throw error
      }
      done += 1
      onProgress?.(done)
    })
  } catch (error) {
    return { items, stoppedBy: error }
  }
  return { items, stoppedBy: undefined }
}

function toRefusal(item: BulkItem, error: unknown): BulkItem {
  if (!(error instanceof CardstockError)) return item
  const { message } = error
  const original = error.code === 'idempotency_conflict' ? error.details?.['originalId'] : undefined
  if (error instanceof ConflictError && typeof original === 'string')
    return { ...item, state: 'sent before', operationId: original, message }
  if (error.isAfterLostTry === true) return { ...item, state: 'unknown', message }
  if (isOfRow(error)) return { ...item, state: 'refused', message }
  // A status below 500 is an answer: the request was refused, for a reason that concerns every row.
  const isRefused = error.statusCode !== undefined && error.statusCode < 500
  return isRefused ? item : { ...item, state: 'unknown', message }
}
