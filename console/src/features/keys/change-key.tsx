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
  { value: '86400', label: 'After 24 hours' },
  { value: '3600', label: 'After an hour' },
  { value: '604800', label: 'After seven days' },
  { value: '0', label: 'Immediately' },
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
        The new key has the same permissions, IP addresses and lifetime. Replace the old key with it before the old one
        stops working.
      </p>
      <SelectField
        param="overlapSeconds"
        label="The old key stops working"
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
      of={apiKey.environment}
      isBusy={revoke.isBusy}
      error={revoke.error}
      confirm={() => void revoke.run()}
      close={close}
    >
      Requests with this key are refused within a second. This cannot be undone. If something still uses the key, rotate
      it instead.
    </Confirm>
  )
}
