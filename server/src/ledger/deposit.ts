// Credits the card account with a sandbox deposit, once per idempotency key.
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { type Cents, cents, formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { depositFunds } from './queries.ts'

/** A hundred billion dollars: far below the range of a bigint, and far above any card account. */
export const BALANCE_MAX = cents(10_000_000_000_000n)

export async function deposit(
  { db, clock }: { db: Db; clock: Clock },
  scope: Scope,
  wanted: { amount: Cents; fee: Cents; idempotencyKey: string; digest: string },
): Promise<{ replayed: boolean }> {
  const now = clock.now()
  const { verdict, original } = must(
    await depositFunds(db, scope, now, { ...wanted, id: newId(now), limit: BALANCE_MAX }),
  )
  if (verdict === 'conflict') {
    throw new ApiError(
      'idempotency_conflict',
      'This Idempotency-Key was used with another body. Use a new key for a new deposit.',
      {
        param: 'Idempotency-Key',
        details: { originalId: formatId('fund', original ?? '') },
      },
    )
  }
  if (verdict === 'limit') {
    throw new ApiError(
      'balance_limit_exceeded',
      `A card account holds at most ${formatCents(BALANCE_MAX)} USD. Deposit less.`,
      { param: 'amount' },
    )
  }
  return { replayed: verdict === 'replay' }
}
