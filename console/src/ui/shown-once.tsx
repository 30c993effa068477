// A secret that the server shows once: a key, a token, a signing secret, a link. It cannot be closed by accident.
import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from './copy.tsx'
import { Notice } from './notice.tsx'
import styles from './form.module.css'

interface Props {
  readonly title: string
  readonly secret: string
  /** Where it belongs, and what to do next. */
  readonly children: ReactNode
  close(): void
}

export function ShownOnce({ title, secret, children, close }: Props) {
  return (
    <Modal opened onClose={close} title={title} size="lg" closeOnClickOutside={false} withCloseButton={false}>
      <div className={styles.fields}>
        <Notice tone="amber" title="Copy it now">
          <p>It will not be shown again. If you lose it, create another one.</p>
        </Notice>
        <div className={styles.secret}>
          <code>{secret}</code>
          <CopyButton value={secret} label="Copy" />
        </div>
        <div>{children}</div>
        <div className={styles.buttons}>
          <Button onClick={close} data-autofocus>
            Done
          </Button>
        </div>
      </div>
    </Modal>
  )
}
