// What was asked for with an operation, and what happened to it step by step. It shows a company no message of the issuer,
// only when there was one and what it meant.
import type { Db } from '../db/pool.ts'
import { requireFound } from '../errors.ts'
import { describeExchanges } from '../issuer/exchanges.ts'
import { formatId } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import { findOperationWithKey, type OperationRow } from './queries.ts'
import type { Timeline, TimelineStep } from './schema.ts'

export async function readTimeline(db: Db, scope: Scope, id: string): Promise<Timeline> {
  const row = requireFound(await findOperationWithKey(db, scope, id))
  const exchanges = await describeExchanges(db, scope, row.id)
  return {
    request: requestOf(row),
    idempotencyKey: row.idempotency_key,
    steps: [
      { step: 'accepted', at: row.created_at.toISOString() },
      ...(row.claimed_at === null ? [] : [{ step: 'sent' as const, at: row.claimed_at.toISOString() }]),
      ...exchanges.map(({ purpose, outcome, startedAt, finishedAt }): TimelineStep => ({
        step: purpose === 'request' ? 'answered' : 'looked_up',
        at: finishedAt ?? startedAt,
        outcome: outcome as NonNullable<TimelineStep['outcome']>,
      })),
      ...lastStep(row),
    ],
  }
}

/** The card of an issued one is its result, not part of the request. */
function requestOf(row: OperationRow): Timeline['request'] {
  return {
    productId: row.product_id,
    ...(row.holder_id === null ? {} : { holderId: formatId('hld', row.holder_id) }),
    ...(row.type !== 'topup' || row.card_id === null ? {} : { cardId: formatId('card', row.card_id) }),
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.recipient === null ? {} : { recipient: row.recipient }),
  }
}

function lastStep({ status, status_at }: OperationRow): TimelineStep[] {
  if (status === 'queued' || status === 'processing') return []
  return [{ step: status, at: status_at.toISOString() }]
}
