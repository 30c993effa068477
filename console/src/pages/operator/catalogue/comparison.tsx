// A price before and after a change: every field that differs, and the fee on an example.
import { formatMoney } from '~/ui/money.tsx'
import { Facts } from '~/ui/page.tsx'
import { EXAMPLE_AMOUNT, feeOnExample } from './percent.ts'
import { FIELDS, type PricingText } from './pricing-fields.tsx'

export function Comparison({ before, after }: { before: PricingText; after: PricingText }) {
  const fee = (pricing: PricingText) => {
    const figure = feeOnExample(pricing)
    return figure === undefined ? '–' : `${formatMoney(figure)} USD`
  }
  const changed = FIELDS.filter(({ name }) => shown(before[name]) !== shown(after[name]))
  return (
    <Facts
      facts={[
        ...changed.map(({ name, label }) => [label, `${shown(before[name])} → ${shown(after[name])}`] as const),
        [`Fee on ${formatMoney(EXAMPLE_AMOUNT)} USD`, `${fee(before)} → ${fee(after)}`],
      ]}
    />
  )
}

const shown = (text = '') => (text.trim() === '' ? '–' : text.trim())
