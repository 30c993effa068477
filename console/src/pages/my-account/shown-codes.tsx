// Recovery codes, which the server shows once: to copy, to keep as a file, or to write down.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { saveFile } from '~/lib/save-file.ts'
import { copyText } from '~/ui/copy.tsx'
import { Notice } from '~/ui/notice.tsx'
import form from '~/ui/form.module.css'
import styles from './my-account.module.css'

export function ShownCodes({ codes, close }: { codes: readonly string[]; close(): void }) {
  const [isCopied, setCopied] = useState(false)
  const text = `${codes.join('\n')}\n`
  return (
    <Modal
      opened
      onClose={close}
      title="Your recovery codes"
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={form.fields}>
        <Notice tone="amber" title="Save them now">
          <p>
            They are not shown again. If you lose your app or passkey, sign in with one of them instead. Each works
            once.
          </p>
        </Notice>
        <ul className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className={form.buttons}>
          <Button variant="default" onClick={() => void copyText(text).then(() => setCopied(true))}>
            {isCopied ? 'Copied' : 'Copy codes'}
          </Button>
          <Button
            variant="default"
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'cardstock-recovery-codes.txt')}
          >
            Download codes
          </Button>
          <Button onClick={close} data-autofocus>
            Done
          </Button>
        </div>
      </div>
    </Modal>
  )
}
