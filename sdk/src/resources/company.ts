// The calls of a company, apart from its cards, webhooks and the sandbox: operations and their price, the card account and payments.
import type { Call } from '../call.ts'
import type {
  Balance,
  BalanceAlert,
  BalanceAlertChange,
  BalanceHistory,
  EntryFilter,
  FundingInvoice,
  InvoiceFilter,
  InvoiceTimeline,
  NewInvoice,
  NewOperation,
  Operation,
  OperationFilter,
  OperationTimeline,
  Product,
  Quote,
  Spend,
  SpendFilter,
  Statement,
  AccountEntry,
  Transaction,
  TransactionFilter,
  TransactionTotals,
  TransactionTotalsFilter,
} from '../generated/types.ts'
import { type List, Resource } from '../list.ts'
import type { CallOptions, IdempotentCallOptions } from '../options.ts'
import { type WaitOptions, waitUntilSettled } from '../wait.ts'

export class Operations extends Resource {
  /** Creates an operation and reserves its total. Sent again safely after a failure, with the same idempotency key. */
  create(operation: NewOperation, options?: IdempotentCallOptions): Call<Operation> {
    return this.transport.callOnce('POST /api/v1/operations', { body: operation }, options)
  }

  /** Returns one operation. */
  get(id: string, options?: CallOptions): Call<Operation> {
    return this.transport.call('GET /api/v1/operations/{id}', { params: { id } }, options)
  }

  /** What was asked for, and what happened until now. */
  timeline(id: string, options?: CallOptions): Call<OperationTimeline> {
    return this.transport.call('GET /api/v1/operations/{id}/timeline', { params: { id } }, options)
  }

  /** The operations, newest first. */
  list(filter: OperationFilter = {}, options?: CallOptions): List<Operation> {
    return this.transport.list('GET /api/v1/operations', { query: filter }, options)
  }

  /**
   * Resolves with the operation once it is `completed`, `failed` or in `manual_review`; throws WaitTimeoutError when that
   * takes longer than `timeoutMs`.
   */
  waitFor(id: string, options?: WaitOptions): Promise<Operation> {
    // Only a person ends `manual_review`, so waiting for that makes no sense.
    return waitUntilSettled((limits) => this.get(id, limits), ['queued', 'processing'], options)
  }
}

export class Quotes extends Resource {
  /** Returns what an operation would cost. It reserves nothing. */
  create(operation: NewOperation, options?: CallOptions): Call<Quote> {
    return this.transport.call('POST /api/v1/quotes', { body: operation }, options)
  }
}

export class AccountBalance extends Resource {
  /** What the card account has available and held. */
  get(options?: CallOptions): Call<Balance> {
    return this.transport.call('GET /api/v1/balance', {}, options)
  }

  /** The balance at the end of each day, with any number of entries. */
  history({ from, to }: StatementRange, options?: CallOptions): Call<BalanceHistory> {
    return this.transport.call('GET /api/v1/balance/history', { query: { from, to } }, options)
  }

  /** Below which amount the available funds are low, and whether they are. */
  alert(options?: CallOptions): Call<BalanceAlert> {
    return this.transport.call('GET /api/v1/balance/alert', {}, options)
  }

  /** Changes below which amount the balance is low. Null ends the warning. */
  setAlert(change: BalanceAlertChange, options?: CallOptions): Call<BalanceAlert> {
    return this.transport.call('PATCH /api/v1/balance/alert', { body: change }, options)
  }

  /** The movements on the card account, newest first. */
  entries(filter: EntryFilter = {}, options?: CallOptions): List<AccountEntry> {
    return this.transport.list('GET /api/v1/account-entries', { query: filter }, options)
  }
}

export class Products extends Resource {
  /** What can be ordered, with its prices. */
  list(options?: CallOptions): List<Product> {
    return this.transport.list('GET /api/v1/products', {}, options)
  }
}

export class Invoices extends Resource {
  /** Creates an invoice to be paid in USDT. There can be one unresolved invoice at a time. */
  create(invoice: NewInvoice, options?: IdempotentCallOptions): Call<FundingInvoice> {
    return this.transport.callOnce('POST /api/v1/card-account/invoices', { body: invoice }, options)
  }

  /** Returns one invoice. */
  get(id: string, options?: CallOptions): Call<FundingInvoice> {
    return this.transport.call('GET /api/v1/card-account/invoices/{id}', { params: { id } }, options)
  }

  /** What happened until now: payments with their ids, and what was credited. */
  timeline(id: string, options?: CallOptions): Call<InvoiceTimeline> {
    return this.transport.call('GET /api/v1/card-account/invoices/{id}/timeline', { params: { id } }, options)
  }

  /** Ends the time to pay. What was paid before is still credited. */
  cancel(id: string, options?: CallOptions): Call<FundingInvoice> {
    return this.transport.call('POST /api/v1/card-account/invoices/{id}/cancel', { params: { id } }, options)
  }

  /** The invoices, newest first. */
  list(filter: InvoiceFilter = {}, options?: CallOptions): List<FundingInvoice> {
    return this.transport.list('GET /api/v1/card-account/invoices', { query: filter }, options)
  }

  /**
   * Resolves with the invoice once it is `completed`, `expired`, `failed` or in `manual_review`; throws WaitTimeoutError when that
   * takes longer than `timeoutMs`. People take longer than a minute to pay, so give it the time until `expiresAt`.
   */
  waitFor(id: string, options?: WaitOptions): Promise<FundingInvoice> {
    return waitUntilSettled((limits) => this.get(id, limits), ['creating', 'pending'], options)
  }
}

/** Whole UTC days, both included, such as 2026-01-01 and 2026-01-31. */
export interface StatementRange {
  /** The first day. */
  readonly from: string
  /** The last day. */
  readonly to: string
}

export type StatementFormat = 'json' | 'csv' | 'pdf'

const MEDIA_TYPES = { json: 'application/json', csv: 'text/csv', pdf: 'application/pdf' } as const

export class Statements extends Resource {
  /** Returns the statement of these days, with its proof. */
  get({ from, to }: StatementRange, options?: CallOptions): Call<Statement> {
    return this.transport.call('GET /api/v1/account-statements', { query: { from, to } }, options)
  }

  /** Resolves with the file as a stream of bytes. `timeoutMs` holds until the end of the stream. */
  download(
    { from, to }: StatementRange,
    format: StatementFormat,
    options?: CallOptions,
  ): Call<ReadableStream<Uint8Array>> {
    return this.transport.stream(
      'GET /api/v1/account-statements',
      { query: { from, to } },
      MEDIA_TYPES[format],
      options,
    )
  }
}

export class Transactions extends Resource {
  /** The card payments, newest first. */
  list(filter: TransactionFilter = {}, options?: CallOptions): List<Transaction> {
    return this.transport.list('GET /api/v1/transactions', { query: filter }, options)
  }

  /** The sums of the transactions that match, by type, status and currency. */
  totals(filter: TransactionTotalsFilter = {}, options?: CallOptions): Call<TransactionTotals> {
    return this.transport.call('GET /api/v1/transactions/totals', { query: filter }, options)
  }

  /** What was spent with cards, by month, card, holder, merchant or category. */
  spend(filter: SpendFilter, options?: CallOptions): Call<Spend> {
    return this.transport.call('GET /api/v1/spend', { query: filter }, options)
  }

  /** Returns one card payment. */
  get(id: string, options?: CallOptions): Call<Transaction> {
    return this.transport.call('GET /api/v1/transactions/{id}', { params: { id } }, options)
  }
}
