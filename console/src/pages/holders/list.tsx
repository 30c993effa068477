// Everyone that cards can be issued to.
import { Button } from '@mantine/core'
import { type Holder, HOLDER_KINDS, HOLDER_STATUSES } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { paths } from '~/paths.ts'
import { type Filter, searchFilter } from '~/ui/filters.tsx'
import { Go } from '~/ui/go.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import { BY_NAME } from '~/ui/sort.ts'
import { Status } from '~/ui/status.tsx'
import { STATUSES } from '~/ui/statuses.ts'
import type { Column } from '~/ui/table.tsx'
import { KINDS } from './words.ts'

const COLUMNS: readonly Column<Holder>[] = [
  { title: 'Name', role: 'name', sort: BY_NAME, show: ({ name }) => name },
  { title: 'E-mail', show: ({ email }) => email },
  { title: 'Kind', show: ({ kind }) => KINDS[kind] },
  { title: 'Your id', show: ({ externalId }) => externalId ?? '–' },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
]

const FILTERS: readonly Filter[] = [
  searchFilter('Name or e-mail address'),
  {
    name: 'status',
    label: 'Status',
    choices: HOLDER_STATUSES.map((value) => ({ value, label: STATUSES[value]?.word ?? value })),
  },
  { name: 'kind', label: 'Kind', choices: HOLDER_KINDS.map((value) => ({ value, label: KINDS[value] })) },
  { name: 'externalId', label: 'Your id', type: 'text', placeholder: 'Full id' },
]

export default function Holders() {
  const { may } = useWorkplace()
  const add = may('holders:write') ? (
    <Button component={Go} href={paths.addHolder()}>
      Add holder
    </Button>
  ) : null
  return (
    <ListPage<Holder>
      title="Holders"
      topic="holders"
      read={(client, filter, options) => client.holders.list(filter, options)}
      filters={FILTERS}
      sorts="name"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => paths.holder(id)}
      actions={add}
      empty={
        <Empty icon="users" title="No holders yet" action={add}>
          A holder is the person or company that a card is for. Add one, then issue a card for them.
        </Empty>
      }
    />
  )
}
