// Boxes that say something: an explanation, an empty list, a refusal with the id of its request.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { describeError } from '~/api/errors.ts'
import { CopyButton } from './copy.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-shapes.ts'
import type { Tone } from './statuses.ts'
import styles from './notice.module.css'

export function Notice({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  const isProblem = tone === 'red' || tone === 'amber'
  return (
    <div className={styles.notice} data-tone={tone}>
      <Icon name={isProblem ? 'alert' : tone === 'green' ? 'check' : 'help'} />
      <div className={styles.words}>
        {title === undefined ? null : <p className={styles.title}>{title}</p>}
        {children}
      </div>
    </div>
  )
}

/** Why something was refused, what to do, and the id that finds the request in the logs. `message`: only this part of it. */
export function Problem({ error, message, retry }: { error: unknown; message?: string; retry?: () => void }) {
  if (error === undefined || error === null) return null
  return (
    <div role="alert">
      <Notice tone="red">
        <p>{message ?? describeError(error).message}</p>
        <RequestId error={error} />
        {retry === undefined ? null : (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Notice>
    </div>
  )
}

export function RequestId({ error }: { error: unknown }) {
  const { requestId } = describeError(error)
  return requestId === undefined ? null : (
    <p className={styles.request}>
      Request <code>{requestId}</code> <CopyButton value={requestId} label="Copy request id" />
    </p>
  )
}

/** Below a table that shows only a part of its objects. */
export function OnlyNewest({ count }: { count: number }) {
  return (
    <p className={styles.onlyNewest}>
      Only the newest {count.toLocaleString('en')} are shown. Download the CSV file to see all of them.
    </p>
  )
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  /** The next step, usually a button. */
  readonly action?: ReactNode
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>
        <Icon name={icon} size={24} />
      </span>
      <p className={styles.emptyTitle}>{title}</p>
      {children === undefined ? null : <div className={styles.emptyText}>{children}</div>}
      {action}
    </div>
  )
}
