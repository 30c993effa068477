// Warns when less is available than the company wants to have, and lets people who may fund the account set that amount.
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { isAmount } from '~/lib/amount.ts'
import { useTypedAmount } from '~/lib/use-typed-amount.ts'
import { paths } from '~/paths.ts'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { Go } from '~/ui/go.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { toast } from '~/ui/toast.ts'

export function LowBalance() {
  const { may } = useWorkplace()
  const [isOpen, setOpen] = useState(false)
  const { data } = useData('balance', ['alert'], (client, options) => client.balance.alert(options), { isMoving: true })
  if (data === undefined) return null
  const { threshold, isLow } = data
  return (
    <>
      {isLow && threshold !== null ? (
        <Notice tone="amber" title="Low balance">
          <p>Less than {formatMoney(threshold)} USD is available.</p>
          <Go href={paths.fund()}>Add funds</Go>
        </Notice>
      ) : null}
      {may('funding:write') ? (
        <Button size="xs" variant="subtle" onClick={() => setOpen(true)}>
          {threshold === null ? 'Set low-balance warning' : `Warning below ${formatMoney(threshold)} USD`}
        </Button>
      ) : null}
      {isOpen ? <SetAlert threshold={threshold} close={() => setOpen(false)} /> : null}
    </>
  )
}

function SetAlert({ threshold, close }: { threshold: string | null; close: () => void }) {
  const { client } = useWorkplace()
  const [amount, setAmount] = useState(threshold ?? '')
  const action = useAction(() => client.balance.setAlert({ threshold: amount === '' ? null : amount }), {
    refreshes: ['balance'],
    onDone: () => {
      toast(amount === '' ? 'Warning off.' : 'Warning set.')
      close()
    },
  })
  const typed = useTypedAmount(amount, setAmount)
  const isWrong = amount !== '' && !isAmount(amount)
  return (
    <FormDialog
      title="Low-balance warning"
      action="Save warning"
      isReady={!isWrong}
      isBusy={action.isBusy}
      error={action.error}
      submit={() => void action.run()}
      close={close}
    >
      <TextInput
        label="Warn below"
        description="In USD. Everyone at the company sees the warning on the overview. Leave it empty for no warning."
        inputMode="decimal"
        autoComplete="off"
        {...typed}
      />
    </FormDialog>
  )
}
