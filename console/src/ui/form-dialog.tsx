// A form in a dialog: its fields, what was refused, and the buttons. It stays open until the server has accepted the form.
import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { Form } from './form.tsx'
import { Refused } from './refusal.tsx'
import styles from './form.module.css'

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** The text of the button: the verb and the object. */
  readonly action: string
  readonly isReady?: boolean
  readonly isBusy: boolean
  readonly isDestructive?: boolean
  readonly error: unknown
  submit(): void
  close(): void
}

export function FormDialog(props: Props) {
  const { title, children, action, isReady = true, isBusy, isDestructive = false, error, submit, close } = props
  return (
    <Modal opened onClose={close} title={title} size="lg" closeButtonProps={{ 'aria-label': 'Close this dialog' }}>
      <Form error={error} isReady={isReady} submit={submit} className={styles.fields}>
        {children}
        <Refused />
        <div className={styles.buttons}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady} loading={isBusy} {...(isDestructive ? { color: 'red.8' } : {})}>
            {action}
          </Button>
        </div>
      </Form>
    </Modal>
  )
}
