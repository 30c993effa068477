// Suspends a company or lifts its suspension, always with a reason.
import { Button, TextInput } from '@mantine/core'
import type { Company } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { TextAreaField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { toast } from '~/ui/toast.ts'
import { LiveMoney } from './live-money.tsx'

export function CompanyActions({ company }: { company: Company }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {company.suspended ? 'Lift suspension' : 'Suspend company'}
      </Button>
      {isOpen ? <ChangeSuspension company={company} close={() => setOpen(false)} /> : null}
    </>
  )
}

function ChangeSuspension({ company, close }: { company: Company; close: () => void }) {
  const { id, name, suspended } = company
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const change = useAction(
    () => api.admin.companies.changeSuspension(id, { suspended: !suspended, reason: reason.trim() }),
    {
      refreshes: ['companies', 'audit-log'],
      onDone: () => {
        toast(suspended ? 'Suspension lifted.' : 'Company suspended.')
        close()
      },
    },
  )
  const action = suspended ? 'Lift suspension' : 'Suspend company'
  return (
    <FormDialog
      title={suspended ? `Lift the suspension of ${name}?` : `Suspend ${name}?`}
      action={action}
      isReady={reason.trim() !== '' && (suspended || typed.trim() === name)}
      isBusy={change.isBusy}
      isDestructive={!suspended}
      error={change.error}
      submit={() => void change.run()}
      close={close}
    >
      <p>
        {suspended
          ? 'The company can make changes again at once.'
          : 'At once and in both environments, the company can only read data and freeze or close cards. What is in progress is finished.'}
      </p>
      <LiveMoney company={company} />
      <TextAreaField
        param="reason"
        label="Reason"
        description="Recorded in the audit log under your name."
        required
        rows={2}
        maxLength={2000}
        value={reason}
        data-autofocus
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {suspended ? null : (
        <TextInput
          label={`Type ${name} to confirm`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}
