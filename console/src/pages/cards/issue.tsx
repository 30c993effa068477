// Issue a card: the amount first, then for whom. The price updates while the person types. The holder is kept only in the address, so that a
// link from a holder's page always chooses that holder.
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
import { SelectField, TextField } from '~/ui/fields.tsx'
import { PageHeading } from '~/ui/page.tsx'
import { HolderField } from '~/features/cards/holder-field.tsx'
import { useProducts } from '~/features/cards/use-products.ts'

const FORM = 'issue card'
const NAME_LENGTH_MAX = 64

export default function IssueCard() {
  const search = useSearch()
  const go = useGo()
  const products = useProducts().filter(({ kind }) => kind === 'card')
  const [amount, setAmount] = useKeptText(`${FORM} amount`)
  const [name, setName] = useKeptText(`${FORM} name`)
  const [chosenProduct, setProduct] = useKeptText(`${FORM} product`)
  const product = products.find(({ id }) => id === chosenProduct) ?? products[0]
  const { holderId = '' } = search
  const draft =
    product === undefined || holderId === '' ? undefined : draftOf(amount, product.id, holderId, name.trim())
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
          param="holderId"
          description="Who will use the card. Only active holders can get one."
          required
          status="active"
          value={holderId}
          onChange={(id) => go(paths.issueCard({ ...search, holderId: id }), { replace: true })}
        />
        <SelectField
          param="productId"
          label="Product"
          description={product?.description}
          value={product?.id ?? ''}
          data={products.map(({ id, name: label }) => ({ value: id, label }))}
          onChange={(event) => setProduct(event.currentTarget.value)}
        />
        <TextField
          param="name"
          label="Name"
          description="What the card is for. Leave it empty to use the holder’s name."
          maxLength={NAME_LENGTH_MAX}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Sentinels by="word" field="name" value={name} onChange={setName} />
      </OrderForm>
    </>
  )
}

function draftOf(amount: string, productId: string, holderId: string, name: string): NewOperation | undefined {
  if (!isAmount(amount)) return undefined
  return { type: 'issue', amount, productId, holderId, ...(name === '' ? {} : { name }) }
}
