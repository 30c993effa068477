// Asks for the second factor before a change that needs it, and then lets the change go on.
import { Button, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../api/client.ts'
import { answer } from '../api/session-gate.ts'
import { CodeField } from '../pages/sign-in/code-field.tsx'
import { usePasskey } from '../pages/sign-in/use-passkey.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/notice.tsx'
import styles from './overlays.module.css'

export default function SecondFactor() {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const passkey = usePasskey(async (authenticate) => {
    const { options } = await api.session.secondFactorOptions()
    await api.session.verifySecondFactor({ response: await authenticate(options) })
    answer(true)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    void api.session
      .verifySecondFactor({ code: code.trim() })
      .then(
        () => answer(true),
        (refusal: unknown) => setError(refusal),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title="Confirm that it is you"
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <form className={styles.form} onSubmit={submit}>
        <p>This change needs your second factor. It holds for ten minutes.</p>
        <CodeField value={code} onChange={setCode} />
        <Problem error={error ?? passkey.error} />
        <Button type="submit" loading={isBusy}>
          Confirm
        </Button>
        {passkey.isSupported ? (
          <Button
            variant="default"
            loading={passkey.isBusy}
            leftSection={<Icon name="key" size={16} />}
            onClick={passkey.run}
          >
            Use a passkey
          </Button>
        ) : null}
      </form>
    </Modal>
  )
}
