// The ledger's verdict on a new operation, from a row of its SQL functions.
import { type Cents, cents } from '../lib/money.ts'
import type { Candidate } from './items.ts'
import type { AcceptRow, OriginalRow } from './queries.ts'

export interface AcceptedOperation {
  readonly id: string
  readonly type: Candidate['type']
  readonly amount: Cents
  readonly fee: Cents
  readonly createdAt: Date
}

export type Verdict =
  | { readonly kind: 'accepted' | 'replay'; readonly operation: AcceptedOperation }
  | { readonly kind: 'conflict'; readonly originalId: string }
  | { readonly kind: 'no_holder' | 'holder_inactive' | 'no_card' | 'card_inactive' | 'quota' }
  | { readonly kind: 'funds'; readonly available: Cents }

export function toVerdict(row: AcceptRow, ownId: string | undefined): Verdict {
  switch (row.verdict) {
    case 'replay':
    case 'conflict':
      return toRepeat(originalOf(row), ownId)
    case 'funds':
      return { kind: 'funds', available: cents(row.available) }
    case 'no_holder':
    case 'holder_inactive':
    case 'no_card':
    case 'card_inactive':
    case 'quota':
      return { kind: row.verdict }
  }
}

/** Returns the verdict on a request whose key exists. */
export function toRepeat(row: OriginalRow, ownId?: string): Verdict {
  if (row.verdict === 'conflict') return { kind: 'conflict', originalId: row.id }
  const { id, type, amount, fee, created_at: createdAt } = row
  const operation = { id, type, amount: cents(amount), fee: cents(fee), createdAt }
  // It has our own id: this batch was committed before, and only its answer was lost.
  return { kind: id === ownId ? 'accepted' : 'replay', operation }
}

function originalOf({ verdict, id, type, amount, fee, created_at: createdAt, item }: AcceptRow): OriginalRow {
  const isRepeat = verdict === 'replay' || verdict === 'conflict'
  if (!isRepeat || id === null || type === null || amount === null || fee === null || createdAt === null) {
    throw new Error('The ledger returned a replay without its original.')
  }
  return { item, verdict, id, type, amount, fee, created_at: createdAt }
}
