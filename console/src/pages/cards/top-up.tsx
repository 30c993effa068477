// Top up a card. The price updates while the person types.
import { useId } from '~/lib/use-id.ts'
import type { Card, NewOperation } from '@cardstock/sdk'
import { useData } from '~/api/use-data.ts'
import { cardCan } from '~/lib/can.ts'
import { useKeptText } from '~/api/use-kept-text.ts'
import { isAmount } from '~/lib/amount.ts'
import { AmountField } from '~/ui/amount-field.tsx'
import { describeLimits } from '~/features/order/fee-rule.ts'
import { OrderForm } from '~/features/order/order-form.tsx'
import { Sentinels } from '~/features/order/sentinels.tsx'
import { paths } from '~/paths.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { PageHeading } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { useProducts } from '~/features/cards/use-products.ts'

export default function TopUpCard() {
  const id = useId()
  const query = useData('cards', [id], (client, options) => client.cards.get(id, options))
  return <Loaded query={query}>{(card) => <TopUp card={card} />}</Loaded>
}

function TopUp({ card }: { card: Card }) {
  const form = `top up ${card.id}`
  const [amount, setAmount] = useKeptText(`${form} amount`)
  const product = useProducts().find(({ id }) => id === card.productId)
  const pricing = product?.topupPricing ?? undefined
  const draft: NewOperation | undefined = isAmount(amount) ? { type: 'topup', amount, cardId: card.id } : undefined
  return (
    <>
      <PageHeading
        title={`Top up •••• ${card.last4}`}
        badge={<Status value={card.status} />}
        parent={{ href: paths.card(card.id), title: card.name }}
      >
        Balance: <Money value={card.balance} />
      </PageHeading>
      {cardCan(card, 'topUp') ? (
        <OrderForm form={form} verb="Top up" draft={draft} pricing={pricing} clear={() => setAmount('')}>
          <AmountField
            value={amount}
            onChange={setAmount}
            limits={pricing === undefined ? undefined : describeLimits(pricing)}
          />
          <Sentinels by="amount" field="amount" value={amount} onChange={setAmount} />
        </OrderForm>
      ) : (
        <Notice tone="amber">
          <p>Only an active card can be topped up. Unfreeze it, or wait until the change in progress is complete.</p>
        </Notice>
      )}
    </>
  )
}
