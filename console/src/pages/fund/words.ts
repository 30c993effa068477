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

export function describeInvoice(invoice: FundingInvoice): string {
  const { status, receivedAmount, creditAmount, fee, expiresAt, failure, cancelledBy } = invoice
  switch (status) {
    case 'creating':
      return 'The issuer is preparing the address and the exact amount. They appear here in a moment. Do not send any money yet.'
    case 'pending':
      return 'We are watching for your payment. This page shows it as soon as the network has confirmed it.'
    case 'completed':
      return `${formatMoney(receivedAmount ?? '')} USDT arrived, and ${formatMoney(creditAmount)} USD is on the card account after a fee of ${formatMoney(fee)} USD. There is nothing more to do.`
    case 'expired':
      if (cancelledBy !== undefined)
        return `${cancelledBy.name} cancelled this invoice. Do not pay it any more. What was in a block before ${formatTime(expiresAt ?? '')} is still found and credited, and a later payment is checked by a person.`
      return `Do not pay this invoice any more; create a new one. If you have paid already: a payment that was in a block before ${formatTime(expiresAt ?? '')} is still found and credited, and a later one is checked by a person. Keep the id of your transaction.`
    case 'failed':
      return `${failure?.message ?? 'The invoice could not be set up.'} Do not send any money to it; create a new one.`
    case 'manual_review':
      return describeReview(invoice)
  }
}

function describeReview({ receivedAmount, payAmount, reasons }: FundingInvoice): string {
  if (receivedAmount === null)
    return 'It is not certain that the issuer has set up this invoice. A person is finding out. Do not send any money, and do not create the invoice again by other means.'
  const wanted = payAmount === null || payAmount === receivedAmount ? '' : ` instead of ${formatMoney(payAmount)}`
  const how = reasons.flatMap((reason) => HOW[reason] ?? []).join(' ')
  return `${formatMoney(receivedAmount)} USDT arrived${wanted}. ${how} A person decides what is credited. You do not have to do anything; do not pay again, and keep the id of your transaction.`
}

type Reason = FundingInvoice['reasons'][number]

const HOW: Readonly<Partial<Record<Reason, string>>> = {
  underpaid: 'That is too little.',
  overpaid: 'That is too much.',
  paid_late: 'It came after the invoice had expired.',
  multiple_payments: 'It came in more than one payment.',
}
