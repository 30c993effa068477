// Records card payments that the issuer reports. Reports may be repeated and come in any order; each payment is recorded once
// per issuer id. A purchase moves the card's balance, never the card account.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { type Cents, cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { recordTransaction, type TransactionRow } from './queries.ts'
import type { TransactionStatus, TransactionType } from './states.ts'

export interface ReportedTransaction {
  /** The issuer's id of the payment, the same in every report about it. */
  readonly issuerId: string
  readonly cardId: string
  readonly type: TransactionType
  readonly status: TransactionStatus
  /** Signed, debits negative, in hundredths of `currency`. */
  readonly amount: bigint
  readonly currency: string
  /** The amount on the card, in US dollars. Left out if `currency` is USD. */
  readonly cardAmount?: Cents
  readonly merchant?: string
  readonly country?: string
  /** Four digits, ISO 18245. */
  readonly merchantCategory?: string
  readonly description?: string
  readonly occurredAt: Date
}

export type Ingested =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly transaction: TransactionRow }
  /** There is no such card, or the issuer's id belongs to a payment of another card. */
  | { readonly kind: 'no_card' }

interface Deps {
  db: Db
  clock: Clock
}

export function ingestTransaction(deps: Deps, scope: Scope, input: ReportedTransaction): Promise<Ingested> {
  return record(deps, scope, input, { authorise: false })
}

/** Records a sandbox payment, and declines what the card cannot pay, as a card network would. */
export function authoriseTransaction(deps: Deps, scope: Scope, input: ReportedTransaction): Promise<Ingested> {
  return record(deps, scope, input, { authorise: true })
}

async function record(
  { db, clock }: Deps,
  scope: Scope,
  input: ReportedTransaction,
  { authorise }: { authorise: boolean },
): Promise<Ingested> {
  const now = clock.now()
  const {
    merchant = '',
    country = '',
    description = '',
    merchantCategory = null,
    cardAmount = cents(input.amount),
  } = input
  const row = await recordTransaction(db, scope, now, {
    ...input,
    merchant,
    country,
    description,
    merchantCategory,
    cardAmount,
    authorise,
    id: newId(now),
  })
  if (row === undefined) return { kind: 'no_card' }
  const { verdict, ...transaction } = row
  return { kind: verdict, transaction }
}
