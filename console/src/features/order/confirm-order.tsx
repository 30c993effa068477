// Asks before an order in live, with its figures: it spends real money.
import { Facts } from '~/ui/page.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { formatMoney, Money } from '~/ui/money.tsx'
import type { Priced } from './use-quote.ts'

interface Props {
  readonly verb: string
  readonly companyName: string
  readonly priced: Priced
  readonly isBusy: boolean
  confirm(): void
  close(): void
}

export function ConfirmOrder({ verb, companyName, priced, isBusy, confirm, close }: Props) {
  const { quote, availableAfter } = priced
  if (quote === undefined) return null
  const action = `${verb} for ${formatMoney(quote.total)} USD`
  return (
    <FormDialog title={`${action}?`} action={action} isBusy={isBusy} error={undefined} submit={confirm} close={close}>
      <p>This is live: it spends real money from the card account of {companyName}.</p>
      <Facts
        facts={[
          ['Amount', <Money key="amount" value={quote.amount} />],
          ['Fee', <Money key="fee" value={quote.fee} />],
          [
            'Total',
            <strong key="total">
              <Money value={quote.total} />
            </strong>,
          ],
          availableAfter === undefined ? undefined : ['Available after', <Money key="after" value={availableAfter} />],
        ]}
      />
    </FormDialog>
  )
}
