// The events of the company, as they are sent to its endpoints.
import { EVENT_TYPES, type WebhookEvent } from '@cardstock/sdk'
import { paths } from '~/paths.ts'
import type { Filter } from '~/ui/filters.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { DeveloperLinks } from '~/pages/developers/links.tsx'

const FILTERS: readonly Filter[] = [
  { name: 'type', label: 'Type', choices: EVENT_TYPES.map((value) => ({ value, label: value })) },
  { name: 'from', label: 'From (UTC)', type: 'date' },
  { name: 'to', label: 'To (UTC)', type: 'date' },
]

const COLUMNS: readonly Column<WebhookEvent>[] = [
  { title: 'Event', role: 'name', show: ({ type }) => <code>{type}</code> },
  { title: 'Object', show: ({ data }) => <code>{objectOf(data)}</code> },
  { title: 'Sequence', show: ({ sequence }) => <span className="tabular">{sequence.toLocaleString('en')}</span> },
  { title: 'Time', show: ({ createdAt }) => <Time value={createdAt} precision="long" /> },
]

function objectOf(data: object): string {
  return 'id' in data && typeof data.id === 'string' ? data.id : ''
}

export default function Events() {
  return (
    <ListPage<WebhookEvent>
      title="Events"
      topic="events"
      read={(client, filter, options) => client.events.list(filter, options)}
      filters={FILTERS}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => paths.event(id)}
      empty={
        <Empty icon="zap" title="No events yet">
          Each change to an operation, an invoice, a card or a transaction is an event. Events are kept for at least 30
          days.
        </Empty>
      }
    >
      <DeveloperLinks guide="webhooks" />
    </ListPage>
  )
}
