// The calls of a company, apart from webhooks: operations and their price, the card account, cards, holders and payments,
// and the sandbox's stand-ins for the issuer, the payer and the operator.
import { compareStatements, type StatementComparison } from '../compare-statements.ts'
import { AbortedError, WaitTimeoutError } from '../errors.ts'
import type {
  Balance,
  BalanceHistory,
  CardChange,
  EntryFilter,
  FundingInvoice,
  InvoiceFilter,
  InvoiceTimeline,
  NewInvoice,
  NewOperation,
  NewSandboxTransaction,
  Operation,
  OperationFilter,
  OperationTimeline,
  PaymentReview,
  Product,
  Quote,
  SandboxFunding,
  SandboxPayment,
  SandboxResolution,
  SandboxTransactionStatus,
  Statement,
  AccountEntry,
  Transaction,
  TransactionFilter,
  TransactionTotals,
  TransactionTotalsFilter,
} from '../generated/types.ts'
import { type List, Resource } from '../list.ts'
import { type CallOptions, type IdempotentCallOptions, requireWhole, sleep, WHOLE_MAX } from '../options.ts'

export interface WaitOptions {
  /** How long to wait for the end of the operation. Default: 60 000. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const WAIT_MS_DEFAULT = 60_000
/** The sandbox completes within a second; a live issuer may take longer, so the waits grow. */
const POLL_MS_FIRST = 200
const POLL_MS_MAX = 5_000
const POLL_GROWTH = 1.5
/** Enough for the last request of a wait, which may begin when the wait is over. */
const LAST_POLL_MS = 5_000

/** States that end the automatic processing. Only a person ends `manual_review`, so waiting for that makes no sense. */
const isSettled = ({ status }: Operation) => status !== 'queued' && status !== 'processing'

export class Operations extends Resource {
  /** Creates an operation and reserves its total. Sent again safely after a failure, with the same idempotency key. */
  create(operation: NewOperation, options?: IdempotentCallOptions): Promise<Operation> {
    return this.transport.callOnce('POST /api/v1/operations', { body: operation }, options)
  }

  get(id: string, options?: CallOptions): Promise<Operation> {
    return this.transport.call('GET /api/v1/operations/{id}', { params: { id } }, options)
  }

  /** What was asked for, and what happened until now. */
  timeline(id: string, options?: CallOptions): Promise<OperationTimeline> {
    return this.transport.call('GET /api/v1/operations/{id}/timeline', { params: { id } }, options)
  }

  list(filter: OperationFilter = {}, options?: CallOptions): List<Operation> {
    return this.transport.list('GET /api/v1/operations', { query: filter }, options)
  }

