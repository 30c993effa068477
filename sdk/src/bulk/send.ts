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
      let isAfterLostTry = false
      const create = async () => {
        try {
          return await calls.operations.create(order, { idempotencyKey, signal })
        } catch (error) {
          // After a 429 the row is sent again, and that call does not know of the tries of this one.
          isAfterLostTry ||= error instanceof CardstockError && error.isAfterLostTry === true
          throw error
        }
      }
      try {
        const created = await pace.send(create)
        items[index] = { ...item, state: 'accepted', operationId: created.id, status: created.status }
      } catch (error) {
        items[index] = toUnaccepted(item, error, isAfterLostTry)
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

/** Whoever reads this has a file, and has never seen the key of a row. */
const OPEN_ADVICE =
  'The row may have been carried out. Send the same file again to find out: no row is carried out twice.'

/** Returns the item of a row whose call failed. */
function toUnaccepted(item: BulkItem, error: unknown, isAfterLostTry: boolean): BulkItem {
  const message = error instanceof Error ? error.message : undefined
  const original = error instanceof ConflictError ? findOriginal(error) : undefined
  if (original !== undefined) return { ...item, state: 'sent before', operationId: original, message }
  const reason = error instanceof CardstockError ? error.reason : undefined
  const unknown: BulkItem = { ...item, state: 'unknown', message: `${reason ?? message ?? ''} ${OPEN_ADVICE}`.trim() }
  if (isAfterLostTry) return unknown
  if (!(error instanceof CardstockError)) return item
  if (isOfRow(error)) return { ...item, state: 'refused', message }
  // A status below 500 is an answer: the request was refused, for a reason that concerns every row.
  const isRefused = error.statusCode !== undefined && error.statusCode < 500
  return isRefused ? item : unknown
}

function findOriginal({ code, details }: ConflictError): string | undefined {
  const original = code === 'idempotency_conflict' ? details?.['originalId'] : undefined
  return typeof original === 'string' ? original : undefined
}
