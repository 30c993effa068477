// Sets a price from a date on, for everyone or for one company.
import { NativeSelect, TextInput } from '@mantine/core'
import type { CatalogProduct, OperationType } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { toast } from '~/ui/toast.ts'
import { isFilled, PricingFields, type PricingText, toPricing } from './pricing-fields.tsx'
import { TYPE_WORDS } from './words.ts'

export function NewPriceForm({ product, close }: { product: CatalogProduct; close: () => void }) {
  const types: readonly OperationType[] = product.kind === 'card' ? ['issue', 'topup'] : ['service']
  const [operationType, setType] = useState<OperationType>(types[0] ?? 'service')
  const [day, setDay] = useState('')
  const [companyId, setCompanyId] = useState('')
  const [pricing, setPricing] = useState<PricingText>({})
  const set = useAction(
    () =>
      api.admin.products.addPrice(product.id, {
        operationType,
        pricing: toPricing(pricing),
        ...(day === '' ? {} : { validFrom: `${day}T00:00:00Z` }),
        ...(companyId.trim() === '' ? {} : { companyId: companyId.trim() }),
      }),
    {
      refreshes: ['catalogue', 'products', 'audit-log'],
      onDone: () => {
        toast(day === '' ? 'The price holds from now on.' : 'The price is planned.')
        close()
      },
    },
  )
  return (
    <FormDialog
      title={`Set a price of ${product.name}`}
      action="Set price"
      isReady={isFilled(pricing)}
      isBusy={set.isBusy}
      error={set.error}
      submit={() => void set.run()}
      close={close}
    >
      <p>It replaces the whole price: what you leave empty does not apply any more. Prices cannot be deleted.</p>
      <NativeSelect
        label="For"
        data={types.map((value) => ({ value, label: TYPE_WORDS[value] }))}
        value={operationType}
        onChange={(event) => setType(event.currentTarget.value as OperationType)}
      />
      <PricingFields legend="Price" value={pricing} onChange={setPricing} />
      <TextInput
        label="From (UTC)"
        description="From midnight of that day. Now if you leave it empty."
        type="date"
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <TextInput
        label="Only for the company"
        description="Its id, co_…. For everyone if you leave it empty."
        value={companyId}
        onChange={(event) => setCompanyId(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
