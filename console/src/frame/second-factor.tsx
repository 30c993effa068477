// Asks for the second factor before a change that needs it, and then lets the change go on.
import { Button, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../api/client.ts'
import { answer } from '../api/session-gate.ts'
import { CodeField } from '../pages/sign-in/code-field.tsx'
import { Problem } from '../ui/notice.tsx'
import styles from './overlays.module.css'

export default function SecondFactor() {
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
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
        <Problem error={error} />
        <Button type="submit" loading={isBusy}>
          Confirm
        </Button>
      </form>
    </Modal>
  )
}
