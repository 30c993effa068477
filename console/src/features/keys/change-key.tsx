// Replaces a key, or ends it.
import type { ApiKey, CreatedApiKey } from '@cardstock/sdk'
import { useState } from 'react'
import { useAction } from '~/api/use-action.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { SelectField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { toast } from '~/ui/toast.ts'
import type { KeySource } from './source.ts'

interface Props {
  readonly source: KeySource
  readonly apiKey: ApiKey
  close(): void
}

/** For how long the old key still works, in seconds. */
const OVERLAPS = [
  { value: '86400', label: 'For 24 hours' },
  { value: '3600', label: 'For an hour' },
  { value: '604800', label: 'For seven days' },
  { value: '0', label: 'No longer: it stops now' },
]

export function RotateKey({ source, apiKey, onCreated, close }: Props & { onCreated(key: CreatedApiKey): void }) {
  const [overlap, setOverlap] = useState('86400')
  const rotate = useAction(() => source.rotate(apiKey.id, { overlapSeconds: Number(overlap) }), {
    refreshes: ['keys'],
    onDone: onCreated,
  })
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      action="Rotate key"
      isBusy={rotate.isBusy}
      error={rotate.error}
      submit={() => void rotate.run()}
      close={close}
    >
      <p>
        You get a new key with the same scopes, expiry and addresses. Put it where the old one is, before the old one
        ends.
      </p>
      <SelectField
        param="overlapSeconds"
        label="The old key still works"
        data={OVERLAPS}
        value={overlap}
        data-autofocus
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

export function RevokeKey({ source, apiKey, close }: Props) {
  const revoke = useAction(() => source.revoke(apiKey.id), {
    refreshes: ['keys'],
    onDone: () => {
      toast('Key revoked.')
      close()
    },
  })
  return (
    <Confirm
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke key"
      typed={apiKey.name}
      isBusy={revoke.isBusy}
      error={revoke.error}
      confirm={() => void revoke.run()}
      close={close}
    >
      Every request with this key is refused from now on. This cannot be undone. Rotate it instead if something still
      uses it.
    </Confirm>
  )
}
