// The actions on an endpoint. Each dialog says what its action does.
import { Button, Menu } from '@mantine/core'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@cardstock/sdk'
import { findDay } from '@cardstock/sdk/statements'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { utcDay } from '~/lib/clock.ts'
import { paths } from '~/paths.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { DayField } from '~/ui/day-field.tsx'
import { SelectField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { useGo } from '~/ui/go.tsx'
import { Problem } from '~/ui/notice.tsx'
import { toast } from '~/ui/toast.ts'
import { EditEndpoint, Secret } from './endpoint-forms.tsx'

const REFRESHES = ['webhook-endpoints', 'events'] as const
type Dialog = 'edit' | 'recover' | 'rotate' | 'disable' | 'delete'

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { client } = useWorkplace()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const isEnabled = endpoint.status === 'enabled'
  const ping = useAction(() => client.webhookEndpoints.ping(endpoint.id), {
    refreshes: REFRESHES,
    onDone: () => toast('Test event sent.'),
  })
  const enable = useAction(() => client.webhookEndpoints.update(endpoint.id, { status: 'enabled' }), {
    refreshes: REFRESHES,
    onDone: () => toast('Endpoint enabled.'),
  })
  return (
    <>
      {isEnabled ? (
        <>
          <Button variant="default" loading={ping.isBusy} onClick={() => void ping.run()}>
            Send test event
          </Button>
          <Button variant="default" onClick={() => setDialog('recover')}>
            Recover events
          </Button>
        </>
      ) : (
        <Button loading={enable.isBusy} onClick={() => void enable.run()}>
          Enable endpoint
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('edit')}>Edit endpoint</Menu.Item>
          <Menu.Item onClick={() => setDialog('rotate')}>Rotate secret</Menu.Item>
          {isEnabled ? <Menu.Item onClick={() => setDialog('disable')}>Disable endpoint</Menu.Item> : null}
          <Menu.Item onClick={() => setDialog('delete')}>Delete endpoint</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Problem error={ping.error ?? enable.error} />
      {dialog === 'edit' ? <EditEndpoint endpoint={endpoint} close={close} /> : null}
      {dialog === 'recover' ? <Recover endpoint={endpoint} close={close} /> : null}
      {dialog === 'rotate' ? <Rotate endpoint={endpoint} close={close} /> : null}
      {dialog === 'disable' ? <Disable endpoint={endpoint} close={close} /> : null}
      {dialog === 'delete' ? <Delete endpoint={endpoint} close={close} /> : null}
    </>
  )
}

interface DialogProps {
  readonly endpoint: WebhookEndpoint
  close(): void
}

function Recover({ endpoint, close }: DialogProps) {
  const { client } = useWorkplace()
  const [since, setSince] = useState(utcDay(1))
  const recover = useAction(() => client.webhookEndpoints.recover(endpoint.id, { since }), {
    refreshes: REFRESHES,
    onDone: () => {
      toast('Recovery started.')
      close()
    },
  })
  return (
    <FormDialog
      title="Recover missed events"
      action="Recover events"
      isReady={findDay(since) !== undefined}
      isBusy={recover.isBusy}
      error={recover.error}
      submit={() => void recover.run()}
      close={close}
    >
      <p>
        Sends the events since that day that this endpoint has not acknowledged, as far back as events are kept (at
        least 30 days). Acknowledged events are not sent again.
      </p>
      <DayField param="since" label="Since (UTC)" value={since} isFirst onChange={setSince} />
    </FormDialog>
  )
}

const OVERLAPS = [
  { value: '86400', label: 'For 24 hours' },
  { value: '3600', label: 'For an hour' },
  { value: '604800', label: 'For seven days' },
  { value: '0', label: 'No, stop using it now' },
]

function Rotate({ endpoint, close }: DialogProps) {
  const { client } = useWorkplace()
  const [overlap, setOverlap] = useState('86400')
  const [rotated, setRotated] = useState<WebhookEndpointWithSecret>()
  const rotate = useAction(
    () => client.webhookEndpoints.rotateSecret(endpoint.id, { overlapSeconds: Number(overlap) }),
    { refreshes: REFRESHES, onDone: setRotated },
  )
  if (rotated !== undefined) return <Secret secret={rotated.secret} close={close} />
  return (
    <FormDialog
      title="Rotate secret"
      action="Rotate secret"
      isBusy={rotate.isBusy}
      error={rotate.error}
      submit={() => void rotate.run()}
      close={close}
    >
      <p>
        You get a new secret. Until the old one stops, every delivery is signed with both, so your server can accept
        either.
      </p>
      <SelectField
        param="overlapSeconds"
        label="Also sign with the old secret"
        data={OVERLAPS}
        value={overlap}
        data-autofocus
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

function Disable({ endpoint, close }: DialogProps) {
  const { client } = useWorkplace()
  const disable = useAction(() => client.webhookEndpoints.update(endpoint.id, { status: 'disabled' }), {
    refreshes: REFRESHES,
    onDone: close,
  })
  return (
    <Confirm
      title="Disable this endpoint?"
      action="Disable endpoint"
      typed="disable"
      isBusy={disable.isBusy}
      error={disable.error}
      confirm={() => void disable.run()}
      close={close}
    >
      It will receive no more events. After you enable it again, you can recover the events it missed, which are kept
      for at least 30 days.
    </Confirm>
  )
}

function Delete({ endpoint, close }: DialogProps) {
  const { client } = useWorkplace()
  const go = useGo()
  const remove = useAction(() => client.webhookEndpoints.delete(endpoint.id), {
    refreshes: REFRESHES,
    onDone: () => {
      toast('Endpoint deleted.')
      go(paths.webhooks())
    },
  })
  return (
    <Confirm
      title="Delete this endpoint?"
      action="Delete endpoint"
      typed="delete"
      isBusy={remove.isBusy}
      error={remove.error}
      confirm={() => void remove.run()}
      close={close}
    >
      Its secret is deleted, and waiting deliveries are not sent. This cannot be undone.
    </Confirm>
  )
}
