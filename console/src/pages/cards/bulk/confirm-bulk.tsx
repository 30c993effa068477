// Asks before a file is sent in live, with its figures: it spends real money.
import { useWorkplace } from '~/api/company.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { Money } from '~/ui/money.tsx'
import { Facts } from '~/ui/page.tsx'

interface Props {
  readonly action: string
  readonly total: string
  readonly after: string | undefined
  /** How many rows are not sent because they were refused. */
  readonly left: number
  confirm(): void
  close(): void
}

export function ConfirmBulk({ action, total, after, left, confirm, close }: Props) {
  const { company } = useWorkplace()
  return (
    <FormDialog title={`${action}?`} action={action} isBusy={false} error={undefined} submit={confirm} close={close}>
      <p>This is live: it spends real money from the card account of {company?.name ?? ''}.</p>
      <Facts
        facts={[
          ['Total', <Money key="total" value={total} />],
          after === undefined ? undefined : ['Available after', <Money key="after" value={after} />],
          left === 0 ? undefined : ['Refused, not sent', left],
        ]}
      />
    </FormDialog>
  )
}
