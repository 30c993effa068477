// Issue a card: the amount first, then for whom. The price updates while the person types. The holder is kept only in the address, so that a
// link from a holder's page always chooses that holder.
import { NativeSelect, TextInput } from '@mantine/core'
import type { NewOperation } from '@cardstock/sdk'
import { useKeptText } from '~/api/use-kept-text.ts'
import { useSearch } from '~/lib/use-search.ts'
import { isAmount } from '~/lib/amount.ts'
import { AmountField } from '~/ui/amount-field.tsx'
import { describeLimits } from '~/features/order/fee-rule.ts'
import { OrderForm } from '~/features/order/order-form.tsx'
import { Sentinels } from '~/features/order/sentinels.tsx'
import { paths } from '~/paths.ts'
import { useGo } from '~/ui/go.tsx'
import { PageHeading } from '~/ui/page.tsx'
import { useHolders, useProducts } from '~/features/cards/use-names.ts'

const FORM = 'issue card'
const NAME_LENGTH_MAX = 64

export default function IssueCard() {
  const search = useSearch()
  const go = useGo()
  const holders = useHolders().filter(({ status }) => status === 'active')
  const products = useProducts().filter(({ kind }) => kind === 'card')
  const [amount, setAmount] = useKeptText(`${FORM} amount`)
  const [name, setName] = useKeptText(`${FORM} name`)
  const [chosenProduct, setProduct] = useKeptText(`${FORM} product`)
  const product = products.find(({ id }) => id === chosenProduct) ?? products[0]
  const holder = holders.find(({ id }) => id === search.holderId)
  const draft =
    product === undefined || holder === undefined ? undefined : draftOf(amount, product.id, holder.id, name.trim())
  return (
    <>
      <PageHeading title="Issue card" parent={{ href: paths.cards(), title: 'Cards' }} />
      <OrderForm
        form={FORM}
        verb="Issue"
        draft={draft}
        pricing={product?.pricing}
        clear={() => {
          setAmount('')
          setName('')
        }}
      >
        <AmountField
          value={amount}
          onChange={setAmount}
          limits={product === undefined ? undefined : describeLimits(product.pricing)}
        />
        <HolderField
          holders={holders}
          value={holder?.id ?? ''}
          onChange={(holderId) => go(paths.issueCard({ ...search, holderId }), { replace: true })}
        />
        <NativeSelect
          label="Product"
          description={product?.description}
          value={product?.id ?? ''}
          data={products.map(({ id, name: label }) => ({ value: id, label }))}
          onChange={(event) => setProduct(event.currentTarget.value)}
        />
        <TextInput
          label="Name"
          description="What the card is for. The holder's name if you leave it empty."
          maxLength={NAME_LENGTH_MAX}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Sentinels by="word" value={name} onChange={setName} />
      </OrderForm>
    </>
  )
}

function draftOf(amount: string, productId: string, holderId: string, name: string): NewOperation | undefined {
  if (!isAmount(amount)) return undefined
  return { type: 'issue', amount, productId, holderId, ...(name === '' ? {} : { name }) }
}

interface HolderFieldProps {
  readonly holders: readonly { id: string; name: string }[]
  readonly value: string
  onChange(value: string): void
}

function HolderField({ holders, value, onChange }: HolderFieldProps) {
  return (
    <NativeSelect
      label="Holder"
      description="Who the card is for. Only active holders can get a card."
      required
      value={value}
      data={[{ value: '', label: 'Choose a holder' }, ...holders.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
