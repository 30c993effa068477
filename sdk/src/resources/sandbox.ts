// The calls of the sandbox, which stand in for the issuer, the payer and the operator.
import type {
  CardChange,
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
