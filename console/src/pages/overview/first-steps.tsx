// The steps to a first payment with a card. They are shown until there is one.
import { Button } from '@mantine/core'
import { amounts, type Card } from '@cardstock/sdk'
import type { ReactNode } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { useIdempotencyKey } from '~/api/use-idempotency-key.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Icon } from '~/ui/icon.tsx'
import { Problem } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { toast } from '~/ui/toast.ts'
import styles from './overview.module.css'

const SANDBOX_FUNDS = '1000.00'

/** `card` is one of the company's cards, if it has any. */
export function FirstSteps({ card }: { card: Card | undefined }) {
  const { environment, may } = useWorkplace()
  const balance = useData('balance', [], (client, options) => client.balance.get(options))
  const holders = useData('holders', ['first'], (client, options) => client.holders.list({ limit: 1 }, options), {
    isEnabled: may('holders:read'),
  })
  const isFunded = balance.data !== undefined && amounts.compare(balance.data.total, '0') > 0
  const hasHolder = (holders.data?.data.length ?? 0) > 0
  return (
    <Panel title="Your first card">
      <ol className={styles.steps}>
        <Step number={1} title="Add funds" isDone={isFunded} action={<Fund />}>
          Cards are paid for from the card account.
        </Step>
        <Step
          number={2}
          title="Add a holder"
          isDone={hasHolder}
          action={
            may('holders:write') ? (
              <Button component={Go} href={paths.addHolder()} size="xs">
                Add holder
              </Button>
            ) : null
          }
        >
          The person or company that will use the card.
        </Step>
        <Step
          number={3}
          title="Issue a card"
          isDone={card !== undefined}
          action={
            may('cards:write') ? (
              <Button component={Go} href={paths.issueCard()} size="xs">
                Issue card
              </Button>
            ) : null
          }
        >
          Choose the holder and the first amount.
        </Step>
        <Step
          number={4}
          title="Pay with it"
          isDone={false}
          action={
            card === undefined ? null : (
              <Button component={Go} href={paths.card(card.id)} size="xs">
                Open card
              </Button>
            )
          }
        >
          {environment === 'sandbox' ? 'Simulate a payment on its page.' : 'The payment then appears here.'}
        </Step>
      </ol>
    </Panel>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  readonly action?: ReactNode
  readonly children: string
}

function Step({ number, title, isDone, action = null, children }: StepProps) {
  return (
    <li className={styles.step} data-done={isDone}>
      <p className={styles.stepTitle}>
        <span className={styles.stepNumber}>{isDone ? <Icon name="check" size={14} /> : number}</span>
        {title}
        {isDone ? <span className="only-for-readers"> (done)</span> : null}
      </p>
      <p className={styles.stepText}>{children}</p>
      {isDone ? null : <div>{action}</div>}
    </li>
  )
}

function Fund() {
  const { environment, may } = useWorkplace()
  if (environment === 'sandbox') return <FundInSandbox />
  return may('funding:write') ? (
    <Button component={Go} href={paths.fund()} size="xs">
      Add funds
    </Button>
  ) : null
}

function FundInSandbox() {
  const { client, may } = useWorkplace()
  const { key, renew } = useIdempotencyKey('sandbox funding')
  const fund = useAction(() => client.sandbox.fund({ amount: SANDBOX_FUNDS }, { idempotencyKey: key }), {
    refreshes: ['balance', 'statements'],
    onDone: () => {
      renew()
      toast('Funds added.')
    },
  })
  if (!may('cards:write')) return null
  return (
    <>
      <Button size="xs" variant="default" loading={fund.isBusy} onClick={() => void fund.run()}>
        Add {formatMoney(SANDBOX_FUNDS)} USD
      </Button>
      <Problem error={fund.error} />
    </>
  )
}
