// A value as JSON, for whoever wants to see exactly what was sent or answered.
import { CopyButton } from './copy.tsx'
import styles from './form.module.css'

/** `value` is JSON, or a text that is shown as it is. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <div className={styles.jsonBox}>
      <pre className={styles.json} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton value={text} label={`Copy: ${label}`} />
    </div>
  )
}

/** The same, closed until somebody opens it. */
export function FoldedJson({ value, label }: { value: unknown; label: string }) {
  return (
    <details className={styles.details}>
      <summary>{label}</summary>
      <Json value={value} label={label} />
    </details>
  )
}
