// In the sandbox: simulates correct and wrong payments of an invoice, and the operator's decision on its review.
import { Button, Menu } from '@mantine/core'
import { amounts, type FundingInvoice } from '@cardstock/sdk'
import { INVOICE_ACTIONS } from '@cardstock/sdk/actions'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { formatMoney } from '~/ui/money.tsx'
import { Problem } from '~/ui/notice.tsx'
import { toast } from '~/ui/toast.ts'
import styles from './fund.module.css'

const REFRESHES = ['invoices', 'balance', 'statements'] as const
const MINUTE_MS = 60_000

interface Payment {
  readonly title: string
  readonly amount: string
  readonly at?: string
}

export function SimulateTransfer({ invoice }: { invoice: FundingInvoice }) {
  const { client, environment, may } = useWorkplace()
  const pay = useAction(
    ({ amount, at }: Payment) => client.sandbox.payInvoice(invoice.id, at === undefined ? { amount } : { amount, at }),
    {
      refreshes: REFRESHES,
      onDone: ({ status }) => toast(status === 'completed' ? 'Payment credited.' : 'Payment recorded.'),
    },
  )
  const payments = paymentsOf(invoice)
  if (environment !== 'sandbox' || !may('funding:write') || payments.length === 0) return null
  return (
    <div>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button loading={pay.isBusy}>Simulate a payment</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Sandbox only</Menu.Label>
          {payments.map((payment) => (
            <Menu.Item
              key={payment.title}
              onClick={() => void pay.run(payment)}
              rightSection={<span className={styles.menuAmount}>{formatMoney(payment.amount)}</span>}
            >
              {payment.title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Problem error={pay.error} />
    </div>
  )
}

/** What can be tried, by the state: a pending invoice can be paid in every way, an expired one only late. */
function paymentsOf({ status, payAmount, expiresAt }: FundingInvoice): Payment[] {
  if (payAmount === null || expiresAt === null) return []
  const late = {
    title: 'One minute late',
    amount: payAmount,
    at: new Date(Date.parse(expiresAt) + MINUTE_MS).toISOString(),
  }
  if (status === 'expired') return [late]
  if (status !== 'pending') return []
  return [
    { title: 'Exact amount', amount: payAmount },
    { title: 'Too little', amount: amounts.subtract(payAmount, '1') },
    { title: 'Too much', amount: amounts.add(payAmount, '1') },
    late,
  ]
}

export function DecideInSandbox({ invoice }: { invoice: FundingInvoice }) {
  const { client, environment, may } = useWorkplace()
  const decide = useAction((outcome: 'completed' | 'failed') => client.sandbox.resolveReview(invoice.id, { outcome }), {
    refreshes: REFRESHES,
    onDone: () => toast('Review decided.'),
  })
  const allowed: readonly string[] = INVOICE_ACTIONS.resolve
  if (environment !== 'sandbox' || !may('funding:write') || !allowed.includes(invoice.status)) return null
  return (
    <div>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button loading={decide.isBusy}>Decide review</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Sandbox only</Menu.Label>
          {invoice.receivedAmount === null ? null : (
            <Menu.Item onClick={() => void decide.run('completed')}>
              Credit the {formatMoney(invoice.receivedAmount)} USDT that arrived
            </Menu.Item>
          )}
          <Menu.Item onClick={() => void decide.run('failed')}>Credit nothing</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Problem error={decide.error} />
    </div>
  )
}
