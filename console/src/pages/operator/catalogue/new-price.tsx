// Sets a price from a date on, for everyone or for one company. The form begins with the price that they pay today, and the price is shown
// before and after the change before it is set.
import type { CatalogProduct, OperationType } from '@cardstock/sdk'
import { findDay } from '@cardstock/sdk/statements'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { isAboutField } from '~/api/refusal.ts'
import { useAction } from '~/api/use-action.ts'
import { formatDay } from '~/lib/day.ts'
import { DayField } from '~/ui/day-field.tsx'
import { SelectField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { Problem } from '~/ui/notice.tsx'
import { toast } from '~/ui/toast.ts'
import { isFilled, PricingFields, type PricingText, toPricing } from './pricing-fields.tsx'
import { CompanyField } from '~/pages/operator/company-field.tsx'
import { CompanyName } from '~/pages/operator/company-name.tsx'
import { Comparison } from './comparison.tsx'
import { useTodaysPrice } from './use-todays-price.ts'
import { TYPE_WORDS } from './words.ts'

interface Draft {
  readonly operationType: OperationType
  /** What was typed. Undefined until then, and again for another operation: the fields show today's price. */
  readonly typed: PricingText | undefined
  readonly day: string
  readonly companyId: string
}

const EMPTY: PricingText = {}

export function NewPriceForm({ product, close }: { product: CatalogProduct; close: () => void }) {
  const types: readonly OperationType[] = product.kind === 'card' ? ['issue', 'topup'] : ['service']
  const first = types[0] ?? 'service'
  const [draft, setDraft] = useState<Draft>({
    operationType: first,
    typed: undefined,
    day: '',
    companyId: '',
  })
  const { operationType, day, companyId } = draft
  const today = useTodaysPrice(product, operationType, companyId)
  const pricing = draft.typed ?? today.pricing ?? EMPTY
  const [isAsking, setAsking] = useState(false)
  const set = useSetPrice(product, { ...draft, pricing }, { close, showFields: () => setAsking(false) })
  const change = (some: Partial<Draft>) => setDraft({ ...draft, ...some })
  if (isAsking) {
    return (
      <FormDialog
        title={`Change the price of ${product.name}?`}
        action="Set price"
        isBusy={set.isBusy}
        error={set.error}
        submit={() => void set.run()}
        close={() => setAsking(false)}
      >
        <Change draft={draft} />
        <Comparison before={today.pricing} after={pricing} />
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={`Set price for ${product.name}`}
      action="Compare prices"
      isReady={!today.isReading && isFilled(pricing) && (day === '' || findDay(day) !== undefined)}
      isBusy={false}
      error={set.error}
      submit={() => {
        set.forget()
        setAsking(true)
      }}
      close={close}
    >
      <p>The new price replaces all fields: those left empty no longer apply. Prices cannot be deleted.</p>
      <TypeField types={types} draft={draft} change={change} />
      <PricingFields param="pricing" legend="Price" value={pricing} onChange={(typed) => change({ typed })} />
      <Scope draft={draft} change={change} />
      <Problem error={today.error} retry={today.retry} />
    </FormDialog>
  )
}

interface After {
  close(): void
  /** Called if one of the fields is wrong, which are in the step before. */
  showFields(): void
}

function useSetPrice(product: CatalogProduct, draft: Draft & { pricing: PricingText }, { close, showFields }: After) {
  const { operationType, pricing, day, companyId } = draft
  return useAction(
    () =>
      api.admin.products.addPrice(product.id, {
        operationType,
        pricing: toPricing(pricing),
        ...(day === '' ? {} : { validFrom: `${day}T00:00:00Z` }),
        ...(companyId === '' ? {} : { companyId: companyId }),
      }),
    {
      refreshes: ['catalogue', 'products', 'audit-log'],
      onRefused: (error) => {
        if (isAboutField(error)) showFields()
        return false
      },
      onDone: () => {
        toast(day === '' ? 'New price in effect.' : 'Price scheduled.')
        close()
      },
    },
  )
}

function Change({ draft: { operationType, day, companyId } }: { draft: Draft }) {
  const since = day === '' ? 'starting now' : `starting ${formatDay(day)} (UTC)`
  return (
    <p>
      {TYPE_WORDS[operationType]},{' '}
      {companyId === '' ? (
        'for all companies without a price of their own'
      ) : (
        <>
          for <CompanyName id={companyId} /> only
        </>
      )}
      , {since}. Prices cannot be deleted.
    </p>
  )
}

interface TypeFieldProps {
  readonly types: readonly OperationType[]
  readonly draft: Draft
  change(some: Partial<Draft>): void
}

/** Another operation has another price today. */
function TypeField({ types, draft, change }: TypeFieldProps) {
  return (
    <SelectField
      param="operationType"
      label="For"
      data={types.map((value) => ({ value, label: TYPE_WORDS[value] }))}
      value={draft.operationType}
      onChange={(event) => change({ operationType: event.currentTarget.value as OperationType, typed: undefined })}
    />
  )
}

/** From when, and for whom. */
function Scope({ draft, change }: { draft: Draft; change: (some: Partial<Draft>) => void }) {
  return (
    <>
      <DayField
        param="validFrom"
        label="From (UTC)"
        description="Starts at midnight. Leave it empty to start now."
        value={draft.day}
        onChange={(day) => change({ day })}
      />
      <CompanyField
        param="companyId"
        label="Company"
        description="Leave it empty for all companies."
        value={draft.companyId}
        onChange={(companyId) => change({ companyId })}
      />
    </>
  )
}
