// Erases the personal data of a holder, for roles that may. It asks first, because it cannot be undone.
import { Button } from '@mantine/core'
import type { Holder } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { toast } from '~/ui/toast.ts'

export function EraseHolder({ holder }: { holder: Holder }) {
  const { client, may } = useWorkplace()
  const [isAsking, setAsking] = useState(false)
  const erase = useAction(() => client.holders.erase(holder.id), {
    refreshes: ['holders', 'cards', 'operations'],
    onDone: () => {
      toast('Data erased.')
      setAsking(false)
    },
  })
  if (holder.erasure !== undefined || !may('holders:write')) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Erase data
      </Button>
      {isAsking ? (
        <Confirm
          title={`Erase the personal data of ${holder.name}?`}
          action="Erase data"
          typed={holder.name}
          isBusy={erase.isBusy}
          error={erase.error}
          confirm={() => void erase.run()}
          close={() => {
            erase.forget()
            setAsking(false)
          }}
        >
          The name and the e-mail address are erased here and in cards, operations, events and logs. Amounts are kept.
          This cannot be undone. Close the holder’s cards first.
        </Confirm>
      ) : null}
    </>
  )
}
