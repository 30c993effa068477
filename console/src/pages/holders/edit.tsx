// Changes the name, the e-mail address and the own id of a holder.
import { Button } from '@mantine/core'
import type { Holder } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { toast } from '~/ui/toast.ts'

const LENGTH_MAX = 255
const EMAIL_LENGTH_MAX = 320
const NEW_NAME = 'The operator must approve a new name before you can issue the next card.'

export function EditHolder({ holder }: { holder: Holder }) {
  const { may } = useWorkplace()
  const [isOpen, setOpen] = useState(false)
  if (!may('holders:write') || holder.erasure !== undefined) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Edit holder
      </Button>
      {isOpen ? <EditForm holder={holder} close={() => setOpen(false)} /> : null}
    </>
  )
}

function EditForm({ holder, close }: { holder: Holder; close: () => void }) {
  const { client, environment } = useWorkplace()
  const [name, setName] = useState(holder.name)
  const [email, setEmail] = useState(holder.email)
  const [externalId, setExternalId] = useState(holder.externalId ?? '')
  const change = {
    name: name.trim(),
    email: email.trim(),
    externalId: externalId.trim() === '' ? null : externalId.trim(),
  }
  const save = useAction(() => client.holders.update(holder.id, change), {
    refreshes: ['holders', 'cards', 'operations', 'transactions'],
    onDone: () => {
      toast('Holder saved.')
      close()
    },
  })
  const field = (value: string, set: (text: string) => void) => ({
    value,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  })
  return (
    <FormDialog
      title={`Edit ${holder.name}`}
      action="Save holder"
      isReady={change.name !== '' && change.email !== ''}
      isBusy={save.isBusy}
      error={save.error}
      submit={() => void save.run()}
      close={close}
    >
      <TextField
        param="name"
        label="Name"
        description={environment === 'live' ? NEW_NAME : undefined}
        required
        maxLength={LENGTH_MAX}
        {...field(name, setName)}
      />
      <TextField
        param="email"
        label="E-mail"
        type="email"
        required
        maxLength={EMAIL_LENGTH_MAX}
        {...field(email, setEmail)}
      />
      <TextField
        param="externalId"
        label="Your id"
        description="Optional."
        maxLength={LENGTH_MAX}
        {...field(externalId, setExternalId)}
      />
    </FormDialog>
  )
}
