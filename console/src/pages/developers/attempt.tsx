// Attempts to deliver, each with its request and its answer when it is opened.
import { Button } from '@mantine/core'
import type { WebhookAttempt, WebhookEndpoint } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Json } from '~/ui/json.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Problem } from '~/ui/notice.tsx'
import { Badge } from '~/ui/status.tsx'
import { toast } from '~/ui/toast.ts'
import { Time } from '~/ui/time.tsx'
import { describeAttempt } from './attempt-words.ts'
import styles from './attempt.module.css'

interface Props {
  readonly attempt: WebhookAttempt
  /** Undefined when it was deleted since. */
  readonly endpoint: WebhookEndpoint | undefined
}

export function Attempt({ attempt, endpoint }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { succeeded, latencyMs, number, createdAt, nextAttemptAt } = attempt
  return (
    <details className={styles.attempt} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>
          <Badge tone={succeeded ? 'green' : 'red'} shape={succeeded ? 'check' : 'cross'}>
            {describeAttempt(attempt)}
          </Badge>
        </span>
        <Time value={createdAt} precision="long" />
        <span className="muted">Attempt {number}</span>
        <span className={`tabular muted ${styles.latency}`}>{latencyMs} ms</span>
        {nextAttemptAt === null ? null : (
          <span className={`muted ${styles.next}`}>
            Next attempt at <Time value={nextAttemptAt} precision="long" />
          </span>
        )}
      </summary>
      {isOpen ? <Opened attempt={attempt} endpoint={endpoint} /> : null}
    </details>
  )
}

function Opened({ attempt, endpoint }: Props) {
  const { eventId, endpointId, statusCode, error, response } = attempt
  const { client, may } = useWorkplace()
  const event = useData('events', [eventId], (company, options) => company.events.get(eventId, options))
  const resend = useAction(() => client.events.resend(eventId, { endpointId }), {
    refreshes: ['events', 'webhook-endpoints'],
    onDone: () => toast('Event resent.'),
  })
  return (
    <>
      <div className={styles.body}>
        <div>
          <h3>Request</h3>
          <Json label="Request headers" value={headersOf(attempt, endpoint)} />
          <Loaded query={event}>{(sent) => <Json label="Request body" value={sent} />}</Loaded>
        </div>
        <div>
          <h3>Answer</h3>
          <Json
            label="Answer"
            value={statusCode === null ? (error ?? 'No answer.') : `HTTP ${statusCode}\n\n${response || '(empty)'}`}
          />
        </div>
      </div>
      <div className={styles.foot}>
        {may('webhooks:write') && endpoint?.status === 'enabled' ? (
          <Button size="xs" variant="default" loading={resend.isBusy} onClick={() => void resend.run()}>
            Resend event
          </Button>
        ) : null}
        <Go href={paths.event(eventId)}>Open event</Go>
      </div>
      <Problem error={resend.error} />
    </>
  )
}

/** The server does not keep the signature, because nobody needs it afterwards. */
function headersOf({ eventId, createdAt }: WebhookAttempt, endpoint: WebhookEndpoint | undefined): string {
  return [
    `POST ${endpoint?.url ?? '(deleted endpoint)'}`,
    'content-type: application/json',
    `webhook-id: ${eventId}`,
    `webhook-timestamp: ${Math.floor(Date.parse(createdAt) / 1000)}`,
    'webhook-signature: v1,… (not stored)',
  ].join('\n')
}
