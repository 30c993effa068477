// A value that must be copied to the last character, with a button that says what it copies.
import { Button } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import { copyText } from '~/ui/copy.tsx'
import { Icon } from '~/ui/icon.tsx'
import styles from './fund.module.css'

interface Props {
  readonly label: string
  readonly value: string
  /** What stands behind the value and is not copied. */
  readonly unit?: string
  /** The text of the button. */
  readonly action: string
  readonly hint: string
  readonly isLarge?: boolean
}

const SHOWN_MS = 2_000

export function CopyField({ label, value, unit, action, hint, isLarge = false }: Props) {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <div>
      <p className={styles.copyLabel} id={id}>
        {label}
      </p>
      <div className={styles.copyLine}>
        <output className={styles.copyValue} aria-labelledby={id} data-large={isLarge}>
          {value}
          {unit === undefined ? null : <span className={styles.copyUnit}> {unit}</span>}
        </output>
        <Button
          variant="default"
          leftSection={<Icon name={isCopied ? 'check' : 'copy'} size={16} />}
          onClick={() => void copyText(value).then(() => setCopied(true))}
        >
          {isCopied ? 'Copied' : action}
        </Button>
      </div>
      <p className={styles.copyHint}>{hint}</p>
      <span role="status" className="only-for-readers">
        {isCopied ? `${label} copied` : ''}
      </span>
    </div>
  )
}