  /**
   * Resolves with the operation once it is `completed`, `failed` or in `manual_review`; throws WaitTimeoutError when that
   * takes longer than `timeoutMs`.
   */
  async waitFor(id: string, { timeoutMs = WAIT_MS_DEFAULT, signal }: WaitOptions = {}): Promise<Operation> {
    const deadline = Date.now() + requireWhole('timeoutMs', timeoutMs, 1)
    for (let pollMs = POLL_MS_FIRST; ; pollMs = Math.min(pollMs * POLL_GROWTH, POLL_MS_MAX)) {
      const totalTimeoutMs = Math.min(Math.max(0, deadline - Date.now()) + LAST_POLL_MS, WHOLE_MAX)
      const operation = await this.get(id, { signal, totalTimeoutMs })
      if (isSettled(operation)) return operation
      const leftMs = deadline - Date.now()
      if (leftMs <= 0) throw tooLate(operation, timeoutMs)
      await pause(Math.min(pollMs, leftMs), signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, signal).catch((error: unknown) => {
    throw new AbortedError('Waiting was aborted. The operation goes on.', { code: 'aborted' }, { cause: error })
  })
}

function tooLate({ id, status }: Operation, timeoutMs: number): WaitTimeoutError {
  const message = `Operation ${id} is still ${status} after ${timeoutMs} ms. It goes on: wait again, or use webhooks.`
  return new WaitTimeoutError(message, { code: 'wait_timeout', details: { id, status } })
}

export class Quotes extends Resource {
  /** Returns what an operation would cost. It reserves nothing. */
  create(operation: NewOperation, options?: CallOptions): Promise<Quote> {
    return this.transport.call('POST /api/v1/quotes', { body: operation }, options)
  }
}

export class AccountBalance extends Resource {
  get(options?: CallOptions): Promise<Balance> {
    return this.transport.call('GET /api/v1/balance', {}, options)
  }

  /** The balance at the end of each day, with any number of entries. */
  history({ from, to }: StatementRange, options?: CallOptions): Promise<BalanceHistory> {
    return this.transport.call('GET /api/v1/balance/history', { query: { from, to } }, options)
  }

  /** The movements on the card account, newest first. */
  entries(filter: EntryFilter = {}, options?: CallOptions): List<AccountEntry> {
    return this.transport.list('GET /api/v1/account-entries', { query: filter }, options)
  }
}

export class Products extends Resource {
  list(options?: CallOptions): List<Product> {
    return this.transport.list('GET /api/v1/products', {}, options)
  }
}

export class Invoices extends Resource {
  /** Creates an invoice to be paid in USDT. There can be one unresolved invoice at a time. */
  create(invoice: NewInvoice, options?: IdempotentCallOptions): Promise<FundingInvoice> {
    return this.transport.callOnce('POST /api/v1/card-account/invoices', { body: invoice }, options)
  }

  get(id: string, options?: CallOptions): Promise<FundingInvoice> {
    return this.transport.call('GET /api/v1/card-account/invoices/{id}', { params: { id } }, options)
  }

  /** What happened until now: payments with their ids, and what was credited. */
  timeline(id: string, options?: CallOptions): Promise<InvoiceTimeline> {
    return this.transport.call('GET /api/v1/card-account/invoices/{id}/timeline', { params: { id } }, options)
  }

  /** Ends the time to pay. What was paid before is still credited. */
  cancel(id: string, options?: CallOptions): Promise<FundingInvoice> {
    return this.transport.call('POST /api/v1/card-account/invoices/{id}/cancel', { params: { id } }, options)
  }

  list(filter: InvoiceFilter = {}, options?: CallOptions): List<FundingInvoice> {
    return this.transport.list('GET /api/v1/card-account/invoices', { query: filter }, options)
  }
}

/** Whole UTC days, both included, such as 2026-01-01 and 2026-01-31. */
export interface StatementRange {
  readonly from: string
  readonly to: string
}

export type StatementFormat = 'json' | 'csv' | 'pdf'

const MEDIA_TYPES = { json: 'application/json', csv: 'text/csv', pdf: 'application/pdf' } as const

export class Statements extends Resource {
  get({ from, to }: StatementRange, options?: CallOptions): Promise<Statement> {
    return this.transport.call('GET /api/v1/account-statements', { query: { from, to } }, options)
  }

  /**
   * Compares a statement that was kept or received with what the server has for the same days. A statement can be consistent in itself,
   * as `cardstock verify` checks, without being the server's.
   */
  async compare(saved: Statement, options?: CallOptions): Promise<StatementComparison> {
    return compareStatements(saved, await this.get(saved, options))
  }

  /** Resolves with the file as a stream of bytes. `timeoutMs` holds until the end of the stream. */
  download(
    { from, to }: StatementRange,
    format: StatementFormat,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.transport.stream(
      'GET /api/v1/account-statements',
      { query: { from, to } },
      MEDIA_TYPES[format],
      options,
    )
  }
}

export class Transactions extends Resource {
  list(filter: TransactionFilter = {}, options?: CallOptions): List<Transaction> {
    return this.transport.list('GET /api/v1/transactions', { query: filter }, options)
  }

  /** The sums of the transactions that match, by type, status and currency. */
  totals(filter: TransactionTotalsFilter = {}, options?: CallOptions): Promise<TransactionTotals> {
    return this.transport.call('GET /api/v1/transactions/totals', { query: filter }, options)
  }

  get(id: string, options?: CallOptions): Promise<Transaction> {
    return this.transport.call('GET /api/v1/transactions/{id}', { params: { id } }, options)
  }
}

/** These calls exist in the sandbox only. */
export class Sandbox extends Resource {
  /** Credits the card account. */
  async fund(funding: SandboxFunding, options?: IdempotentCallOptions): Promise<void> {
    await this.transport.callOnce('POST /api/v1/sandbox/funding', { body: funding }, options)
  }

  /** Pays an invoice exactly. */
  completeInvoice(id: string, options?: CallOptions): Promise<FundingInvoice> {
    return this.transport.call('POST /api/v1/sandbox/invoices/{id}/complete', { params: { id } }, options)
  }

  /** Pays any amount of USDT on an invoice, at any time. */
  payInvoice(id: string, payment: SandboxPayment, options?: CallOptions): Promise<FundingInvoice> {
    return this.transport.call(
      'POST /api/v1/sandbox/invoices/{id}/payments',
      { params: { id }, body: payment },
      options,
    )
  }

  /** Makes a payment with a card. */
  createTransaction(transaction: NewSandboxTransaction, options?: CallOptions): Promise<Transaction> {
    return this.transport.call('POST /api/v1/sandbox/transactions', { body: transaction }, options)
  }

  setTransactionStatus(id: string, change: SandboxTransactionStatus, options?: CallOptions): Promise<Transaction> {
    return this.transport.call(
      'POST /api/v1/sandbox/transactions/{id}/status',
      { params: { id }, body: change },
      options,
    )
  }

  /** Decides what is in manual review, as an operator would. */
  resolveReview(
    id: string,
    resolution: SandboxResolution,
    options?: CallOptions,
  ): Promise<Operation | CardChange | FundingInvoice | PaymentReview> {
    return this.transport.call(
      'POST /api/v1/sandbox/reviews/{id}/resolve',
      { params: { id }, body: resolution },
      options,
    )
  }
}
