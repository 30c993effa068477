// The addresses that events are sent to, and how well that goes.
import { Button } from '@mantine/core'
import type { WebhookEndpoint } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { paths } from '~/paths.ts'
import { ListPage } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { DeveloperLinks } from '~/pages/developers/links.tsx'
import { AddEndpoint } from './endpoint-forms.tsx'
import { HealthBadge } from './health.tsx'
import { describeEvents } from './words.ts'

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { title: 'URL', role: 'name', show: ({ url }) => url },
  { title: 'Description', show: ({ description }) => description ?? '–' },
  { title: 'Health', show: (endpoint) => <HealthBadge endpoint={endpoint} /> },
  { title: 'Events', show: ({ events }) => describeEvents(events) },
  {
    title: 'Last success',
    show: ({ health }) => (health.lastSuccessAt === null ? 'Never' : <Time value={health.lastSuccessAt} />),
  },
]

export default function Webhooks() {
  const { may } = useWorkplace()
  const [isAdding, setAdding] = useState(false)
  const add = may('webhooks:write') ? <Button onClick={() => setAdding(true)}>Add endpoint</Button> : null
  return (
    <>
      <ListPage<WebhookEndpoint>
        title="Webhooks"
        topic="webhook-endpoints"
        read={(client, filter, options) => client.webhookEndpoints.list(filter, options)}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => paths.webhook(id)}
        actions={add}
        empty={
          <Empty icon="webhook" title="No endpoints yet" action={add}>
            <p>
              An endpoint is a URL of yours to which each event is sent as it happens. To try it on your machine, in a
              checkout of Cardstock:
            </p>
            <p>
              <code>node server/bin/cardstock.mjs listen --forward-to http://127.0.0.1:3000/webhooks</code>
            </p>
          </Empty>
        }
      >
        <DeveloperLinks guide="webhooks" />
      </ListPage>
      {isAdding ? <AddEndpoint close={() => setAdding(false)} /> : null}
    </>
  )
}
