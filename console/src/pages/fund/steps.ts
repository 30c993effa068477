// The timeline of an invoice.
import type { FundingInvoice } from '@cardstock/sdk'
import { formatMoney } from '~/ui/money.tsx'
import type { Step } from '~/ui/timeline.tsx'

export function stepsOf(invoice: FundingInvoice): Step[] {
  const created: Step = { title: 'Invoice created', tone: 'green', shape: 'check', at: invoice.createdAt }
  const received: Step[] =
    invoice.receivedAmount === null
      ? []
      : [{ title: `${formatMoney(invoice.receivedAmount)} USDT received`, tone: 'green', shape: 'check' }]
  return [created, ...received, ...NEXT[invoice.status](invoice)]
}

const NEXT: Readonly<Record<FundingInvoice['status'], (invoice: FundingInvoice) => Step[]>> = {
  creating: () => [{ title: 'Waits for the address from the issuer', tone: 'grey', shape: 'ring' }],
  pending: () => [{ title: 'Waits for your payment', tone: 'blue', shape: 'half' }],
  completed: ({ creditAmount }) => [
    { title: `${formatMoney(creditAmount)} USD credited`, tone: 'green', shape: 'check' },
  ],
  expired: ({ expiresAt }) => [{ title: 'Expired', tone: 'grey', shape: 'dot', at: expiresAt ?? undefined }],
  failed: () => [{ title: 'Failed, nothing was credited', tone: 'red', shape: 'cross' }],
  manual_review: () => [{ title: 'A person decides what is credited', tone: 'amber', shape: 'triangle' }],
}
