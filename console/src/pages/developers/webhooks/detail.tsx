// One endpoint: its health, its attempts with request and answer, and what can be done.
import { useId } from '~/lib/use-id.ts'
import type { WebhookAttempt, WebhookEndpoint } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { now } from '~/lib/clock.ts'
import { paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, Notice } from '~/ui/notice.tsx'
import { Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { formatDuration, Time } from '~/ui/time.tsx'
import { EndpointActions } from './actions.tsx'
import { Attempt } from '~/pages/developers/attempt.tsx'
import { AttemptMarks, HealthBadge } from './health.tsx'
import { describeDisabled } from './words.ts'

const ATTEMPTS_MAX = 100

export default function WebhookDetail() {
  const id = useId()
  const query = useData('webhook-endpoints', [id], (client, options) => client.webhookEndpoints.get(id, options), {
    isMoving: true,
  })
  return <Loaded query={query}>{(endpoint) => <Shown endpoint={endpoint} />}</Loaded>
}

function Shown({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { may } = useWorkplace()
  const { id, url, description } = endpoint
  const query = useData(
    'webhook-endpoints',
    [id, 'attempts'],
    (client, options) => client.webhookEndpoints.attempts(id, { limit: ATTEMPTS_MAX }, options),
    { isMoving: true },
  )
  return (
    <>
      <PageHeading
        title={url}
        badge={<HealthBadge endpoint={endpoint} />}
        parent={{ href: paths.webhooks(), title: 'Webhooks' }}
        actions={may('webhooks:write') ? <EndpointActions endpoint={endpoint} /> : null}
      >
        {description === null ? null : <p>{description}</p>}
        <CopyId value={id} />
      </PageHeading>
      <Stack>
        <Trouble endpoint={endpoint} />
        <Loaded query={query}>{({ data }) => <Attempts endpoint={endpoint} attempts={data} />}</Loaded>
      </Stack>
    </>
  )
}

function Trouble({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { failingSince, failures } = endpoint.health
  if (endpoint.status === 'disabled') {
    return (
      <Notice tone="amber" title="This endpoint is disabled">
        <p>{describeDisabled(endpoint)} Enable it, then recover the events it missed.</p>
      </Notice>
    )
  }
  if (failingSince === null) return null
  return (
    <Notice tone="red" title={`Failing for ${formatDuration(now() - Date.parse(failingSince))}`}>
      <p>
        {failures} {failures === 1 ? 'attempt' : 'attempts'} in a row failed. Retries continue at increasing intervals.
        If every attempt fails for five days, the endpoint is disabled. Open an attempt below to see its answer.
      </p>
    </Notice>
  )
}

function Attempts({ endpoint, attempts }: { endpoint: WebhookEndpoint; attempts: readonly WebhookAttempt[] }) {
  const { health, events, createdAt } = endpoint
  const next = nextOf(attempts)
  return (
    <>
      <Panel title="Health">
        {attempts.length === 0 ? <p>Nothing sent yet.</p> : <AttemptMarks attempts={attempts} />}
        <Facts
          facts={[
            [
              'Last success',
              health.lastSuccessAt === null ? 'Never' : <Time key="last" value={health.lastSuccessAt} />,
            ],
            health.failingSince === null
              ? undefined
              : ['Failing since', <Time key="since" value={health.failingSince} />],
            next === undefined ? undefined : ['Next attempt', <Time key="next" value={next} precision="long" />],
            ['Events', events.includes('*') ? 'All' : events.join(', ')],
            ['Added', <Time key="added" value={createdAt} />],
          ]}
        />
      </Panel>
      <Panel
        title="Attempts"
        isFlush
        actions={
          <ExportCsv
            title="Attempts"
            size="xs"
            read={(client, filter, options) => client.webhookEndpoints.attempts(endpoint.id, filter, options)}
            filter={{}}
          />
        }
      >
        {attempts.length === 0 ? (
          <Empty icon="webhook" title="No attempts yet">
            Send a test event to see one.
          </Empty>
        ) : (
          attempts.map((attempt) => <Attempt key={attempt.id} attempt={attempt} endpoint={endpoint} />)
        )}
      </Panel>
    </>
  )
}

/** The time of the first retry among these attempts. Times of the API sort as text. */
function nextOf(attempts: readonly WebhookAttempt[]): string | undefined {
  const times = attempts.map(({ nextAttemptAt }) => nextAttemptAt).filter((time) => time !== null)
  return times.toSorted()[0]
}
