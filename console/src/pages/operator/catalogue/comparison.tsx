// A price before and after a change: every field that differs, and the fee on an example.
import { formatMoney } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Facts } from '~/ui/page.tsx'
import { EXAMPLE_AMOUNT, feeOnExample } from './percent.ts'
import { FIELDS, type PricingText } from './pricing-fields.tsx'

interface Props {
  /** Undefined when it is not known. The price after the change then stands alone. */
  readonly before: PricingText | undefined
  readonly after: PricingText
}

export function Comparison({ before, after }: Props) {
  const fee = (pricing: PricingText) => {
    const figure = feeOnExample(pricing)
    return figure === undefined ? '–' : `${formatMoney(figure)} USD`
  }
  const compare = (show: (pricing: PricingText) => string) =>
    before === undefined ? show(after) : `${show(before)} → ${show(after)}`
  const changed = FIELDS.filter(({ name }) => shown(before?.[name]) !== shown(after[name]))
  return (
    <>
      {before === undefined ? (
        <Notice tone="amber">
          <p>The price that this company pays today is not known. Below is the new price only.</p>
        </Notice>
      ) : null}
      <Facts
        facts={[
          ...changed.map(({ name, label }) => [label, compare((pricing) => shown(pricing[name]))] as const),
          [`Fee on ${formatMoney(EXAMPLE_AMOUNT)} USD`, compare(fee)],
        ]}
      />
    </>
  )
}

const shown = (text = '') => (text.trim() === '' ? '–' : text.trim())
