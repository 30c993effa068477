// Asks before something that cannot be undone. In live the person must type the name of the object.
import { Button, Modal, TextInput } from '@mantine/core'
import type { Environment } from '@cardstock/sdk'
import { type ReactNode, useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { Form } from './form.tsx'
import { Refused } from './refusal.tsx'
import styles from './confirm.module.css'

interface Props {
  readonly title: string
  /** What will happen. */
  readonly children: ReactNode
  /** The text of the button: the verb and the object. */
  readonly action: string
  /** What must be typed in live, such as the last four digits. */
  readonly typed: string
  /** The environment of the object, where it need not be that of the page: an operator's pages show both. */
  readonly of?: Environment
  readonly isBusy: boolean
  readonly error: unknown
  confirm(): void
  close(): void
}

export function Confirm({ title, children, action, typed, of, isBusy, error, confirm, close }: Props) {
  const { environment } = useWorkplace()
  const [text, setText] = useState('')
  const mustType = (of ?? environment) === 'live'
  const isReady = !mustType || text.trim() === typed
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close this dialog' }}>
      <Form error={error} isReady={isReady} submit={confirm} className={styles.form}>
        <div>{children}</div>
        {mustType ? (
          <TextInput
            label={`Type ${typed} to confirm`}
            description="This is live: real money is involved."
            value={text}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setText(event.currentTarget.value)}
          />
        ) : null}
        <Refused />
        <div className={styles.buttons}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red.8" disabled={!isReady} loading={isBusy}>
            {action}
          </Button>
        </div>
      </Form>
    </Modal>
  )
}
