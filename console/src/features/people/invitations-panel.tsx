// Invitations that are open, and a new one. The link is shown once, and mailed if the server has a mail server.
import { Button } from '@mantine/core'
import type { CreatedInvitation, Invitation } from '@cardstock/sdk'
import { useState } from 'react'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, Problem } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { ShownOnce } from '~/ui/shown-once.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { toast } from '~/ui/toast.ts'
import { Time } from '~/ui/time.tsx'
import type { ReadBatch } from '~/ui/use-long-list.ts'
import { LinkSent } from './link-sent.tsx'
import { RoleField } from './people-panel.tsx'
import { PEOPLE_MAX, type PeopleSource, type Role, ROLE_MEANINGS } from './source.ts'

const MAIL_WORDS: Readonly<Record<Invitation['mail'], string>> = {
  none: 'Not sent',
  limited: 'Not sent',
  waiting: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
}

const stillOpen = ({ status }: Invitation) => status === 'open'

export function InvitationsPanel({ source, mayChange }: { source: PeopleSource; mayChange: boolean }) {
  const query = useData('invitations', [source.name], (_client, options) =>
    source.invitations({ limit: PEOPLE_MAX }, options),
  )
  const revoke = useAction((id: string) => source.revokeInvitation(id), {
    refreshes: ['invitations', 'audit-log'],
    onDone: () => toast('Invitation revoked.'),
  })
  const columns: readonly Column<Invitation>[] = [
    { title: 'E-mail', role: 'name', show: ({ email }) => email },
    { title: 'Role', show: ({ role }) => ROLE_MEANINGS[role].title },
    { title: 'Invited by', show: ({ createdBy }) => createdBy },
    { title: 'Delivery', show: ({ mail }) => MAIL_WORDS[mail] },
    { title: 'Link expires', show: ({ expiresAt }) => <Time value={expiresAt} /> },
    ...(mayChange
      ? [
          {
            title: 'Actions',
            show: ({ id, email }: Invitation) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Revoke the invitation for ${email}`}
                loading={revoke.isBusy}
                onClick={() => void revoke.run(id)}
              >
                Revoke
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <Panel title="Open invitations" isFlush actions={<SaveInvitations source={source} />}>
      <Problem error={revoke.error} />
      <Loaded query={query}>
        {({ data }) => {
          const open = data.filter(stillOpen)
          return open.length === 0 ? (
            <Empty icon="users" title="No open invitations">
              {mayChange
                ? 'Invite someone. The link is shown once, so that you can pass it on.'
                : 'Owners can invite people.'}
            </Empty>
          ) : (
            <Table label="Open invitations" columns={columns} rows={open} keyOf={({ id }) => id} />
          )
        }}
      </Loaded>
    </Panel>
  )
}

function SaveInvitations({ source }: { source: PeopleSource }) {
  const read: ReadBatch<Invitation> = async (_client, filter, options) => {
    const { data, nextCursor } = await source.invitations(filter, options)
    return { data: data.filter(stillOpen), nextCursor }
  }
  return <ExportCsv title="Open invitations" size="xs" read={read} filter={{}} />
}

export function Invite({ source }: { source: PeopleSource }) {
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedInvitation>()
  return (
    <>
      <Button onClick={() => setOpen(true)}>Invite person</Button>
      {isOpen ? (
        <InviteForm
          source={source}
          close={() => setOpen(false)}
          onCreated={(invitation) => {
            setOpen(false)
            setCreated(invitation)
          }}
        />
      ) : null}
      {created === undefined ? null : (
        <ShownOnce
          title={`Invitation link for ${created.email}`}
          secret={created.url}
          close={() => setCreated(undefined)}
        >
          <LinkSent email={created.email} mail={created.mail} /> It works once.
        </ShownOnce>
      )}
    </>
  )
}

interface InviteFormProps {
  readonly source: PeopleSource
  onCreated(invitation: CreatedInvitation): void
  close(): void
}

function InviteForm({ source, onCreated, close }: InviteFormProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>(source.roles.at(-1) ?? 'viewer')
  const invite = useAction(() => source.invite({ email: email.trim(), role }), {
    refreshes: ['invitations', 'audit-log'],
    onDone: onCreated,
  })
  return (
    <FormDialog
      title="Invite person"
      action="Create invitation"
      isReady={email.trim() !== ''}
      isBusy={invite.isBusy}
      error={invite.error}
      submit={() => void invite.run()}
      close={close}
    >
      <TextField
        param="email"
        label="E-mail"
        type="email"
        description="They use it to sign in."
        required
        value={email}
        data-autofocus
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleField roles={source.roles} value={role} onChange={setRole} />
    </FormDialog>
  )
}
