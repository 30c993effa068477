// Judges what is left when faults have stopped and time has passed: everything has ended or waits for a person, and whatever
// waits for a person does so for a reason that can be named.
import { groupBy } from './scopes.ts'
import type { ExchangeRow, OperationRow, Snapshot } from './snapshot.ts'

/** After this long without being able to ask the issuer, a person decides (docs/reviews.md). */
const UNASKED_MAX_MS = 24 * 3_600_000

export function judgeEnds(snapshot: Snapshot): string[] {
  const exchanges = groupBy(snapshot.exchanges, ({ object_id }) => object_id)
  return [
    ...snapshot.operations
      .filter(({ status }) => status === 'queued' || status === 'processing')
      .map(({ id, status }) => `operation ${id} is still ${status} after everything had time to end`),
    ...snapshot.invoices
      .filter(({ status }) => status === 'creating' || status === 'pending')
      .map(({ id, status }) => `invoice ${id} is still ${status} after everything had time to end`),
    ...snapshot.changes
      .filter(({ status }) => status === 'processing')
      .map(({ id }) => `card change ${id} is still processing after everything had time to end`),
    ...snapshot.operations
      .filter((row) => row.status === 'manual_review' && reasonOf(row, exchanges.get(row.id) ?? []) === undefined)
      .map(({ id }) => `operation ${id} is in manual review for no reason that its exchanges show`),
    ...snapshot.invoices
      .filter(({ status, reasons }) => status === 'manual_review' && reasons.length === 0)
      .map(({ id }) => `invoice ${id} is in manual review without a reason`),
  ]
}

/** Returns why an operation is in review, or undefined if nothing explains it. */
export function reasonOf(row: OperationRow, exchanges: readonly ExchangeRow[]): string | undefined {
  if (exchanges.some(({ outcome }) => outcome === 'declined' || outcome === 'absent')) return undefined
  const lookUps = exchanges.filter(({ purpose }) => purpose === 'look_up')
  if (lookUps.at(-1)?.outcome === 'unknown') return 'no look-up told the outcome'
  const openMs = row.status_at.getTime() - (row.claimed_at ?? row.status_at).getTime()
  return openMs > UNASKED_MAX_MS ? 'the issuer could not be asked for a day' : undefined
}
