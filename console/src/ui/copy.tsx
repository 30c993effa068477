// Copying: a value with a button beside it. The button says when it is done, to the eye and to a screen reader.
import { ActionIcon } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'
import styles from './copy.module.css'

const SHOWN_MS = 1_500

export function CopyButton({ value, label }: { value: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const text = isCopied ? 'Copied' : label
  return (
    <Tooltip label={text}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={text}
        onClick={(event) => {
          event.stopPropagation()
          void copyText(value).then(() => setCopied(true))
        }}
      >
        <Icon name={isCopied ? 'check' : 'copy'} size={14} />
      </ActionIcon>
    </Tooltip>
  )
}

/** An id: in full for copying, in a type in which every character can be recognised. */
export function CopyId({ value }: { value: string }) {
  return (
    <span className={styles.id}>
      <code className={styles.code}>{value}</code>
      <CopyButton value={value} label="Copy id" />
    </span>
  )
}

/** Puts a text on the clipboard. */
export async function copyText(value: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(value)
  // Browsers offer the clipboard only over TLS. The older way works everywhere.
  const area = document.createElement('textarea')
  area.value = value
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
