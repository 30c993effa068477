// A button that asks the device for a passkey, and shows what was refused. It is hidden where the browser allows no passkeys.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '~/ui/icon.tsx'
import { Problem } from '~/ui/notice.tsx'
import { hasPasskeys } from './device.ts'

interface Props<Result> {
  readonly label: string
  ask(): Promise<Result>
  onDone(result: Result): void
}

export function PasskeyButton<Result>({ label, ask, onDone }: Props<Result>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  if (!hasPasskeys()) return null
  const run = () => {
    setBusy(true)
    setError(undefined)
    ask()
      .then(onDone, (refusal: unknown) => setError(refusal))
      .finally(() => setBusy(false))
  }
  return (
    <>
      <Problem error={error} />
      <Button variant="default" fullWidth loading={isBusy} leftSection={<Icon name="key" size={16} />} onClick={run}>
        {label}
      </Button>
    </>
  )
}
