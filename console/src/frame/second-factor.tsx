// Asks for the second factor before a change that needs it, and then lets the change go on: a passkey, or a code.
import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { asHarmless } from '~/api/errors.ts'
import { answer } from '~/api/session-dialogs.ts'
import { CodeField } from '~/features/sign-in/code-field.tsx'
import { useSubmit } from '~/features/sign-in/use-submit.ts'
import { hasPasskeys, proveWithPasskey } from '~/features/passkeys/device.ts'
import { PasskeyButton } from '~/features/passkeys/passkey-button.tsx'
import { Form } from '~/ui/form.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Refused } from '~/ui/refusal.tsx'
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
        <p>This change needs your second factor. You will not be asked again for ten minutes.</p>
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
  const { submit, isBusy, error } = useSubmit(async () => {
    await api.session.verifySecondFactor({ code: code.trim() }).catch((refusal: unknown) => {
      throw asHarmless(refusal)
    })
    answer(true)
  })
  return (
    <Form error={error} submit={submit} className={styles.form}>
      <CodeField value={code} onChange={setCode} />
      <Refused />
      <Button type="submit" loading={isBusy}>
        Confirm code
      </Button>
    </Form>
  )
}

function Elsewhere() {
  return (
    <Notice tone="amber">
      <p>Your passkeys do not work at this address. Open the console at the address where you registered them.</p>
    </Notice>
  )
}
