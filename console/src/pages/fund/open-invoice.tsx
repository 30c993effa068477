// The invoice that is open, in the place of the form: there can be only one.
import { Button } from '@mantine/core'
import type { FundingInvoice } from '@cardstock/sdk'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Money } from '~/ui/money.tsx'
import { Panel } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { TimeLeft } from './time-left.tsx'
import { describeInvoice } from './words.ts'
import styles from './fund.module.css'

export function OpenInvoice({ invoice }: { invoice: FundingInvoice }) {
  const { id, status, depositAmount, expiresAt } = invoice
  return (
    <Panel title={status === 'manual_review' ? 'In review' : 'Open invoice'} actions={<Status value={status} />}>
      <p className={styles.openAmount}>
        <Money value={depositAmount} />
      </p>
      {status === 'pending' && expiresAt !== null ? <TimeLeft until={expiresAt} /> : null}
      <p>{describeInvoice(invoice)}</p>
      <Button component={Go} href={paths.invoice(id)}>
        {status === 'pending' ? 'View payment details' : 'Open invoice'}
      </Button>
    </Panel>
  )
}
