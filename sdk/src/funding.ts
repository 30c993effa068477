// Funding invoices and payments in review, as the server answers with them.
import type { Environment } from './types.ts'

export const INVOICE_STATUSES = ['creating', 'pending', 'completed', 'expired', 'failed', 'manual_review'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export interface FundingInvoice {
  id: string
  environment: Environment
  status: InvoiceStatus
  depositAmount: string
  fee: string
  creditAmount: string
  address: string | null
  /** Transfer exactly this; never round it. */
  payAmount: string | null
  asset: string
  network: string
  expiresAt: string | null
  createdAt: string
  payUrl: string
  reasons: string[]
  receivedAmount: string | null
  failure?: { code: string; message: string }
}

/** Money that came after its invoice was closed, and what was decided about it. */
export interface PaymentReview {
  id: string
  object: 'payment'
  environment: Environment
  status: 'manual_review' | 'completed' | 'failed'
  invoiceId: string
  amount: string
  depositAmount: string | null
  fee: string | null
  creditAmount: string | null
  createdAt: string
}
