// All operations, newest first.
import { Button } from '@mantine/core'
import { OPERATION_STATUSES, OPERATION_TYPES, type Operation } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { paths } from '~/paths.ts'
import type { Filter } from '~/ui/filters.tsx'
import { Go } from '~/ui/go.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import { STATUSES } from '~/ui/statuses.ts'
import { CardField } from '~/features/cards/card-field.tsx'
import { OPERATION_COLUMNS } from '~/features/operations/columns.tsx'
import { OPERATION_TITLES } from '~/features/operations/words.ts'

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'Status',
    choices: OPERATION_STATUSES.map((value) => ({ value, label: STATUSES[value]?.word ?? value })),
  },
  { name: 'type', label: 'Type', choices: OPERATION_TYPES.map((value) => ({ value, label: OPERATION_TITLES[value] })) },
  { name: 'from', label: 'From (UTC)', type: 'date' },
  { name: 'to', label: 'To (UTC)', type: 'date' },
]

const CARD_FILTER: Filter = { name: 'cardId', label: 'Card', field: (slot) => <CardField {...slot} /> }

export default function Operations() {
  const { may } = useWorkplace()
  const issue = (
    <Button component={Go} href={paths.issueCard()}>
      Issue card
    </Button>
  )
  return (
    <ListPage<Operation>
      title="Operations"
      topic="operations"
      read={(client, filter, options) => client.operations.list(filter, options)}
      filters={may('cards:read') ? [CARD_FILTER, ...FILTERS] : FILTERS}
      sorts="time"
      columns={OPERATION_COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => paths.operation(id)}
      empty={
        <Empty icon="activity" title="No operations yet" action={may('cards:write') ? issue : null}>
          Issuing a card, topping up a card and ordering a service are operations. Each one appears here with all its
          steps.
        </Empty>
      }
    />
  )
}
