// In the sandbox: puts money on the card account at once, without an invoice and without a fee.
import { Button } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useIdempotencyKey } from '~/api/use-idempotency-key.ts'
import { useKeptText } from '~/api/use-kept-text.ts'
import { isAmount } from '~/lib/amount.ts'
import { useTypedAmount } from '~/lib/use-typed-amount.ts'
import { TextField } from '~/ui/fields.tsx'
import { Form } from '~/ui/form.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { Panel } from '~/ui/page.tsx'
import { toast } from '~/ui/toast.ts'
import styles from './fund.module.css'

const AMOUNT_DEFAULT = '1000.00'

export function SandboxMoney() {
  const { client, environment, may } = useWorkplace()
  // Kept as long as the key, which is for this amount.
  const [amount, setAmount] = useKeptText('sandbox money amount', AMOUNT_DEFAULT)
  const { key, renew } = useIdempotencyKey('sandbox money')
  const fund = useAction(() => client.sandbox.fund({ amount }, { idempotencyKey: key }), {
    refreshes: ['balance', 'statements'],
    onDone: () => {
      renew()
      toast('Funds added.')
    },
  })
  const typed = useTypedAmount(amount, (next) => {
    setAmount(next)
    // Another amount is another deposit.
    renew()
  })
  if (environment !== 'sandbox' || !may('cards:write')) return null
  return (
    <Panel title="Sandbox money">
      <Form error={fund.error} isReady={isAmount(amount)} submit={() => void fund.run()} className={styles.form}>
        <TextField
          param="amount"
          label="Amount in USD"
          description="Available at once, without an invoice."
          inputMode="decimal"
          autoComplete="off"
          {...typed}
        />
        <Refused />
        <div>
          <Button type="submit" variant="default" disabled={!isAmount(amount)} loading={fund.isBusy}>
            Add sandbox money
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
