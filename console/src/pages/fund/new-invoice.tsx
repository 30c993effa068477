// The form that creates an invoice.
import { Button } from '@mantine/core'
import type { FormEvent } from 'react'
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
import { Problem } from '~/ui/notice.tsx'
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAmount(amount)) void create.run()
  }
  return (
    <Panel title="New invoice">
      <form onSubmit={submit} className={styles.form}>
        <AmountField
          value={amount}
          onChange={setAmount}
          limits="Whole US dollars, at least 10. A fee of 1.5 % is deducted from it."
        />
        <SentBefore id={originalId} />
        <Problem error={create.error} />
        <div>
          <Button type="submit" size="md" disabled={!isAmount(amount)} loading={create.isBusy}>
            {isAmount(amount) ? `Create an invoice of ${formatMoney(amount)} USD` : 'Create an invoice'}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
