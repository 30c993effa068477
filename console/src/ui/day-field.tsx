// A day, shown as everywhere else in the console. It can be typed, or picked in the browser's calendar.
import { ActionIcon, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { formatDay, readDay } from '~/lib/day.ts'
import { Icon } from './icon.tsx'
import styles from './day-field.module.css'

interface Props {
  readonly label: string
  readonly description?: string
  /** As the API writes it, such as `2026-11-15`; empty for none. */
  readonly value: string
  /** What is wrong with the day although it is one, such as that it is before another. */
  readonly error?: string | undefined
  /** Whether a dialog begins with this field. */
  readonly isFirst?: boolean
  onChange(value: string): void
}

export function DayField({ label, description, value, error, isFirst = false, onChange }: Props) {
  const [typed, setTyped] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const type = (text: string) => {
    setTyped(text)
    const day = text.trim() === '' ? '' : readDay(text)
    if (day !== undefined && day !== value) onChange(day)
  }
  const isWrong = typed !== undefined && typed.trim() !== '' && readDay(typed) === undefined
  return (
    <TextInput
      label={label}
      description={description}
      placeholder="e.g. 15 Nov 2026"
      autoComplete="off"
      value={typed ?? (value === '' ? '' : formatDay(value))}
      error={isWrong ? 'Enter a day such as 15 Nov 2026.' : error}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => (isWrong ? undefined : setTyped(undefined))}
      rightSectionWidth={36}
      rightSection={
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Open the calendar"
            onClick={() => picker.current?.showPicker()}
          >
            <Icon name="calendar" size={16} />
          </ActionIcon>
          <input
            ref={picker}
            type="date"
            className={styles.picker}
            tabIndex={-1}
            aria-hidden="true"
            value={value}
            onChange={(event) => {
              setTyped(undefined)
              onChange(event.currentTarget.value)
            }}
          />
        </>
      }
    />
  )
}
