// All companies of the programme. Those whose verification is pending wait for a decision.
import { Button } from '@mantine/core'
import type { Company } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { paths } from '~/paths.ts'
import { type Filter, searchFilter } from '~/ui/filters.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Status } from '~/ui/status.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { useIsOperator } from '~/pages/operator/use-is-operator.ts'
import { NewCompany } from './new-company.tsx'
import { describeCapabilities, KIND_WORDS } from './words.ts'

const FILTERS: readonly Filter[] = [
  searchFilter('Company name'),
  {
    name: 'verification',
    label: 'Verification',
    choices: [
      { value: 'pending', label: 'Waiting for a decision' },
      { value: 'approved', label: 'Approved' },
      { value: 'rejected', label: 'Rejected' },
    ],
  },
]

const COLUMNS: readonly Column<Company>[] = [
  { title: 'Company', role: 'name', show: ({ name }) => name },
  { title: 'Kind', show: ({ kind }) => KIND_WORDS[kind] },
  {
    title: 'Verification',
    show: ({ verification, suspended }) => <Status value={suspended ? 'suspended' : verification} />,
  },
  { title: 'Active in live', show: describeCapabilities },
  { title: 'Created', show: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Available in live', role: 'amount', show: ({ balances }) => <Available balances={balances} /> },
]

function Available({ balances }: { balances: Company['balances'] | undefined }) {
  const live = balances?.find(({ environment }) => environment === 'live')
  return live === undefined ? '–' : <Money value={live.available} />
}

export default function Companies() {
  const isOperator = useIsOperator()
  const [isAdding, setAdding] = useState(false)
  const add = isOperator ? <Button onClick={() => setAdding(true)}>Add company</Button> : null
  return (
    <>
      <ListPage<Company>
        title="Companies"
        topic="companies"
        read={(_client, filter, options) => api.admin.companies.list(filter, options)}
        filters={FILTERS}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => paths.company(id)}
        actions={add}
        empty={
          <Empty icon="building" title="No companies yet" action={add}>
            A company has a card account, keys and people. Add one, approve it, and invite its owner.
          </Empty>
        }
      />
      {isAdding ? <NewCompany close={() => setAdding(false)} /> : null}
    </>
  )
}
