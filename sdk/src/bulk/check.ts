// Checks every row of a file with the server before anything is sent: whether it was sent before, what it costs, and why it would be refused.
import { amounts } from '../amounts.ts'
import type { Cardstock } from '../cardstock.ts'
import { AuthenticationError, PermissionError, RateLimitError, RefusedError } from '../errors.ts'
import type { BulkFile, BulkRow } from './file.ts'
import type { BulkItem } from './item.ts'
import { createPace, forEachPaced, type Pace } from './pace.ts'

/** The calls of a company that are needed; `Cardstock` has them. */
export type BulkCalls = Pick<Cardstock, 'operations' | 'quotes'>

export interface BulkOptions {
  readonly signal?: AbortSignal | undefined
  /** Called after each row with the number of rows that are done. */
  readonly onProgress?: ((done: number) => void) | undefined
}

/** Returns one item for each row: `ready` with its price, `refused` or `sent before`. It changes nothing. */
export async function checkBulk(
  calls: BulkCalls,
  { rows }: BulkFile,
  { signal, onProgress }: BulkOptions = {},
): Promise<BulkItem[]> {
  const pace = createPace(signal)
  const items: BulkItem[] = []
  let done = 0
  await forEachPaced(rows, async (row, index) => {
    items[index] = await checkRow(calls, row, pace, signal)
    done += 1
    onProgress?.(done)
  })
  return items
}

async function checkRow(
  { operations, quotes }: BulkCalls,
  row: BulkRow,
  pace: Pace,
  signal: AbortSignal | undefined,
): Promise<BulkItem> {
  const { idempotencyKey, operation } = row
  const page = await pace.send(() => operations.list({ idempotencyKey, limit: 1 }, { signal }))
  const [before] = page.data
  if (before !== undefined) {
    const { id, fee, total, status } = before
    const isOther = operation !== undefined && amounts.compare(operation.amount, before.amount) !== 0
    const message = isOther
      ? `It was sent with the amount ${before.amount}. A changed row is not sent again.`
      : undefined
    return { row, state: 'sent before', operationId: id, fee, total, status, message }
  }
  if (operation === undefined) return { row, state: 'refused', message: row.problem }
  try {
    const { fee, total } = await pace.send(() => quotes.create(operation, { signal }))
    return { row, state: 'ready', fee, total }
  } catch (error) {
    if (!(error instanceof RefusedError) || !isOfRow(error)) throw error
    return { row, state: 'refused', message: error.message }
  }
}

/**
 * Reports whether the server refused this row. A key that is not valid or not allowed to, and too many requests, concern the whole file.
 * @internal
 */
export function isOfRow(error: unknown): boolean {
  if (error instanceof AuthenticationError || error instanceof PermissionError) return false
  return error instanceof RefusedError && !(error instanceof RateLimitError)
}
