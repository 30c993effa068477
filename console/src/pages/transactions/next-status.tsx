// In the sandbox: settles, reverses or expires a payment, as the card network would.
import { Button } from '@mantine/core'
import type { SandboxTransactionStatus, Transaction } from '@cardstock/sdk'
import { TRANSACTION_ACTIONS } from '@cardstock/sdk/actions'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { Problem } from '~/ui/notice.tsx'
import { toast } from '~/ui/toast.ts'

type Next = SandboxTransactionStatus['status']

const VERBS: Readonly<Record<Next, string>> = {
  settled: 'Settle payment',
  reversed: 'Reverse payment',
  expired: 'Expire payment',
}

export function NextStatus({ transaction }: { transaction: Transaction }) {
  const { client, environment, may } = useWorkplace()
  const change = useAction((status: Next) => client.sandbox.setTransactionStatus(transaction.id, { status }), {
    refreshes: ['transactions', 'cards', 'balance', 'statements'],
    onDone: ({ status }) => toast(`Payment ${status}.`),
  })
  const allowed = (Object.keys(VERBS) as Next[]).filter((next) => can(transaction, next))
  if (environment !== 'sandbox' || !may('cards:write') || allowed.length === 0) return null
  return (
    <>
      {allowed.map((next) => (
        <Button key={next} variant="default" loading={change.isBusy} onClick={() => void change.run(next)}>
          {VERBS[next]}
        </Button>
      ))}
      <Problem error={change.error} />
    </>
  )
}

function can({ status }: Transaction, next: Next): boolean {
  const allowed: readonly string[] = TRANSACTION_ACTIONS[next]
  return allowed.includes(status)
}
