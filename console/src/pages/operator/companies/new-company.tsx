// Adds a company. It waits for verification, and then needs an owner.
import type { Company } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { paths } from '~/paths.ts'
import { ChoiceCards } from '~/ui/choice-cards.tsx'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { useGo } from '~/ui/go.tsx'
import { toast } from '~/ui/toast.ts'

export function NewCompany({ close }: { close: () => void }) {
  const go = useGo()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Company['kind']>('corporate')
  const create = useAction(() => api.admin.companies.create({ name: name.trim(), kind }), {
    refreshes: ['companies'],
    onDone: (company: Company) => {
      toast('Company added.')
      go(paths.company(company.id))
    },
  })
  return (
    <FormDialog
      title="Add company"
      action="Add company"
      isReady={name.trim() !== ''}
      isBusy={create.isBusy}
      error={create.error}
      submit={() => void create.run()}
      close={close}
    >
      <TextField
        param="name"
        label="Name"
        required
        maxLength={255}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ChoiceCards
        param="kind"
        legend="Kind"
        value={kind}
        onChange={setKind}
        choices={[
          { value: 'corporate', title: 'Corporate', text: 'No monthly limit on new cards.' },
          { value: 'individual', title: 'Individual', text: 'Up to 500 new cards per calendar month.' },
        ]}
      />
    </FormDialog>
  )
}
