// The calls of the sandbox, which stand in for the issuer, the payer and the operator.
import type { Call } from '../call.ts'
import type {
  CardChange,
  Empty,
  FundingInvoice,
  NewSandboxTransaction,
  Operation,
  PaymentReview,
  SandboxFunding,
  SandboxPayment,
  SandboxResolution,
  SandboxTransactionStatus,
  Transaction,
} from '../generated/types.ts'
import { Resource } from '../list.ts'
import type { CallOptions, IdempotentCallOptions } from '../options.ts'

/** These calls exist in the sandbox only. */
export class Sandbox extends Resource {
  /** Credits the card account. */
  fund(funding: SandboxFunding, options?: IdempotentCallOptions): Call<Empty> {
    return this.transport.callOnce('POST /api/v1/sandbox/funding', { body: funding }, options)
  }

  /** Pays an invoice exactly. */
  completeInvoice(id: string, options?: CallOptions): Call<FundingInvoice> {
    return this.transport.call('POST /api/v1/sandbox/invoices/{id}/complete', { params: { id } }, options)
  }

  /** Pays any amount of USDT on an invoice, at any time. */
  payInvoice(id: string, payment: SandboxPayment, options?: CallOptions): Call<FundingInvoice> {
    return this.transport.call(
      'POST /api/v1/sandbox/invoices/{id}/payments',
      { params: { id }, body: payment },
      options,
    )
  }

  /** Makes a payment with a card. */
  createTransaction(transaction: NewSandboxTransaction, options?: CallOptions): Call<Transaction> {
    return this.transport.call('POST /api/v1/sandbox/transactions', { body: transaction }, options)
  }

  /** Settles, reverses or expires a payment, as the card network would. */
  setTransactionStatus(id: string, change: SandboxTransactionStatus, options?: CallOptions): Call<Transaction> {
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
  ): Call<Operation | CardChange | FundingInvoice | PaymentReview> {
    return this.transport.call(
      'POST /api/v1/sandbox/reviews/{id}/resolve',
      { params: { id }, body: resolution },
      options,
    )
  }
}
