// What the state of an invoice means, and what to do, in plain words.
import type { FundingInvoice, InvoiceStatus } from '@cardstock/sdk'
import { formatMoney } from '~/ui/money.tsx'
import type { Tone } from '~/ui/statuses.ts'
import { formatTime } from '~/ui/time.tsx'

export const TONES: Readonly<Record<InvoiceStatus, Tone>> = {
  creating: 'grey',
  pending: 'blue',
  completed: 'green',
  expired: 'grey',
  failed: 'red',
  manual_review: 'amber',
}

/** Whether it can still change. A payment may arrive after the expiry. */
export function isMoving(invoice: FundingInvoice | undefined): boolean {
  return invoice === undefined || (invoice.status !== 'completed' && invoice.status !== 'failed')
}

/** For a page that has not reached the server since the time to pay was over. */
export function describeOver({ expiresAt }: FundingInvoice): string {
  return `The time to pay is over, and the server cannot be reached. Do not pay this invoice any more. If it was paid already: the exact amount in a block before ${formatTime(expiresAt ?? '')} is still credited; an operator checks any other payment. Keep the id of your transaction.`
}

export function describeInvoice(invoice: FundingInvoice): string {
  const { status, receivedAmount, creditAmount, fee, expiresAt, failure, cancelledBy } = invoice
  switch (status) {
    case 'creating':
      return 'The issuer is preparing the address and the exact amount, which will appear here in a moment. Do not send any money yet.'
    case 'pending':
      return 'Waiting for your payment. It appears here as soon as the network has confirmed it.'
    case 'completed':
      return `${formatMoney(receivedAmount ?? '')} USDT arrived, and ${formatMoney(creditAmount)} USD was credited to the card account after a fee of ${formatMoney(fee)} USD. There is nothing more to do.`
    case 'expired':
      if (cancelledBy !== undefined)
        return `${cancelledBy.name} cancelled this invoice. Do not pay it. If it was paid already: the exact amount in a block before ${formatTime(expiresAt ?? '')} is still credited; an operator checks any other payment.`
      return `Do not pay this invoice; create a new one. If it was paid already: the exact amount in a block before ${formatTime(expiresAt ?? '')} is still credited; an operator checks any other payment. Keep the id of your transaction.`
    case 'failed':
      return `${failure?.message ?? 'The invoice could not be set up.'} Do not pay it; create a new one.`
    case 'manual_review':
      return describeReview(invoice)
  }
}

function describeReview({ receivedAmount, payAmount, reasons }: FundingInvoice): string {
  if (receivedAmount === null)
    return 'The issuer has not confirmed that it set up this invoice. An operator will check this. Do not send any money.'
  const wanted = payAmount === null || payAmount === receivedAmount ? '' : ` instead of ${formatMoney(payAmount)}`
  const how = reasons.flatMap((reason) => HOW[reason] ?? []).join(' ')
  return `${formatMoney(receivedAmount)} USDT arrived${wanted}. ${how} An operator decides what is credited. You do not need to do anything. Do not pay again, and keep the id of your transaction.`
}

type Reason = FundingInvoice['reasons'][number]

const HOW: Readonly<Partial<Record<Reason, string>>> = {
  underpaid: 'That is too little.',
  overpaid: 'That is too much.',
  paid_late: 'It arrived too late.',
  multiple_payments: 'It arrived in more than one payment.',
}
