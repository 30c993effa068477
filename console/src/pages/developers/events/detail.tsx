// One event: what it says, and every attempt to deliver it.
import { useId } from '~/lib/use-id.ts'
import { Button } from '@mantine/core'
import type { WebhookEvent } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { findObjectPath, paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Go } from '~/ui/go.tsx'
import { Json } from '~/ui/json.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, Problem } from '~/ui/notice.tsx'
import { Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { toast } from '~/ui/toast.ts'
import { Time } from '~/ui/time.tsx'
import { Attempt } from '~/pages/developers/attempt.tsx'

const ATTEMPTS_MAX = 50
const ENDPOINTS_MAX = 100

export default function EventDetail() {
  const id = useId()
  const query = useData('events', [id], (client, options) => client.events.get(id, options))
  return <Loaded query={query}>{(event) => <Shown event={event} />}</Loaded>
}

function Shown({ event }: { event: WebhookEvent }) {
  const objectId = (event.data as { id?: string }).id
  const href = objectId === undefined ? undefined : findObjectPath(objectId)
  return (
    <>
      <PageHeading
        title={event.type}
        parent={{ href: paths.events(), title: 'Events' }}
        actions={<Resend event={event} />}
      >
        <CopyId value={event.id} />
      </PageHeading>
      <Stack>
        <Panel>
          <Facts
            facts={[
              ['Time', <Time key="at" value={event.createdAt} precision="long" />],
              href === undefined
                ? undefined
                : [
                    'Object',
                    <Go key="object" href={href}>
                      {objectId}
                    </Go>,
                  ],
              ['Sequence', event.sequence.toLocaleString('en')],
              ['Version', event.version],
            ]}
          />
        </Panel>
        <Deliveries eventId={event.id} />
        <Panel title="Event">
          <Json label="Event as JSON" value={event} />
        </Panel>
      </Stack>
    </>
  )
}

function Resend({ event }: { event: WebhookEvent }) {
  const { client, may } = useWorkplace()
  const resend = useAction(() => client.events.resend(event.id), {
    refreshes: ['events', 'webhook-endpoints'],
    onDone: ({ deliveries }) =>
      toast(
        deliveries === 0
          ? 'No enabled endpoint receives this type of event.'
          : `Event resent to ${deliveries} ${deliveries === 1 ? 'endpoint' : 'endpoints'}.`,
      ),
  })
  if (!may('webhooks:write')) return null
  return (
    <>
      <Button variant="default" loading={resend.isBusy} onClick={() => void resend.run()}>
        Resend to all endpoints
      </Button>
      <Problem error={resend.error} />
    </>
  )
}

function Deliveries({ eventId }: { eventId: string }) {
  const attempts = useData(
    'webhook-endpoints',
    ['event', eventId],
    (client, options) => client.events.attempts(eventId, { limit: ATTEMPTS_MAX }, options),
    { isMoving: true },
  )
  const endpoints = useData('webhook-endpoints', ['all'], (client, options) =>
    client.webhookEndpoints.list({ limit: ENDPOINTS_MAX }, options),
  )
  return (
    <Panel
      title="Deliveries"
      isFlush
      actions={
        <ExportCsv
          title="Deliveries"
          size="xs"
          read={(client, filter, options) => client.events.attempts(eventId, filter, options)}
          filter={{}}
        />
      }
    >
      <Loaded query={attempts}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="webhook" title="No deliveries">
              No attempts to deliver this event yet, or no endpoint receives events of this type.
            </Empty>
          ) : (
            data.map((attempt) => (
              <Attempt
                key={attempt.id}
                attempt={attempt}
                endpoint={endpoints.data?.data.find(({ id }) => id === attempt.endpointId)}
              />
            ))
          )
        }
      </Loaded>
    </Panel>
  )
}
