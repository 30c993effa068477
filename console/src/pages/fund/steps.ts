// The timeline of an invoice: what happened with its times, then what comes next.
import type { FundingInvoice, InvoiceStep } from '@cardstock/sdk'
import { formatMoney } from '~/ui/money.tsx'
import type { Step } from '~/ui/timeline.tsx'

type Words = Pick<Step, 'title' | 'tone' | 'shape'>

export function stepsOf(invoice: FundingInvoice, happened: readonly InvoiceStep[]): Step[] {
  return [...happened.map((step) => ({ ...HAPPENED[step.step](step), at: step.at })), ...NEXT[invoice.status]]
}

const usdt = (amount: string | undefined) => `${formatMoney(amount ?? '')} USDT`

const HAPPENED: Readonly<Record<InvoiceStep['step'], (step: InvoiceStep) => Words>> = {
  created: () => ({ title: 'Invoice created', tone: 'green', shape: 'check' }),
  paid: ({ amount }) => ({ title: `${usdt(amount)} paid on the network`, tone: 'green', shape: 'check' }),
  received: ({ amount }) => ({ title: `${usdt(amount)} confirmed by the issuer`, tone: 'green', shape: 'check' }),
  cancelled: () => ({ title: 'Cancelled', tone: 'grey', shape: 'dot' }),
  expired: () => ({ title: 'Expired', tone: 'grey', shape: 'dot' }),
  manual_review: () => ({ title: 'In review', tone: 'amber', shape: 'triangle' }),
  credited: ({ amount, fee }) => ({
    title: `${formatMoney(amount ?? '')} USD credited, after a fee of ${formatMoney(fee ?? '')} USD`,
    tone: 'green',
    shape: 'check',
  }),
  failed: ({ paymentId }) => ({
    title: paymentId === undefined ? 'Failed, nothing credited' : 'Payment not credited',
    tone: 'red',
    shape: 'cross',
  }),
}

const NEXT: Readonly<Record<FundingInvoice['status'], readonly Step[]>> = {
  creating: [{ title: 'Waiting for the issuer’s address', tone: 'grey', shape: 'ring' }],
  pending: [{ title: 'Waiting for your payment', tone: 'blue', shape: 'half' }],
  completed: [],
  expired: [],
  failed: [],
  manual_review: [{ title: 'Waiting for a decision', tone: 'grey', shape: 'ring' }],
}
