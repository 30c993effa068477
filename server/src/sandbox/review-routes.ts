// Deciding a review without an operator: in the sandbox only, and only the caller's own.
import { Type } from 'typebox'
import type { Caller } from '../access/caller.ts'
import type { Permission } from '../access/permissions.ts'
import type { FundingDeps } from '../funding/create.ts'
import { findInvoice, findPaymentReview } from '../funding/queries.ts'
import { showInvoice } from '../funding/read.ts'
import { resolveInvoiceReview, resolvePayment } from '../funding/review.ts'
import { Invoice, Payment, toPayment, UsdtAmount } from '../funding/schema.ts'
import { ApiError } from '../errors.ts'
import { scopeMissing } from '../http/authenticate.ts'
import { requireFound, requireId } from '../http/require-id.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { IdParams, object } from '../http/wire.ts'
import { formatId } from '../lib/ids.ts'
import { findOperation } from '../operations/queries.ts'
import { resolveReview } from '../operations/review.ts'
import { Operation, toOperation } from '../operations/schema.ts'

export function sandboxReviewRoutes(deps: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): Route[] {
  const { db } = deps
  return [
    companyRoute(
      { anyOf: ['cards:write', 'funding:write'], sandboxOnly: true },
      {
        method: 'POST',
        path: '/api/v1/sandbox/reviews/:id/resolve',
        tag: 'sandbox',
        summary: 'Decide an operation, invoice or payment in manual review, as an operator would',
        params: IdParams,
        body: object({
          outcome: Type.Enum(['completed', 'failed', 'expired']),
          receivedAmount: Type.Optional(UsdtAmount),
        }),
        responses: { 200: Type.Union([Operation, Invoice, Payment]) },
        handle: async ({ caller, params: { id }, body, address, requestId }) => {
          const { scope } = caller
          const actor = { name: `key ${formatId('key', caller.keyId)}`, address, requestId }
          const decision = { ...body, reason: 'decided in the sandbox' }
          if (id.startsWith('inv_')) {
            requirePermission(caller, 'funding:write')
            const row = requireFound(await findInvoice(db, scope, requireId('inv', id)))
            return ok(showInvoice(deps, await resolveInvoiceReview(deps, actor, row, decision)))
          }
          if (id.startsWith('rev_')) {
            requirePermission(caller, 'funding:write')
            const row = requireFound(await findPaymentReview(db, scope, requireId('rev', id)))
            return ok(toPayment(await resolvePayment(deps, actor, row, decision)))
          }
          requirePermission(caller, 'cards:write')
          const row = requireFound(await findOperation(db, scope, requireId('op', id)))
          const { outcome } = body
          if (outcome === 'expired' || body.receivedAmount !== undefined) {
            throw new ApiError(
              'validation_failed',
              'An operation takes only body.outcome completed or failed; expired and receivedAmount are for invoices.',
            )
          }
          return ok(toOperation(await resolveReview(deps, actor, row, { outcome, reason: decision.reason })))
        },
      },
    ),
  ]
}

function requirePermission(caller: Caller, permission: Permission): void {
  if (!caller.permissions.has(permission)) throw scopeMissing([permission])
}
