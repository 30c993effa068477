// What happened to an invoice, with the ids of its payments.
import type { FundingInvoice, InvoiceStep } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Panel } from '~/ui/page.tsx'
import { Timeline } from '~/ui/timeline.tsx'
import { stepsOf } from './steps.ts'
import { isMoving } from './words.ts'

/** It is read again whenever the invoice has changed. */
export function InvoiceTimeline({ invoice }: { invoice: FundingInvoice }) {
  const { id, status, receivedAmount } = invoice
  const query = useData(
    'invoices',
    [id, 'timeline', status, receivedAmount],
    (client, options) => client.invoices.timeline(id, options),
    { isMoving: isMoving(invoice), keepsFormer: true },
  )
  return (
    <Panel title="Timeline">
      <Loaded query={query}>
        {({ steps }) => (
          <Timeline
            steps={stepsOf(invoice, steps).map((step, index) => {
              const happened = steps[index]
              return happened?.step === 'paid' ? { ...step, detail: <Payment step={happened} /> } : step
            })}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const EXPLORER = 'https://tronscan.org/#/transaction/'

function Payment({ step: { transactionId, reference = '' } }: { step: InvoiceStep }) {
  const { environment } = useWorkplace()
  if (transactionId === undefined) return <CopyId value={reference} />
  return (
    <>
      <CopyId value={transactionId} />
      {environment === 'live' ? (
        <p>
          <a href={`${EXPLORER}${transactionId}`} target="_blank" rel="noreferrer">
            View on Tronscan (TRON main network)
          </a>
        </p>
      ) : null}
    </>
  )
}
