// A day, shown as everywhere else in the console. It can be typed, or picked in the browser's calendar.
import { ActionIcon, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { formatDay, readDay } from '~/lib/day.ts'
import { Icon } from './icon.tsx'
import { useRefused } from './refusal.tsx'
import styles from './day-field.module.css'

interface Props {
  /** The name of the field in the API. */
  readonly param: string
  readonly label: string
  readonly description?: string
  /** As the API writes it, such as `2026-11-15`; empty for none. */
  readonly value: string
  /** What is wrong with the day although it is one, such as that it is before another. */
  readonly error?: string | undefined
  /** Whether a dialog begins with this field. */
  readonly isFirst?: boolean
  /** Called with the day as the API writes it, or with the text that is no day yet. */
  onChange(value: string): void
}

export function DayField({ param, label, description, value, error, isFirst = false, onChange }: Props) {
  const [typed, setTyped] = useState<string>()
  const refused = useRefused(param, { label, error, onChange })
  const picker = useRef<HTMLInputElement>(null)
  const type = (text: string) => {
    setTyped(text)
    const day = readDay(text) ?? text.trim()
    if (day !== value) refused.onChange(day)
  }
  const shown = typed ?? (value === '' ? '' : formatDay(value))
  const isWrong = shown.trim() !== '' && readDay(shown) === undefined
  return (
    <TextInput
      label={label}
      description={description}
      placeholder="e.g. 15 Nov 2026"
      autoComplete="off"
      value={shown}
      error={isWrong ? 'Enter a day such as 15 Nov 2026.' : refused.error}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => (isWrong ? undefined : setTyped(undefined))}
      rightSectionWidth={36}
      rightSection={
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Open calendar"
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
              refused.onChange(event.currentTarget.value)
            }}
          />
        </>
      }
    />
  )
}
