// Adds a product with its first price.
import type { CatalogProduct } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { paths } from '~/paths.ts'
import { ChoiceCards } from '~/ui/choice-cards.tsx'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { useGo } from '~/ui/go.tsx'
import { toast } from '~/ui/toast.ts'
import { isFilled, PricingFields, type PricingText, toPricing } from './pricing-fields.tsx'

interface Names {
  readonly id: string
  readonly name: string
  readonly description: string
}

export function NewProductForm({ close }: { close: () => void }) {
  const go = useGo()
  const [kind, setKind] = useState<CatalogProduct['kind']>('card')
  const [names, setNames] = useState<Names>({ id: '', name: '', description: '' })
  const [pricing, setPricing] = useState<PricingText>({})
  const [topup, setTopup] = useState<PricingText>({})
  const create = useAction(
    () =>
      api.admin.products.create({
        id: names.id.trim(),
        kind,
        name: names.name.trim(),
        description: names.description.trim(),
        pricing: toPricing(pricing),
        ...(kind === 'card' ? { topupPricing: toPricing(topup) } : {}),
      }),
    {
      refreshes: ['catalogue', 'products', 'audit-log'],
      onDone: (product: CatalogProduct) => {
        toast('Product added.')
        go(paths.product(product.id))
      },
    },
  )
  const isPriced = isFilled(pricing) && (kind === 'service' || isFilled(topup))
  const isReady = Object.values(names).every((text) => text.trim() !== '') && isPriced
  return (
    <FormDialog
      title="Add product"
      action="Add product"
      isReady={isReady}
      isBusy={create.isBusy}
      error={create.error}
      submit={() => void create.run()}
      close={close}
    >
      <ChoiceCards
        param="kind"
        legend="Kind"
        value={kind}
        onChange={setKind}
        choices={[
          { value: 'card', title: 'Card', text: 'Companies issue and top up cards.' },
          { value: 'service', title: 'Service', text: 'Companies order it for a recipient.' },
        ]}
      />
      <NameFields value={names} onChange={setNames} />
      <PricingFields
        param="pricing"
        legend={kind === 'card' ? 'Issue price' : 'Price'}
        value={pricing}
        onChange={setPricing}
      />
      {kind === 'card' ? (
        <PricingFields param="topupPricing" legend="Top-up price" value={topup} onChange={setTopup} />
      ) : null}
    </FormDialog>
  )
}

function NameFields({ value, onChange }: { value: Names; onChange: (value: Names) => void }) {
  return (
    <>
      <TextField
        param="name"
        label="Name"
        required
        maxLength={100}
        value={value.name}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
      />
      <TextField
        param="id"
        label="Id"
        description="How programs refer to the product, such as prod_card_travel. It cannot be changed later."
        required
        value={value.id}
        onChange={(event) => onChange({ ...value, id: event.currentTarget.value })}
      />
      <TextField
        param="description"
        label="Description"
        description="Shown to companies when they order."
        required
        maxLength={500}
        value={value.description}
        onChange={(event) => onChange({ ...value, description: event.currentTarget.value })}
      />
    </>
  )
}
