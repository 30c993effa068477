// What became of the rows of a file: in numbers, and as a file that can be corrected and read again.
import { amounts } from '../amounts.ts'
import { toCsvLine } from '../csv/write.ts'
import type { BulkFile, BulkRow } from './file.ts'

/**
 * `ready` can be sent. `refused` was not carried out; the message says why. `sent before` was accepted earlier and is not carried out again.
 * `accepted` is an operation now. `unknown` was sent, and no answer says what became of it: send the same file again to find out, which repeats nothing.
 */
export type BulkState = 'ready' | 'refused' | 'sent before' | 'accepted' | 'unknown'

export interface BulkItem {
  readonly row: BulkRow
  readonly state: BulkState
  readonly fee?: string | undefined
  /** What it costs, or has cost. */
  readonly total?: string | undefined
  readonly operationId?: string | undefined
  /** The status of the operation when it was last seen. */
  readonly status?: string | undefined
  readonly message?: string | undefined
}

export interface BulkSummary {
  readonly counts: Readonly<Record<BulkState, number>>
  /** What the rows that are ready cost together. */
  readonly total: string
  /** What the rows that were accepted now cost together. */
  readonly acceptedTotal: string
}

export function summarizeBulk(items: readonly BulkItem[]): BulkSummary {
  const counts = { ready: 0, refused: 0, 'sent before': 0, accepted: 0, unknown: 0 }
  for (const { state } of items) counts[state] += 1
  const sumOf = (wanted: BulkState) =>
    amounts.add(...items.flatMap(({ state, total }) => (state === wanted && total !== undefined ? [total] : [])))
  return { counts, total: sumOf('ready'), acceptedTotal: sumOf('accepted') }
}

/**
 * Returns the result as CSV. Rows that were refused can be corrected in it: it is read like any other file, and the rows keep their keys, so
 * that what was accepted is not repeated.
 */
export function toBulkResult({ rows }: BulkFile, items: readonly BulkItem[]): string {
  const columns = Object.keys(rows[0]?.cells ?? {})
  const lines = items.map(({ row, state, fee, total, operationId, status, message }) =>
    toCsvLine([
      ...columns.map((name) => row.cells[name] ?? ''),
      String(row.number),
      fee ?? '',
      total ?? '',
      state,
      operationId ?? '',
      status ?? '',
      message ?? '',
      row.idempotencyKey,
    ]),
  )
  const header = [...columns, 'row', 'fee', 'total', 'state', 'operationId', 'status', 'message', 'key']
  return toCsvLine(header) + lines.join('')
}
