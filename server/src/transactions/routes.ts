// GET /transactions, their totals, and GET /transactions/{id}: card payments, newest first by the time they occurred.
import type { Static } from 'typebox'
import { withCardNames } from '../cards/names.ts'
import type { Db } from '../db/pool.ts'
import { parseInstantRange } from '../http/instant.ts'
import { answerPage } from '../http/page.ts'
import { requireFound, requireId } from '../errors.ts'
import { companyRoute, JSON_HEADERS, ok, type Route } from '../http/route.ts'
import { IdParams, pageOf } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { findId, ZERO_ID } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import { addTransactions, findTransaction, listTransactions, type TransactionFilter } from './queries.ts'
import { rangesOf } from './rules.ts'
import { TotalsQuery, toTransaction, Transaction, TransactionQuery, TransactionTotals } from './schema.ts'

export function transactionRoutes({ db, cursors }: { db: Db; cursors: CursorCodec }): Route[] {
  const tag = 'transactions'
  return [
    companyRoute(
      { anyOf: ['operations:read'] },
      {
        method: 'GET',
        path: '/api/v1/transactions',
        tag,
        id: 'listTransactions',
        summary: 'List transactions',
        description: 'Lists card payments by `occurredAt`, newest first unless `sort` says otherwise.',
        query: TransactionQuery,
        responses: { 200: pageOf(Transaction) },
        handle: async ({ caller, query }) => {
          const filter = parseFilter(query)
          return answerPage({
            cursors,
            name: 'transactions',
            scope: caller.scope,
            query,
            fetch: async (slice) =>
              withCardNames(db, caller.scope, await listTransactions(db, caller.scope, filter, slice)),
            idOf: (row) => row.id,
            timeOf: (row) => row.occurred_at,
            toWire: toTransaction,
          })
        },
      },
    ),
    companyRoute(
      { anyOf: ['operations:read'] },
      {
        method: 'GET',
        path: '/api/v1/transactions/totals',
        tag,
        id: 'getTransactionTotals',
        summary: 'Add up transactions',
        description:
          'Returns the number of card payments and the sum of their amounts, for each type, status and currency. The filters are those of the list.',
        query: TotalsQuery,
        responses: { 200: TransactionTotals },
        handle: async ({ caller, query }) => {
          const filter = parseFilter(query)
          const produce = async () => {
            const rows = await addTransactions(db, caller.scope, filter)
            return { data: rows.map((row) => ({ ...row, amount: formatCents(row.amount) })) }
          }
          return { status: 200, read: 'page', produce, headers: JSON_HEADERS }
        },
      },
    ),
    companyRoute(
      { anyOf: ['operations:read'] },
      {
        method: 'GET',
        path: '/api/v1/transactions/:id',
        tag,
        id: 'getTransaction',
        summary: 'Read a transaction',
        description: 'Returns one card payment.',
        params: IdParams,
        responses: { 200: Transaction },
        handle: async ({ caller, params }) => {
          const row = requireFound(await findTransaction(db, caller.scope, requireId('txn', params.id)))
          const [named] = await withCardNames(db, caller.scope, [row])
          return ok(toTransaction(named ?? row))
        },
      },
    ),
  ]
}

function parseFilter(query: Static<typeof TotalsQuery>): TransactionFilter {
  const { type, status, category, q } = query
  const codes = category === undefined ? undefined : rangesOf(category)
  const cardId = query.cardId === undefined ? undefined : (findId('card', query.cardId) ?? ZERO_ID)
  return { type, status, cardId, codes, q, ...parseInstantRange(query) }
}
