// One request: what was sent, what was answered, and code that sends it again.
import { Modal } from '@mantine/core'
import type { RequestLog } from '@cardstock/sdk'
import { useState } from 'react'
import { newKey } from '../../../lib/random-key.ts'
import { CopyId } from '../../../ui/copy.tsx'
import { FoldedJson, Json } from '../../../ui/json.tsx'
import { Facts } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { hasHidden, HIDDEN, toCurl, toSdk } from './samples.ts'
import form from '../../../ui/form.module.css'
import styles from './request-log.module.css'

export function RequestDialog({ log, close }: { log: RequestLog; close: () => void }) {
  const [key] = useState(newKey)
  const sdk = toSdk(log, window.location.origin)
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={`${log.method} ${log.path}`}
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <div className={form.fields}>
        <Facts
          facts={[
            ['Status', log.errorCode === null ? String(log.status) : `${log.status} ${log.errorCode}`],
            ['At', <Time key="at" value={log.createdAt} precision="long" />],
            ['Took', `${log.durationMs} ms`],
            ['Request id', <CopyId key="request" value={log.requestId} />],
            ['Key', <CopyId key="key" value={log.keyId} />],
            ['Address', log.address],
          ]}
        />
        <div className={styles.part}>
          <h3>Request</h3>
          {log.requestBody === null ? (
            <p className="muted">No body.</p>
          ) : (
            <Json label="Request" value={log.requestBody} />
          )}
        </div>
        <div className={styles.part}>
          <h3>Answer</h3>
          {log.responseBody === null ? (
            <p className="muted">The body was not kept: lists and long answers are left out.</p>
          ) : (
            <Json label="Answer" value={log.responseBody} />
          )}
        </div>
        {hasHidden(log) ? (
          <p className="muted">
            Names, addresses and other personal values are not kept in the log. Replace every {HIDDEN} before you run
            it.
          </p>
        ) : null}
        <FoldedJson label="As curl" value={toCurl(log, window.location.origin, key)} />
        {sdk === undefined ? null : <FoldedJson label="With the SDK" value={sdk} />}
      </div>
    </Modal>
  )
}
