// The price, which updates while the person types: amount, fee with its rule, total, and what remains.
import type { Pricing } from '@cardstock/sdk'
import { Money } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Facts, Panel } from '~/ui/page.tsx'
import { describeFee } from './fee-rule.ts'
import type { Priced } from './use-quote.ts'
import styles from './order.module.css'

export function QuotePanel({ priced, pricing }: { priced: Priced; pricing: Pricing | undefined }) {
  const { quote, error, availableAfter, isShort, isOld } = priced
  const feeName = pricing === undefined ? 'Fee' : `Fee (${describeFee(pricing)})`
  const show = (value: string | undefined) =>
    value === undefined ? <span className="muted">…</span> : <Money value={value} />
  return (
    <Panel title="Price">
      <div className={styles.quote} data-old={isOld} aria-live="polite">
        <Facts
          facts={[
            ['Amount', show(quote?.amount)],
            [feeName, show(quote?.fee)],
            ['Total', <strong key="total">{show(quote?.total)}</strong>],
            ['Available after', show(availableAfter)],
          ]}
        />
        {isShort && error === undefined ? (
          <Notice tone="amber">
            <p>Not enough is available in the card account. Add funds first, or enter a smaller amount.</p>
          </Notice>
        ) : null}
      </div>
    </Panel>
  )
}
