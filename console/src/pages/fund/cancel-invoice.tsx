// Cancels an open invoice, so that another one can be created.
import { Button } from '@mantine/core'
import type { FundingInvoice } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { toast } from '~/ui/toast.ts'

export function CancelInvoice({ invoice }: { invoice: FundingInvoice }) {
  const { client, may } = useWorkplace()
  const [isAsking, setAsking] = useState(false)
  const cancel = useAction(() => client.invoices.cancel(invoice.id), {
    refreshes: ['invoices'],
    onDone: () => {
      setAsking(false)
      toast('Invoice cancelled.')
    },
  })
  if (invoice.status !== 'pending' || !may('funding:write')) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Cancel invoice
      </Button>
      {isAsking ? (
        <Confirm
          title={`Cancel the invoice for ${formatMoney(invoice.depositAmount)} USD?`}
          action="Cancel invoice"
          typed={formatMoney(invoice.depositAmount)}
          isBusy={cancel.isBusy}
          error={cancel.error}
          confirm={() => void cancel.run()}
          close={() => setAsking(false)}
        >
          Make sure that nobody pays it after this. An exact payment made before now is still credited; an operator
          checks any other payment.
        </Confirm>
      ) : null}
    </>
  )
}
