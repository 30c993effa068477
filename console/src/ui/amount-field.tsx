// The amount of an order, the first and largest thing on its page.
import { useTypedAmount } from '~/lib/use-typed-amount.ts'
import { TextField } from './fields.tsx'
import styles from './amount-field.module.css'

interface Props {
  readonly value: string
  readonly limits: string | undefined
  onChange(value: string): void
}

export function AmountField({ value, limits, onChange }: Props) {
  const typed = useTypedAmount(value, onChange)
  return (
    <TextField
      param="amount"
      label="Amount"
      description={limits}
      classNames={{ input: styles.amount ?? '' }}
      rightSection={<span className="muted">USD</span>}
      rightSectionWidth={64}
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.00"
      required
      {...typed}
    />
  )
}
