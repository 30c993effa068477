// Asks for the second factor before a change that needs it, and then lets the change go on: a passkey, or a code.
import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '~/api/client.ts'
import { answer } from '~/api/session-dialogs.ts'
import { CodeField } from '~/features/sign-in/code-field.tsx'
import { hasPasskeys, proveWithPasskey } from '~/features/passkeys/device.ts'
import { PasskeyButton } from '~/features/passkeys/passkey-button.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Notice, Problem } from '~/ui/notice.tsx'
import styles from './overlays.module.css'

export default function SecondFactor() {
  const query = useQuery({
    queryKey: ['second factors to prove'],
    queryFn: ({ signal }) => api.account.secondFactors({ signal }),
    staleTime: 0,
  })
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title="Confirm it is you"
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <div className={styles.form}>
        <p>This change needs your second factor, which then counts for ten minutes.</p>
        <Loaded query={query}>
          {({ totp, passkeys, recoveryCodesLeft }) => {
            const byPasskey = passkeys > 0 && hasPasskeys()
            const byCode = totp || recoveryCodesLeft > 0
            return (
              <>
                {byPasskey ? (
                  <PasskeyButton label="Use a passkey" ask={proveWithPasskey} onDone={() => answer(true)} />
                ) : null}
                {byCode ? <CodeForm /> : null}
                {byPasskey || byCode ? null : <Elsewhere />}
              </>
            )
          }}
        </Loaded>
      </div>
    </Modal>
  )
}

function CodeForm() {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    void api.session
      .verifySecondFactor({ code: code.trim() })
      .then(
        () => answer(true),
        (refusal: unknown) => setError(refusal),
      )
      .finally(() => setBusy(false))
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <CodeField value={code} onChange={setCode} />
      <Problem error={error} />
      <Button type="submit" loading={isBusy}>
        Confirm
      </Button>
    </form>
  )
}

function Elsewhere() {
  return (
    <Notice tone="amber">
      <p>Your passkeys do not work at this address. Open the console at the address where you registered them.</p>
    </Notice>
  )
}
