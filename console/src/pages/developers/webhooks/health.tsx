// How well deliveries to an endpoint go: a badge, and a row with a mark for each of the last attempts.
import type { WebhookAttempt, WebhookEndpoint } from '@cardstock/sdk'
import { Badge } from '~/ui/status.tsx'
import { formatTime } from '~/ui/time.tsx'
import { describeAttempt } from '~/pages/developers/attempt-words.ts'
import styles from './webhooks.module.css'

export function HealthBadge({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (endpoint.status === 'disabled')
    return (
      <Badge tone="grey" shape="square">
        Disabled
      </Badge>
    )
  if (endpoint.health.failingSince !== null)
    return (
      <Badge tone="red" shape="cross">
        Failing
      </Badge>
    )
  return endpoint.health.lastSuccessAt === null ? (
    <Badge tone="grey" shape="ring">
      Nothing sent yet
    </Badge>
  ) : (
    <Badge tone="green" shape="check">
      Working
    </Badge>
  )
}

/** Oldest on the left, as time goes. */
export function AttemptMarks({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  const delivered = attempts.filter(({ succeeded }) => succeeded).length
  return (
    <div className={styles.health}>
      <p className={styles.summary}>
        {delivered} of the last {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'} delivered
      </p>
      <ol className={styles.marks} aria-label="Latest attempts, oldest first">
        {attempts.toReversed().map((attempt) => {
          const words = `${formatTime(attempt.createdAt, 'long')}: ${describeAttempt(attempt)}`
          return (
            <li key={attempt.id} className={styles.mark} data-succeeded={attempt.succeeded} title={words}>
              <span className="only-for-readers">{words}</span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
