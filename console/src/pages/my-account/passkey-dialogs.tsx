// The dialogs that add, rename and remove a passkey.
import type { Passkey } from '@cardstock/sdk/console'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { describeBrowser } from '~/lib/browser-name.ts'
import { addPasskey } from '~/features/passkeys/device.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { toast } from '~/ui/toast.ts'
import { useAccountAction } from './account-action.ts'
import { usePasswordAgain } from './password-again.tsx'

const NAME_LENGTH_MAX = 100

export function AddPasskey({ close }: { close(): void }) {
  const again = usePasswordAgain('To make sure that nobody else can add a passkey to your account.')
  const [name, setName] = useState(() => describeBrowser(navigator.userAgent))
  const add = useAccountAction(
    () => addPasskey(name.trim(), again.proof),
    () => {
      toast('Passkey added.')
      close()
    },
  )
  return (
    <FormDialog
      title="Add passkey"
      action="Add passkey"
      isReady={name.trim() !== '' && again.isReady}
      isBusy={add.isBusy}
      error={add.error}
      submit={() => void add.run()}
      close={close}
    >
      <p>Your browser asks where to save it: on this device, on your phone or on a security key.</p>
      <NameField value={name} onChange={setName} />
      {again.field}
    </FormDialog>
  )
}

function NameField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      param="name"
      label="Name"
      description="To recognise it later."
      autoComplete="off"
      required
      maxLength={NAME_LENGTH_MAX}
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface Props {
  readonly passkey: Passkey
  close(): void
}

export function RenamePasskey({ passkey, close }: Props) {
  const [name, setName] = useState(passkey.name)
  const rename = useAccountAction(() => api.account.renamePasskey(passkey.id, { name: name.trim() }), close)
  return (
    <FormDialog
      title={`Rename ${passkey.name}`}
      action="Rename passkey"
      isReady={name.trim() !== ''}
      isBusy={rename.isBusy}
      error={rename.error}
      submit={() => void rename.run()}
      close={close}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  )
}

export function RemovePasskey({ passkey, close }: Props) {
  const remove = useAccountAction(
    () => api.account.removePasskey(passkey.id),
    () => {
      toast('Passkey removed.')
      close()
    },
  )
  return (
    <Confirm
      title={`Remove ${passkey.name}?`}
      action="Remove passkey"
      typed={passkey.name}
      isBusy={remove.isBusy}
      error={remove.error}
      confirm={() => void remove.run()}
      close={close}
    >
      It stops working at once. Sessions that it started go on: if you have lost the device, end those that you do not
      recognise. Your device may still offer the passkey, so remove it there too.
    </Confirm>
  )
}
