// What a company has in live, shown before an operator lets it move that money or stops it.
import type { Company } from '@cardstock/sdk'
import { Money } from '~/ui/money.tsx'
import { Facts } from '~/ui/page.tsx'

export function LiveMoney({ company: { balances } }: { company: Company }) {
  const live = balances?.find(({ environment }) => environment === 'live')
  if (live === undefined) return null
  return (
    <Facts
      facts={[
        ['Available in live', <Money key="available" value={live.available} />],
        ['Held in live', <Money key="held" value={live.held} />],
      ]}
    />
  )
}
