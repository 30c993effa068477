// What the operator of the adapter sees and decides about TRON, on its control port: how far the walk is, transfers that belong to no
// invoice, and whether the chain and the books agree. Everyone who knows the secret of the issuer may use it.
import { Type } from 'typebox'
import type { Db } from '../../db/pool.ts'
import type { Transact } from '../../db/transaction.ts'
import { ApiError, notFound } from '../../errors.ts'
import { ok, publicRoute, type Route } from '../../http/route.ts'
import { requireControlSecret } from '../../issuer/http/control-secret.ts'
import type { Clock } from '../../lib/clock.ts'
import { findId, formatId } from '../../lib/ids.ts'
import { object, visibleText } from '../../lib/wire.ts'
import { formatMicros, micros } from '../../tron/usdt.ts'
import type { AddEvent } from './events.ts'
import type { TronNode } from './node.ts'
import type { TransferRow } from './queries.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'
import { assignToInvoice, type Decided, dismiss, listUnattributed, OPEN_TRANSFERS_MAX } from './unattributed.ts'
import type { Walk } from './walk.ts'

export interface TronControlDeps {
  readonly db: Db
  readonly transact: Transact
  readonly clock: Clock
  readonly secret: string
  readonly walk: Walk
  readonly addEvent: AddEvent
  readonly nodes: readonly TronNode[]
  catchUp(): Promise<void>
}

const Anything = Type.Unknown()
const PaymentParams = object({ paymentId: Type.String({ minLength: 1, maxLength: 100 }) })
const decision = { by: visibleText(100, 'who decides'), reason: visibleText(2000, 'a reason') }

export function tronControlRoutes(deps: TronControlDeps): Route[] {
  const { db, clock, walk } = deps
  const tag = 'control'
  const check = (authorization: string | undefined) => requireControlSecret(deps.secret, authorization)
  return [
    publicRoute({
      method: 'GET',
      path: '/control/tron',
      tag,
      id: 'showTron',
      summary: 'Show how far the walk is',
      description: 'Returns the last stored block, the nodes, and what crediting waits for.',
      responses: { 200: Anything },
      handle: async ({ headers }) => {
        check(headers.authorization)
        return ok(walk.state())
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/control/tron/transfers',
      tag,
      id: 'listTransfers',
      summary: 'List transfers that belong to no invoice',
      description: 'Returns the transfers that wait for a decision, the oldest first.',
      query: object({ after: Type.Optional(Type.String({ maxLength: 100 })) }),
      responses: { 200: Anything },
      handle: async ({ query, headers }) => {
        check(headers.authorization)
        const rows = await listUnattributed(db, query.after)
        return ok({ data: rows.map(toTransfer), hasMore: rows.length === OPEN_TRANSFERS_MAX })
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/tron/transfers/:paymentId/assign',
      tag,
      id: 'assignTransfer',
      summary: 'Give a transfer to an invoice',
      description:
        'Reports the transfer to the server as a payment of the invoice. The server decides what is credited.',
      params: PaymentParams,
      body: object({ invoice: visibleText(100, 'an invoice'), ...decision }),
      responses: { 200: Anything },
      handle: async ({ params, body: { invoice, ...made }, headers }) => {
        check(headers.authorization)
        const token = findId('inv', invoice)
        if (token === undefined) throw notFound()
        return ok(requireDecided(await assignToInvoice(deps, clock.now(), { ...params, ...made, token })))
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/tron/transfers/:paymentId/dismiss',
      tag,
      id: 'dismissTransfer',
      summary: 'Decide that no invoice gets a transfer',
      description: 'Records that the transfer belongs to no invoice, such as one that the operator made.',
      params: PaymentParams,
      body: object(decision),
      responses: { 200: Anything },
      handle: async ({ params, body, headers }) => {
        check(headers.authorization)
        return ok(requireDecided(await dismiss(db, clock.now(), { ...params, ...body })))
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/tron/reconcile',
      tag,
      id: 'reconcileTron',
      summary: 'Compare the chain with the books',
      description: 'Compares what each node says that our addresses have with what was recorded. It changes nothing.',
      body: object({}),
      responses: { 200: Anything },
      handle: async ({ headers }) => {
        check(headers.authorization)
        const data: object[] = []
        for (const node of deps.nodes) data.push({ node: node.name, ...show(await reconcile({ ...deps, node })) })
        return ok({ data })
      },
    }),
  ]
}

function show({ differences, ...rest }: Reconciliation): object {
  const text = (amount: bigint) => formatMicros(micros(amount))
  return {
    ...rest,
    differences: differences.map((line) => ({ ...line, balance: text(line.balance), books: text(line.books) })),
  }
}

function requireDecided(decided: Decided) {
  switch (decided.kind) {
    case 'decided':
      return toTransfer(decided.transfer)
    case 'unknown_transfer':
    case 'unknown_invoice':
      throw notFound()
    case 'too_large':
      throw new ApiError('validation_failed', 'The amount is too large for an invoice. Dismiss the transfer.')
    case 'not_open':
      throw new ApiError('already_resolved', `The transfer is ${decided.state} and cannot be decided again.`)
  }
}

function toTransfer(row: TransferRow) {
  return {
    paymentId: row.payment_id,
    from: row.from_address,
    to: row.to_address,
    amount: formatMicros(micros(BigInt(row.amount))),
    blockTime: row.block_time,
    state: row.state,
    cause: row.cause,
    invoice: row.token === null ? null : formatId('inv', row.token),
  }
}
