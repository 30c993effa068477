// The amount of an order, the first and largest thing on its page.
import { TextInput } from '@mantine/core'
import styles from './amount-field.module.css'

/** What the API takes; what is not of this form yet is still being typed. */
const AMOUNT = /^\d{1,13}(\.\d{1,2})?$/

export function isAmount(text: string): boolean {
  return AMOUNT.test(text)
}

interface Props {
  readonly value: string
  readonly limits: string | undefined
  onChange(value: string): void
}

export function AmountField({ value, limits, onChange }: Props) {
  const isWrong = value !== '' && !isAmount(value)
  return (
    <TextInput
      label="Amount"
      description={limits}
      classNames={{ input: styles.amount ?? '' }}
      rightSection={<span className="muted">USD</span>}
      rightSectionWidth={64}
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.00"
      required
      value={value}
      error={isWrong ? 'Write an amount such as 25 or 25.00.' : undefined}
      onChange={(event) => onChange(event.currentTarget.value.trim().replace(',', '.'))}
    />
  )
}
