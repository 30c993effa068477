// What happened to an object, from the first to the last step. New steps are announced to a screen reader.
import type { ReactNode } from 'react'
import { Mark } from './status.tsx'
import type { Shape, Tone } from './statuses.ts'
import { Time } from './time.tsx'
import styles from './timeline.module.css'

export interface Step {
  readonly title: string
  readonly tone: Tone
  readonly shape: Shape
  /** Left out for a step that has not happened yet. */
  readonly at?: string | undefined
  readonly detail?: ReactNode
}

export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles.timeline} aria-live="polite">
      {steps.map(({ title, tone, shape, at, detail }) => (
        <li key={`${title} ${at ?? ''}`} className={styles.step} data-open={at === undefined}>
          <span className={styles.mark} data-tone={tone}>
            <Mark shape={shape} />
          </span>
          <div className={styles.words}>
            <p className={styles.title}>{title}</p>
            {at === undefined ? null : (
              <p className={styles.time}>
                <Time value={at} precision="long" />
              </p>
            )}
            {detail === undefined ? null : <div className={styles.detail}>{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
