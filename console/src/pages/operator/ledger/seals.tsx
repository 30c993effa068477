// All seals of the ledger, newest first.
import { ENVIRONMENTS, type Seal } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { paths } from '~/paths.ts'
import type { Filter } from '~/ui/filters.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { CompanyField } from '~/pages/operator/company-field.tsx'
import { NoSeals } from './latest-seals.tsx'
import { keyOfSeal, SEAL_COLUMNS } from './seal-columns.tsx'

const FILTERS: readonly Filter[] = [
  { name: 'companyId', label: 'Company', field: (slot) => <CompanyField {...slot} label="Company" /> },
  {
    name: 'environment',
    label: 'Environment',
    choices: ENVIRONMENTS.map((value) => ({ value, label: value === 'live' ? 'Live' : 'Sandbox' })),
  },
]

export default function Seals() {
  return (
    <ListPage<Seal>
      title="Seals"
      parent={{ href: paths.ledger(), title: 'Ledger' }}
      topic="ledger"
      read={(_client, filter, options) => api.admin.books.seals(filter, options)}
      filters={FILTERS}
      columns={SEAL_COLUMNS}
      keyOf={keyOfSeal}
      empty={<NoSeals />}
    />
  )
}
