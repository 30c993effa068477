// The form that creates an invoice.
import { Button } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useIdempotencyKey } from '~/api/use-idempotency-key.ts'
import { useKeptText } from '~/api/use-kept-text.ts'
import { useSentBefore } from '~/api/use-sent-before.ts'
import { isAmount } from '~/lib/amount.ts'
import { AmountField } from '~/ui/amount-field.tsx'
import { paths } from '~/paths.ts'
import { useGo } from '~/ui/go.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Form } from '~/ui/form.tsx'
import { Refused } from '~/ui/refusal.tsx'
import { Panel } from '~/ui/page.tsx'
import { SentBefore } from '~/ui/sent-before.tsx'
import styles from './fund.module.css'

const FORM = 'new invoice'

export function NewInvoice() {
  const { client } = useWorkplace()
  const go = useGo()
  const [amount, setAmount] = useKeptText(`${FORM} amount`)
  const { key, renew } = useIdempotencyKey(FORM)
  const { originalId, onRefused } = useSentBefore(renew)
  const create = useAction(() => client.invoices.create({ amount }, { idempotencyKey: key }), {
    refreshes: ['invoices'],
    onRefused,
    onDone: ({ id }) => {
      renew()
      setAmount('')
      go(paths.invoice(id))
    },
  })
  return (
    <Panel title="New invoice">
      <Form error={create.error} isReady={isAmount(amount)} submit={() => void create.run()} className={styles.form}>
        <AmountField
          value={amount}
          onChange={setAmount}
          limits="Whole US dollars, at least 10. A fee of 1.5% is deducted."
        />
        <SentBefore id={originalId} />
        <Refused />
        <div>
          <Button type="submit" size="md" disabled={!isAmount(amount)} loading={create.isBusy}>
            {isAmount(amount) ? `Create invoice for ${formatMoney(amount)} USD` : 'Create invoice'}
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
