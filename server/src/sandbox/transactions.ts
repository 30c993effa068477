// POST /sandbox/transactions: a card payment as a shop would make it, decided at once.
import type { Static } from 'typebox'
import type { Db } from '../db/pool.ts'
import { ApiError, notFound } from '../errors.ts'
import { requireId } from '../http/require-id.ts'
import { companyRoute, created, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { cents, parseCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { authoriseTransaction } from '../transactions/ingest.ts'
import type { TransactionRow } from '../transactions/queries.ts'
import { NewTransaction, toTransaction, Transaction } from '../transactions/schema.ts'
import { isCredit } from '../transactions/states.ts'

export function sandboxTransactionRoutes(deps: { db: Db; clock: Clock }): Route[] {
  return [
    companyRoute(
      { anyOf: ['cards:write'], sandboxOnly: true },
      {
        method: 'POST',
        path: '/api/v1/sandbox/transactions',
        tag: 'sandbox',
        summary: 'Make a card payment',
        body: NewTransaction,
        responses: { 201: Transaction },
        handle: async ({ caller, body }) => {
          const wire = toTransaction(await pay(deps, caller.scope, body))
          return created(`/api/v1/transactions/${wire.id}`, wire)
        },
      },
    ),
  ]
}

async function pay(
  deps: { db: Db; clock: Clock },
  scope: Scope,
  body: Static<typeof NewTransaction>,
): Promise<TransactionRow> {
  const { type, status = 'settled', currency = 'USD', merchant, country, description } = body
  const now = deps.clock.now()
  const unsigned = parseCents(body.amount)
  const cardId = requireId('card', body.cardId)
  // Shops verify a card with a payment of nothing; everything else moves at least a cent.
  if (unsigned === 0n && type !== 'verification') {
    throw new ApiError('amount_below_minimum', 'The amount must be at least "0.01".')
  }
  const amount = cents(isCredit(type) ? unsigned : -unsigned)
  const result = await authoriseTransaction(deps, scope, {
    issuerId: `sandbox-${newId(now).replaceAll('-', '')}`,
    cardId,
    type,
    status,
    amount,
    currency,
    ...(merchant === undefined ? {} : { merchant }),
    ...(country === undefined ? {} : { country }),
    ...(description === undefined ? {} : { description }),
    occurredAt: now,
  })
  if (result.kind === 'no_card') throw notFound()
  return result.transaction
}
