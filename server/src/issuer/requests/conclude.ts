// Concludes a call of an issuer: keeps the exchange as evidence, decides what follows, and settles the request. A certain answer
// that was kept before comes before a person's decision. It must not call the issuer.
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { findCertainAnswer, recordExchange } from '../exchanges.ts'
import type { AnyOutcome, Issuer, Unknown } from '../port.ts'
import type { Purpose, RequestKind, RequestRow } from './kind.ts'

export interface ConcludeDeps {
  readonly db: Db
  readonly clock: Clock
}

interface Call<Outcome> {
  readonly purpose: Purpose
  /** Since when the outcome has been open. */
  readonly since: Date
  readonly startedAt: Date
  readonly outcome: Outcome | Unknown
  /** When others begin to look the request up. Undefined for a look-up: a second one does no harm. */
  readonly leaseEnd?: Date
  readonly issuer: Pick<Issuer, 'lookUpDelaysMs'>
}

/**
 * The exchange is kept before the request is settled: should the process die in between, the evidence is there and the request is
 * looked up.
 */
export async function conclude<Row extends RequestRow, Outcome extends AnyOutcome, Decision extends { status: string }>(
  { db, clock }: ConcludeDeps,
  kind: RequestKind<Row, Outcome, Decision>,
  row: Row,
  { purpose, since, startedAt, outcome, leaseEnd, issuer: { lookUpDelaysMs } }: Call<Outcome>,
): Promise<void> {
  const scope = { companyId: row.company_id, environment: row.environment }
  const now = clock.now()
  const context = { now, since, purpose, lookUpDelaysMs }
  const decision = kind.decide(row, outcome as Outcome, context)
  const isLate = leaseEnd !== undefined && now >= leaseEnd
  if (kind.isKept(decision, { purpose, isLate })) {
    await recordExchange(db, scope, kind.describe(row), { purpose, startedAt, finishedAt: now, outcome })
  }
  const kept = decision.status === 'manual_review' ? await findCertainAnswer(db, scope, row.id) : undefined
  const certain = kept && kind.fromKept(kept)
  await kind.settle(row, certain === undefined ? decision : kind.decide(row, certain, context), now)
}
