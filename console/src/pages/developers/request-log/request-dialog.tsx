// One request: what was sent, what was answered, and code that sends it again.
import { Modal } from '@mantine/core'
import type { RequestLog } from '@cardstock/sdk'
import { CopyId } from '~/ui/copy.tsx'
import { FoldedJson, Json } from '~/ui/json.tsx'
import { Facts } from '~/ui/page.tsx'
import { Time } from '~/ui/time.tsx'
import { type Effect, effectOf, HIDDEN, listHidden, toCurl, toSdk } from './samples.ts'
import form from '~/ui/form.module.css'
import styles from './request-log.module.css'

export function RequestDialog({ log, close }: { log: RequestLog; close: () => void }) {
  const sdk = toSdk(log, window.location.origin)
  const hidden = listHidden(log)
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={`${log.method} ${log.path}${log.query ?? ''}`}
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <div className={form.fields}>
        <Facts
          facts={[
            ['Status', log.errorCode === null ? String(log.status) : `${log.status} ${log.errorCode}`],
            ['Time', <Time key="at" value={log.createdAt} precision="long" />],
            ['Duration', `${log.durationMs.toLocaleString('en')} ms`],
            ['Request id', <CopyId key="request" value={log.requestId} />],
            ['Key', <CopyId key="key" value={log.keyId} />],
            ['IP address', log.address],
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
            <p className="muted">The body was not stored: lists and long answers are left out.</p>
          ) : (
            <Json label="Answer" value={log.responseBody} />
          )}
        </div>
        {hidden.length === 0 ? null : (
          <p className="muted">
            Names, addresses and other personal values are not stored in the log. The code below stops until you replace
            every {HIDDEN}, because it would be a different request. To fill in: {hidden.join(', ')}.
            {log.query?.includes(HIDDEN) === true ? ' In the query of the command, values are percent-encoded.' : ''}
          </p>
        )}
        <div className={styles.part}>
          <h3>Repeat the request</h3>
          <p className="muted">{EFFECTS[effectOf(log)]} The command is for sh, bash and zsh.</p>
          <FoldedJson label="curl command" value={toCurl(log, window.location.origin)} />
          {sdk === undefined ? null : <FoldedJson label="SDK code" value={sdk} />}
        </div>
      </div>
    </Modal>
  )
}

/** What running the code does, which must be known before it is copied. */
const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: 'Read-only.',
  same: 'The code uses the Idempotency-Key of this request. If the request was carried out, you get the same answer and nothing is created. With a different body it is refused. Use a new key only to create another object.',
  ask: 'The log does not have the Idempotency-Key of this request, so the code stops until you set IDEMPOTENCY_KEY: use the key of this request to get its answer again, or a new key to create another object.',
  repeats: 'Running this code makes the change again: the call takes no Idempotency-Key.',
}
