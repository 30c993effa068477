// The fields of a price. What is left empty does not apply. People write rates in per cent; the API has fractions.
import type { NewPricing } from '@cardstock/sdk'
import { type TypedFormat, USD } from '~/lib/amount.ts'
import { useTypedAmount } from '~/lib/use-typed-amount.ts'
import { TextField } from '~/ui/fields.tsx'
import { PERCENT, toFraction } from './percent.ts'
import styles from './catalogue.module.css'

export type PricingText = Partial<Record<keyof NewPricing, string>>

interface PriceField {
  readonly name: keyof NewPricing
  readonly label: string
  readonly description: string
}

export const FIELDS: readonly PriceField[] = [
  { name: 'flatFee', label: 'Flat fee in USD', description: 'Charged for each operation, such as 3.00.' },
  { name: 'rate', label: 'Rate in %', description: 'Percentage of the amount, such as 0.2.' },
  { name: 'minimumFee', label: 'Minimum fee in USD', description: 'The fee is never lower than this.' },
  { name: 'minimumAmount', label: 'Minimum amount in USD', description: 'Smaller orders are refused.' },
  { name: 'maximumAmount', label: 'Maximum amount in USD', description: 'Larger orders are refused.' },
  { name: 'fixedPrice', label: 'Fixed price in USD', description: 'The only amount that can be ordered.' },
]

const formatOf = (name: string): TypedFormat => (name === 'rate' ? PERCENT : USD)

interface Props {
  /** The name of the price in the API. */
  readonly param: string
  readonly legend: string
  readonly value: PricingText
  onChange(value: PricingText): void
}

export function PricingFields({ param, legend, value, onChange }: Props) {
  return (
    <fieldset className={styles.pricing}>
      <legend>{legend}</legend>
      {FIELDS.map((field) => (
        <PricingField
          key={field.name}
          param={`${param}.${field.name}`}
          field={field}
          value={value[field.name] ?? ''}
          onChange={(text) => onChange({ ...value, [field.name]: text })}
        />
      ))}
    </fieldset>
  )
}

interface FieldProps {
  readonly param: string
  readonly field: PriceField
  readonly value: string
  onChange(value: string): void
}

function PricingField({ param, field: { name, label, description }, value, onChange }: FieldProps) {
  const typed = useTypedAmount(value, onChange, formatOf(name))
  return (
    <TextField
      param={param}
      label={label}
      description={description}
      inputMode="decimal"
      autoComplete="off"
      {...typed}
    />
  )
}

export function toPricing(text: PricingText): NewPricing {
  const filled = Object.entries(text).map(([name, value]) => [name, value.trim()] as const)
  const sent = filled.map(([name, value]) => [name, name === 'rate' ? toFraction(value) : value] as const)
  return Object.fromEntries(sent.filter(([, value]) => value !== ''))
}

/** Whether there is a price, and every field of it can be read. */
export function isFilled(text: PricingText): boolean {
  const isRead = Object.entries(text).every(([name, value]) => formatOf(name).findProblem(value) === undefined)
  return isRead && Object.keys(toPricing(text)).length > 0
}
