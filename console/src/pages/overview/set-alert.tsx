// The dialog that sets below which amount the company is warned. It is loaded when it is opened, because the overview is the first page.
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { isAmount } from '~/lib/amount.ts'
import { useTypedAmount } from '~/lib/use-typed-amount.ts'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { toast } from '~/ui/toast.ts'

export default function SetAlert({ threshold, close }: { threshold: string | null; close: () => void }) {
  const { client } = useWorkplace()
  const [amount, setAmount] = useState(threshold ?? '')
  const action = useAction(() => client.balance.setAlert({ threshold: amount === '' ? null : amount }), {
    refreshes: ['balance'],
    onDone: () => {
      toast(amount === '' ? 'Warning removed.' : 'Warning set.')
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
      <TextField
        param="threshold"
        label="Warn below (USD)"
        description="Everyone at the company sees the warning on the overview. Leave it empty for no warning."
        inputMode="decimal"
        autoComplete="off"
        {...typed}
      />
    </FormDialog>
  )
}
