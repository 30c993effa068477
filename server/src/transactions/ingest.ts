// What the issuer reports about card payments, taken into the books: once per the issuer's id, in any order, any number
// of times. Purchases move the card's balance and never the card account.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { type Cents, cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { recordTransaction, type TransactionRow } from './queries.ts'
import type { TransactionStatus, TransactionType } from './states.ts'

export interface ReportedTransaction {
  /** The issuer's own id of the payment: the same in every report about it. */
  readonly issuerId: string
  readonly cardId: string
  readonly type: TransactionType
  readonly status: TransactionStatus
  /** Signed, debits negative, in hundredths of `currency`. */
  readonly amount: bigint
  readonly currency: string
  /** The same on the card, in US dollars; left out when that is the currency. */
  readonly cardAmount?: Cents
  readonly merchant?: string
  readonly country?: string
  readonly description?: string
  readonly occurredAt: Date
}

export type Ingested =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly transaction: TransactionRow }
  /** The card is not known here, or the issuer's id belongs to a payment of another card. */
  | { readonly kind: 'no_card' }

interface Deps {
  db: Db
  clock: Clock
}

export function ingestTransaction(deps: Deps, scope: Scope, input: ReportedTransaction): Promise<Ingested> {
  return record(deps, scope, input, { authorise: false })
}

/** The sandbox is its own network: it declines what the card cannot pay. */
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
  const { merchant = '', country = '', description = '', cardAmount = cents(input.amount) } = input
  const row = await recordTransaction(db, scope, now, {
    ...input,
    merchant,
    country,
    description,
    cardAmount,
    authorise,
    id: newId(now),
  })
  if (row === undefined) return { kind: 'no_card' }
  const { verdict, ...transaction } = row
  return { kind: verdict, transaction }
}
