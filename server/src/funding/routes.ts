// POST and GET /card-account/invoices, GET /card-account/invoices/{id} and its timeline, POST /card-account/invoices/{id}/cancel.
import { creatorOf } from '../access/creator.ts'
import { answerPage } from '../http/page.ts'
import { requireId } from '../errors.ts'
import { companyRoute, created, ok, type Route } from '../http/route.ts'
import { IdParams, pageOf } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { cancelInvoice } from './cancel.ts'
import { createInvoice } from './create.ts'
import type { FundingDeps } from './deps.ts'
import { listInvoices } from './lists/queries.ts'
import { expireOverdue, getInvoice, showInvoice } from './read.ts'
import { Invoice, InvoiceQuery, InvoiceTimeline, NewInvoice } from './schema.ts'
import { readInvoiceTimeline } from './timeline.ts'

export function fundingRoutes(deps: FundingDeps & { cursors: CursorCodec }): Route[] {
  return [...listingRoutes(deps), ...invoiceRoutes(deps)]
}

const tag = 'funding'
const reads = ['funding:write', 'balance:read'] as const

function listingRoutes(deps: FundingDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  return [
    companyRoute(
      { anyOf: ['funding:write'], liveNeeds: 'directInvoices' },
      {
        method: 'POST',
        path: '/api/v1/card-account/invoices',
        tag,
        id: 'createInvoice',
        summary: 'Create an invoice',
        description:
          'Creates an invoice to fund the card account with USDT on TRON. Transfer exactly `payAmount` to `address` before `expiresAt`; the issuer confirms the payment, and `creditAmount` is credited. Only one invoice can be open at a time in an environment.',
        refusals: [
          'amount_not_whole',
          'amount_below_minimum',
          'amount_above_maximum',
          'invoice_unresolved',
          'not_offered',
        ],
        idempotent: true,
        body: NewInvoice,
        responses: { 201: Invoice },
        handle: async ({ caller, idempotencyKey, body }) => {
          const order = { ...body, createdBy: creatorOf(caller) }
          const { invoice, replayed } = await createInvoice(deps, caller.scope, idempotencyKey, order)
          return created(`/api/v1/card-account/invoices/${invoice.id}`, invoice, { replayed })
        },
      },
    ),
    companyRoute(
      { anyOf: reads },
      {
        method: 'GET',
        path: '/api/v1/card-account/invoices',
        tag,
        id: 'listInvoices',
        summary: 'List invoices',
        description: 'Lists funding invoices, newest first unless `sort` says otherwise.',
        query: InvoiceQuery,
        responses: { 200: pageOf(Invoice) },
        handle: async ({ caller, query }) => {
          await expireOverdue(deps, caller.scope)
          return answerPage({
            cursors,
            name: 'invoices',
            scope: caller.scope,
            query,
            fetch: (slice) => listInvoices(db, caller.scope, query, slice),
            idOf: (row) => row.id,
            toWire: (row) => showInvoice(deps, row),
          })
        },
      },
    ),
  ]
}

function invoiceRoutes(deps: FundingDeps): Route[] {
  return [
    companyRoute(
      { anyOf: reads },
      {
        method: 'GET',
        path: '/api/v1/card-account/invoices/:id',
        tag,
        id: 'getInvoice',
        summary: 'Read an invoice',
        description: 'Returns the invoice as it is now.',
        params: IdParams,
        responses: { 200: Invoice },
        handle: async ({ caller, params }) =>
          ok(showInvoice(deps, await getInvoice(deps, caller.scope, requireId('inv', params.id)))),
      },
    ),
    companyRoute(
      { anyOf: reads },
      {
        method: 'GET',
        path: '/api/v1/card-account/invoices/:id/timeline',
        tag,
        id: 'getInvoiceTimeline',
        summary: 'Read what happened to an invoice',
        description:
          'Returns every step until now with its time: the payments with their ids, and what was credited. At most the 50 latest payments are among them.',
        params: IdParams,
        responses: { 200: InvoiceTimeline },
        handle: async ({ caller, params }) => {
          const row = await getInvoice(deps, caller.scope, requireId('inv', params.id))
          return ok(await readInvoiceTimeline(deps.db, row))
        },
      },
    ),
    companyRoute(
      { anyOf: ['funding:write'] },
      {
        method: 'POST',
        path: '/api/v1/card-account/invoices/:id/cancel',
        tag,
        id: 'cancelInvoice',
        summary: 'Cancel an invoice',
        description:
          'Ends the time to pay: the invoice is `expired` from now on, and another one can be created. A payment in a block before this moment is still credited; one that comes later is decided by a person. Cancelling it again changes nothing. In live it is refused (429) when the company has had 100 invoices within 25 hours: each keeps its address for that time, and all companies share the addresses.',
        refusals: ['invoice_not_payable'],
        params: IdParams,
        responses: { 200: Invoice },
        handle: async ({ caller, params }) =>
          ok(showInvoice(deps, await cancelInvoice(deps, caller, requireId('inv', params.id)))),
      },
    ),
  ]
}
