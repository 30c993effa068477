// The fields of a price. What is left empty does not apply. People write rates in per cent; the API has fractions.
import { TextInput } from '@mantine/core'
import type { NewPricing } from '@cardstock/sdk'
import { toFraction } from './percent.ts'
import styles from './catalogue.module.css'

export type PricingText = Partial<Record<keyof NewPricing, string>>

export const FIELDS: readonly { name: keyof NewPricing; label: string; description: string }[] = [
  { name: 'flatFee', label: 'Flat fee in USD', description: 'Charged once, such as 3.00.' },
  { name: 'rate', label: 'Rate in %', description: 'Of the amount, such as 0.2.' },
  { name: 'minimumFee', label: 'Minimum fee in USD', description: 'The fee is never lower.' },
  { name: 'minimumAmount', label: 'Minimum amount in USD', description: 'Smaller orders are refused.' },
  { name: 'maximumAmount', label: 'Maximum amount in USD', description: 'Larger orders are refused.' },
  { name: 'fixedPrice', label: 'Fixed price in USD', description: 'The only amount that can be ordered.' },
]

interface Props {
  readonly legend: string
  readonly value: PricingText
  onChange(value: PricingText): void
}

export function PricingFields({ legend, value, onChange }: Props) {
  return (
    <fieldset className={styles.pricing}>
      <legend>{legend}</legend>
      {FIELDS.map(({ name, label, description }) => (
        <TextInput
          key={name}
          label={label}
          description={description}
          inputMode="decimal"
          value={value[name] ?? ''}
          onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
        />
      ))}
    </fieldset>
  )
}

/** Decimal strings as they were typed: the server parses them and says what is wrong. */
export function toPricing(text: PricingText): NewPricing {
  const filled = Object.entries(text).map(([name, value]) => [name, value.trim()] as const)
  const sent = filled.map(([name, value]) => [name, name === 'rate' ? toFraction(value) : value] as const)
  return Object.fromEntries(sent.filter(([, value]) => value !== ''))
}

export function isFilled(text: PricingText): boolean {
  return Object.keys(toPricing(text)).length > 0
}
