// Asks before the page is left while a file is being sent, because leaving stops the sending. It sends and stops nothing itself.
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { FormDialog } from '~/ui/form-dialog.tsx'

const always = () => true

export function LeaveGuard({ isSending }: { isSending: boolean }) {
  // The browser asks too, before the tab is closed.
  const { status, proceed, reset } = useBlocker({ shouldBlockFn: always, disabled: !isSending, withResolver: true })
  // Once everything is sent there is nothing to ask, and the person sees what became of the file.
  useEffect(() => {
    if (!isSending) reset?.()
  }, [isSending, reset])
  if (status !== 'blocked' || !isSending) return null
  return (
    <FormDialog
      title="Stop sending?"
      action="Stop and leave"
      isBusy={false}
      isDestructive
      error={undefined}
      submit={proceed}
      close={reset}
    >
      <p>
        Leaving this page stops the sending. Rows that were sent are carried out. To send the rest later, choose the
        same file again: no row is carried out twice.
      </p>
    </FormDialog>
  )
}
