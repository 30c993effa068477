// Simulates payments of sandbox invoices. It must never work in live, where nothing a client sends can credit money.
import { Type } from 'typebox'
import type { FundingDeps } from './deps.ts'
import { completeInSandbox, payInSandbox } from './payments.ts'
import { showInvoice } from './read.ts'
import { Invoice, UsdtAmount } from './schema.ts'
import { requireId } from '../errors.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { field, IdParams, object } from '../lib/wire.ts'
import { parseMicros } from '../tron/usdt.ts'

const NewPayment = object(
  {
    amount: field(UsdtAmount, 'How much USDT to pay. A second payment is added to the first.'),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        hint: 'when the block was made, such as 2026-01-31T12:00:00Z',
        description: 'When the block was made, in the past or the future. The default is now.',
      }),
    ),
  },
  'SandboxPaymentCreate',
  'A payment to simulate.',
)

export function fundingSandboxRoutes(deps: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): Route[] {
  const tag = 'sandbox'
  const access = { anyOf: ['funding:write'], sandboxOnly: true } as const
  return [
    companyRoute(access, {
      method: 'POST',
      path: '/api/v1/sandbox/invoices/:id/complete',
      tag,
      id: 'completeSandboxInvoice',
      summary: 'Simulate the exact payment of an invoice',
      description: 'Pays the invoice exactly and in time. A second call returns the same invoice and credits nothing.',
      refusals: ['invoice_not_payable', 'balance_limit_exceeded'],
      params: IdParams,
      responses: { 200: Invoice },
      handle: async ({ caller, params }) =>
        ok(showInvoice(deps, await completeInSandbox(deps, caller.scope, requireId('inv', params.id)))),
    }),
    companyRoute(access, {
      method: 'POST',
      path: '/api/v1/sandbox/invoices/:id/payments',
      tag,
      id: 'paySandboxInvoice',
      summary: 'Simulate any payment of an invoice',
      description: 'Pays any amount at any time, to see what a short, excess, late or repeated payment leads to.',
      refusals: ['invoice_not_payable', 'balance_limit_exceeded'],
      params: IdParams,
      body: NewPayment,
      responses: { 200: Invoice },
      handle: async ({ caller, params, body }) => {
        const at = body.at === undefined ? undefined : new Date(body.at)
        const payment = { amount: parseMicros(body.amount), at }
        return ok(showInvoice(deps, await payInSandbox(deps, caller.scope, requireId('inv', params.id), payment)))
      },
    }),
  ]
}
