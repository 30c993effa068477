// The one way to end what has waited for its outcome: an operator's decision ends a review, and so does the issuer's own late report.
// The change and its record in the audit log are one statement of the object's domain.
import { type Actor, auditRecord, type AuditRecord } from '../access/audit.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, type Prefix } from '../lib/ids.ts'

export interface Resolvable<Row extends { id: string }, End extends { status: string }> {
  readonly prefix: Prefix
  /**
   * Ends the object if its status is one of `from`, and writes the audit record with it. Returns `resolved`, the status if it is
   * another one, or null if there is no such object.
   */
  resolve(
    row: Row,
    end: End,
    change: { from: readonly string[]; now: Date; record: AuditRecord },
  ): Promise<string | null>
}

interface Resolution<End> {
  readonly actor: Actor
  readonly from: readonly string[]
  readonly end: End
  /** What decided: the audit log says `review.failed` or `issuer.failed`. */
  readonly by: 'review' | 'issuer'
  readonly details: Readonly<Record<string, unknown>>
}

export async function resolve<Row extends { id: string }, End extends { status: string }>(
  clock: Clock,
  kind: Resolvable<Row, End>,
  row: Row,
  { actor, from, end, by, details }: Resolution<End>,
): Promise<string | null> {
  const object = formatId(kind.prefix, row.id)
  const record = auditRecord(clock, actor, { action: `${by}.${end.status}`, object, details })
  return kind.resolve(row, end, { from, now: clock.now(), record })
}
