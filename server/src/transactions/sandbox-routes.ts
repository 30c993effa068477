// POST /sandbox/transactions simulates a card payment; POST /sandbox/transactions/{id}/status settles, reverses or expires it.
import { type Static, Type } from 'typebox'
import { withCardNames } from '../cards/names.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, notFound, requireFound, requireId } from '../errors.ts'
import { companyRoute, created, ok, type Route } from '../http/route.ts'
import { field, IdParams, object } from '../lib/wire.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { cents, parseCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { authoriseTransaction, ingestTransaction } from './ingest.ts'
import { findTransaction, type TransactionRow } from './queries.ts'
import { NewTransaction, toTransaction, Transaction } from './schema.ts'
import { isCurrency } from './sandbox-currencies.ts'
import { completeMerchant } from './sandbox-merchants.ts'
import { isCredit, type TransactionStatus } from './states.ts'

/** What a payment can become after it was made. */
const LATER_STATUSES = ['settled', 'reversed', 'expired'] as const satisfies TransactionStatus[]

const StatusChange = object(
  { status: field(Type.Enum([...LATER_STATUSES]), 'What becomes of the payment.') },
  'SandboxTransactionChange',
  'What becomes of a pending payment.',
)

export function transactionSandboxRoutes(deps: { db: Db; clock: Clock }): Route[] {
  const tag = 'sandbox'
  const access = { anyOf: ['cards:write'], sandboxOnly: true } as const
  return [
    companyRoute(access, {
      method: 'POST',
      path: '/api/v1/sandbox/transactions',
      tag,
      id: 'createSandboxTransaction',
      readAt: '/api/v1/transactions/:id',
      summary: 'Simulate a card payment',
      description:
        'Makes a payment with a sandbox card. The sign of the amount follows from the type. A debit above the balance of the card, or on a card that is not active, is stored as `declined`.',
      refusals: ['amount_below_minimum', 'not_found'],
      body: NewTransaction,
      responses: { 201: Transaction },
      handle: async ({ caller, body }) => {
        const wire = await show(deps, caller.scope, await pay(deps, caller.scope, body))
        return created(`/api/v1/transactions/${wire.id}`, wire)
      },
    }),
    companyRoute(access, {
      method: 'POST',
      path: '/api/v1/sandbox/transactions/:id/status',
      tag,
      id: 'changeSandboxTransaction',
      summary: 'Simulate what becomes of a card payment',
      description: 'Settles, reverses or expires a pending payment, as the card network would.',
      refusals: ['transaction_status_not_allowed'],
      params: IdParams,
      body: StatusChange,
      responses: { 200: Transaction },
      handle: async ({ caller: { scope }, params, body }) =>
        ok(await show(deps, scope, await changeStatus(deps, scope, requireId('txn', params.id), body.status))),
    }),
  ]
}

/** Returns the payment as GET /transactions/{id} does. */
async function show({ db }: { db: Db }, scope: Scope, row: TransactionRow) {
  const [named] = await withCardNames(db, scope, [row])
  return toTransaction(named ?? row)
}

/** Changes the payment as a report of the network would. Repeating it changes nothing. */
async function changeStatus(
  deps: { db: Db; clock: Clock },
  scope: Scope,
  id: string,
  status: TransactionStatus,
): Promise<TransactionRow> {
  const row = requireFound(await findTransaction(deps.db, scope, id))
  const result = await ingestTransaction(deps, scope, {
    issuerId: row.issuer_id,
    cardId: row.card_id,
    type: row.type,
    status,
    amount: row.amount,
    currency: row.currency,
    occurredAt: row.occurred_at,
  })
  if (result.kind === 'no_card') throw notFound()
  const { transaction } = result
  if (transaction.status === status) return transaction
  throw new ApiError(
    'transaction_status_not_allowed',
    `This payment is ${transaction.status} and cannot become ${status}. Make a payment with "status": "pending" first.`,
    { param: 'status', details: { status: transaction.status } },
  )
}

async function pay(
  deps: { db: Db; clock: Clock },
  scope: Scope,
  body: Static<typeof NewTransaction>,
): Promise<TransactionRow> {
  const { type, status = 'settled', currency = 'USD', merchant, country, merchantCategory, description } = body
  if (!isCurrency(currency)) {
    throw new ApiError(
      'validation_failed',
      'body.currency must be a currency of ISO 4217 that is in use, such as EUR.',
      {
        param: 'currency',
      },
    )
  }
  const now = deps.clock.now()
  const unsigned: bigint = parseCents(body.amount)
  const cardId = requireId('card', body.cardId, 'cardId')
  // A verification may be of zero; every other payment moves at least a cent.
  if (unsigned === 0n && type !== 'verification') {
    throw new ApiError('amount_below_minimum', 'The amount must be at least "0.01".', { param: 'amount' })
  }
  const said = {
    ...(merchant === undefined ? {} : { merchant }),
    ...(country === undefined ? {} : { country }),
    ...(merchantCategory === undefined ? {} : { merchantCategory }),
  }
  const amount = cents(isCredit(type) ? unsigned : -unsigned)
  const result = await authoriseTransaction(deps, scope, {
    issuerId: `sandbox-${newId(now).replaceAll('-', '')}`,
    cardId,
    type,
    status,
    amount,
    currency,
    ...completeMerchant({ type, amount: unsigned }, said),
    ...(description === undefined ? {} : { description }),
    occurredAt: now,
  })
  if (result.kind === 'no_card') throw notFound('cardId')
  return result.transaction
}
