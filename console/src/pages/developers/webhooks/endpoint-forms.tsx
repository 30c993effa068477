// Adds an endpoint, or changes one. The secret that signs deliveries is shown once.
import { EVENT_TYPES, type EventType, type WebhookEndpoint, type WebhookEndpointWithSecret } from '@cardstock/sdk'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { paths } from '~/paths.ts'
import { ChoiceCards } from '~/ui/choice-cards.tsx'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { useGo } from '~/ui/go.tsx'
import { ShownOnce } from '~/ui/shown-once.tsx'
import { toast } from '~/ui/toast.ts'
import styles from './webhooks.module.css'

type Types = readonly (EventType | '*')[]

export function AddEndpoint({ close }: { close: () => void }) {
  const { client, environment } = useWorkplace()
  const go = useGo()
  const fields = useFields({ url: '', description: '', events: ['*'] })
  const [created, setCreated] = useState<WebhookEndpointWithSecret>()
  const create = useAction(() => client.webhookEndpoints.create(fields.body), {
    refreshes: ['webhook-endpoints'],
    onDone: setCreated,
  })
  if (created !== undefined) {
    return <Secret secret={created.secret} close={() => go(paths.webhook(created.id))} />
  }
  return (
    <FormDialog
      title="Add endpoint"
      action="Add endpoint"
      isReady={fields.isReady}
      isBusy={create.isBusy}
      error={create.error}
      submit={() => void create.run()}
      close={close}
    >
      <Fields {...fields} isLive={environment === 'live'} />
    </FormDialog>
  )
}

export function EditEndpoint({ endpoint, close }: { endpoint: WebhookEndpoint; close: () => void }) {
  const { client, environment } = useWorkplace()
  const fields = useFields({
    url: endpoint.url,
    description: endpoint.description ?? '',
    events: endpoint.events as unknown as Types,
  })
  const change = useAction(() => client.webhookEndpoints.update(endpoint.id, fields.body), {
    refreshes: ['webhook-endpoints'],
    onDone: () => {
      toast('Endpoint saved.')
      close()
    },
  })
  return (
    <FormDialog
      title="Edit endpoint"
      action="Save changes"
      isReady={fields.isReady}
      isBusy={change.isBusy}
      error={change.error}
      submit={() => void change.run()}
      close={close}
    >
      <Fields {...fields} isLive={environment === 'live'} />
    </FormDialog>
  )
}

export function Secret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <ShownOnce title="Signing secret" secret={secret} close={close}>
      Your server verifies each delivery with it. Set it there as the environment variable{' '}
      <code>CARDSTOCK_WEBHOOK_SECRET</code>.
    </ShownOnce>
  )
}

function useFields(initial: { url: string; description: string; events: Types }) {
  const [url, setUrl] = useState(initial.url)
  const [description, setDescription] = useState(initial.description)
  const [events, setEvents] = useState(initial.events)
  return {
    url,
    setUrl,
    description,
    setDescription,
    events,
    setEvents,
    isReady: url.trim() !== '' && events.length > 0,
    // An empty description is sent too: what is left out of a change stays as it was.
    body: { url: url.trim(), events, description: description.trim() },
  }
}

function Fields(props: ReturnType<typeof useFields> & { isLive: boolean }) {
  const { url, setUrl, description, setDescription, events, setEvents, isLive } = props
  const isAll = events.includes('*')
  return (
    <>
      <TextField
        param="url"
        label="URL"
        description={
          isLive
            ? 'An https URL that is reachable from the internet.'
            : 'An https or http URL that this server can reach.'
        }
        placeholder="https://example.com/webhooks"
        required
        value={url}
        data-autofocus
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <TextField
        param="description"
        label="Description"
        description="What the endpoint is for."
        maxLength={255}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <ChoiceCards
        param="events"
        legend="Events"
        value={isAll ? 'all' : 'some'}
        onChange={(value) => setEvents(value === 'all' ? ['*'] : [])}
        choices={[
          { value: 'all', title: 'All events', text: 'Including types added later.' },
          { value: 'some', title: 'Selected events', text: 'Only the types you choose.' },
        ]}
      />
      {isAll ? null : <TypeFields events={events} onChange={setEvents} />}
    </>
  )
}

function TypeFields({ events, onChange }: { events: Types; onChange: (events: Types) => void }) {
  return (
    <fieldset className={styles.types}>
      <legend>Types</legend>
      {EVENT_TYPES.map((type) => (
        <label key={type} className={styles.type}>
          <input
            type="checkbox"
            checked={events.includes(type)}
            onChange={() =>
              onChange(events.includes(type) ? events.filter((other) => other !== type) : [...events, type])
            }
          />
          <code>{type}</code>
        </label>
      ))}
    </fieldset>
  )
}
