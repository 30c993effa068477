// Paying invoices in the sandbox, where no chain and no issuer outside exists. Never in live: nothing a client says there
// can credit money.
import { Type } from 'typebox'
import type { FundingDeps } from '../funding/deps.ts'
import { completeInSandbox, payInSandbox } from '../funding/payments.ts'
import { showInvoice } from '../funding/read.ts'
import { Invoice, UsdtAmount } from '../funding/schema.ts'
import { requireId } from '../errors.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { IdParams, object } from '../lib/wire.ts'
import { parseMicros } from '../lib/usdt.ts'

export function sandboxInvoiceRoutes(deps: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): Route[] {
  const tag = 'sandbox'
  const access = { anyOf: ['funding:write'], sandboxOnly: true } as const
  return [
    companyRoute(access, {
      method: 'POST',
      path: '/api/v1/sandbox/invoices/:id/complete',
      tag,
      summary: 'Simulate that an invoice was paid, exactly and in time',
      params: IdParams,
      responses: { 200: Invoice },
      handle: async ({ caller, params }) =>
        ok(showInvoice(deps, await completeInSandbox(deps, caller.scope, requireId('inv', params.id)))),
    }),
    companyRoute(access, {
      method: 'POST',
      path: '/api/v1/sandbox/invoices/:id/payments',
      tag,
      summary: 'Simulate a payment of any amount at any time',
      params: IdParams,
      body: object({
        amount: UsdtAmount,
        at: Type.Optional(
          Type.String({ format: 'date-time', description: 'when the block was made, such as 2026-01-31T12:00:00Z' }),
        ),
      }),
      responses: { 200: Invoice },
      handle: async ({ caller, params, body }) => {
        const at = body.at === undefined ? undefined : new Date(body.at)
        const payment = { amount: parseMicros(body.amount), at }
        return ok(showInvoice(deps, await payInSandbox(deps, caller.scope, requireId('inv', params.id), payment)))
      },
    }),
  ]
}
