// Everything that waits for a person's decision, the oldest first.
import type { Review } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { now } from '~/lib/clock.ts'
import { paths } from '~/paths.ts'
import type { Filter } from '~/ui/filters.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import type { Column } from '~/ui/table.tsx'
import { formatDuration, Time } from '~/ui/time.tsx'
import { EnvironmentBadge } from '~/pages/operator/environment-badge.tsx'
import { describeReason } from './words.ts'

const FILTERS: readonly Filter[] = [
  {
    name: 'environment',
    label: 'Environment',
    choices: [
      { value: 'live', label: 'Live' },
      { value: 'sandbox', label: 'Sandbox' },
    ],
  },
]

const COLUMNS: readonly Column<Review>[] = [
  { title: 'Review', role: 'name', show: ({ title }) => title },
  { title: 'Environment', show: ({ environment }) => <EnvironmentBadge value={environment} /> },
  { title: 'Company', show: ({ companyName }) => companyName },
  { title: 'Reason', show: ({ reasons }) => reasons.map(describeReason).join(' ') },
  { title: 'Waiting for', show: ({ since }) => formatDuration(now() - Date.parse(since)) },
  { title: 'Since', show: ({ since }) => <Time value={since} /> },
  { title: 'Held', role: 'amount', show: ({ heldAmount }) => <Money value={heldAmount} /> },
]

export default function Reviews() {
  return (
    <ListPage<Review>
      title="Reviews"
      topic="reviews"
      read={(_client, filter, options) => api.admin.reviews.list(filter, options)}
      filters={FILTERS}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => paths.review(id)}
      empty={
        <Empty icon="check" title="Nothing needs a decision">
          Requests whose outcome the issuer has not confirmed, and payments that do not match their invoice, appear
          here. The oldest comes first.
        </Empty>
      }
    />
  )
}
