// Who belongs here, with their role, and what can be changed about them.
import { Button, Menu } from '@mantine/core'
import type { Person, ResetLink } from '@cardstock/sdk'
import { type ReactNode, useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { SelectField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel, PanelActions } from '~/ui/page.tsx'
import { ShownOnce } from '~/ui/shown-once.tsx'
import { Badge } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { toast } from '~/ui/toast.ts'
import { Time } from '~/ui/time.tsx'
import { LinkSent } from './link-sent.tsx'
import { PEOPLE_MAX, type PeopleSource, type Role, ROLE_MEANINGS } from './source.ts'

type Change = { kind: 'role' | 'remove' | 'reset'; person: Person }

interface Props {
  readonly source: PeopleSource
  readonly mayChange: boolean
  /** Beside the title, where the heading of the page is about something else. */
  readonly actions?: ReactNode
}

export function PeoplePanel({ source, mayChange, actions }: Props) {
  const { me } = useWorkplace()
  const [change, setChange] = useState<Change>()
  const query = useData('people', [source.name], (_client, options) => source.people({ limit: PEOPLE_MAX }, options))
  const close = () => setChange(undefined)
  const columns: readonly Column<Person>[] = [
    {
      title: 'Person',
      role: 'name',
      show: ({ id, name }) => (id === me.id ? `${name} (you)` : name),
    },
    { title: 'E-mail', show: ({ email }) => email },
    { title: 'Role', show: ({ role }) => ROLE_MEANINGS[role].title },
    {
      title: 'Second factor',
      show: ({ hasSecondFactor }) =>
        hasSecondFactor ? (
          <Badge tone="green" shape="check">
            Set up
          </Badge>
        ) : (
          <Badge tone="amber" shape="triangle">
            Missing
          </Badge>
        ),
    },
    { title: 'Last seen', show: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never' : <Time value={lastSeenAt} />) },
    ...(mayChange ? [actionsColumn(me.id, setChange)] : []),
  ]
  return (
    <Panel
      title="People"
      isFlush
      actions={
        <PanelActions>
          <SavePeople source={source} />
          {actions}
        </PanelActions>
      }
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="users" title="Nobody yet">
              Invite the first owner, who can then invite everyone else.
            </Empty>
          ) : (
            <Table label="People" columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {change?.kind === 'role' ? <ChangeRole source={source} person={change.person} close={close} /> : null}
      {change?.kind === 'remove' ? <Remove source={source} person={change.person} close={close} /> : null}
      {change?.kind === 'reset' ? <Reset source={source} person={change.person} close={close} /> : null}
    </Panel>
  )
}

function SavePeople({ source }: { source: PeopleSource }) {
  return (
    <ExportCsv
      title="People"
      size="xs"
      read={(_client, filter, options) => source.people(filter, options)}
      filter={{}}
    />
  )
}

function actionsColumn(ownId: string, set: (change: Change) => void): Column<Person> {
  return {
    title: 'Actions',
    show: (person) =>
      person.id === ownId ? (
        '–'
      ) : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" aria-label={`Change ${person.name}`}>
              Change
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => set({ kind: 'role', person })}>Change role</Menu.Item>
            <Menu.Item onClick={() => set({ kind: 'reset', person })}>Reset access</Menu.Item>
            <Menu.Item onClick={() => set({ kind: 'remove', person })}>Remove</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ),
  }
}

interface DialogProps {
  readonly source: PeopleSource
  readonly person: Person
  close(): void
}

export function RoleField({
  roles,
  value,
  onChange,
}: {
  roles: readonly Role[]
  value: Role
  onChange: (role: Role) => void
}) {
  return (
    <SelectField
      param="role"
      label="Role"
      description={ROLE_MEANINGS[value].text}
      data={roles.map((role) => ({ value: role, label: ROLE_MEANINGS[role].title }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
    />
  )
}

function ChangeRole({ source, person, close }: DialogProps) {
  const [role, setRole] = useState<Role>(person.role)
  const change = useAction(() => source.changeRole(person.id, role), {
    refreshes: ['people', 'audit-log'],
    onDone: () => {
      toast('Role changed.')
      close()
    },
  })
  return (
    <FormDialog
      title={`Change the role of ${person.name}`}
      action="Change role"
      isReady={role !== person.role}
      isBusy={change.isBusy}
      error={change.error}
      submit={() => void change.run()}
      close={close}
    >
      <RoleField roles={source.roles} value={role} onChange={setRole} />
    </FormDialog>
  )
}

function Remove({ source, person, close }: DialogProps) {
  const remove = useAction(() => source.remove(person.id), {
    refreshes: ['people', 'audit-log'],
    onDone: () => {
      toast('Person removed.')
      close()
    },
  })
  return (
    <Confirm
      title={`Remove ${person.name}?`}
      action="Remove person"
      typed={person.email}
      isBusy={remove.isBusy}
      error={remove.error}
      confirm={() => void remove.run()}
      close={close}
    >
      They lose access at once, in both environments. Keys they created keep working; revoke any that are no longer
      needed. You can invite them again.
    </Confirm>
  )
}

function Reset({ source, person, close }: DialogProps) {
  const [removesFactor, setRemovesFactor] = useState(false)
  const [link, setLink] = useState<ResetLink>()
  const reset = useAction(() => source.reset(person.id, { removeSecondFactor: removesFactor }), {
    refreshes: ['audit-log'],
    onDone: setLink,
  })
  if (link !== undefined) {
    return (
      <ShownOnce title={`Link for ${person.name}`} secret={link.url} close={close}>
        <LinkSent email={person.email} mail={link.mail} /> It works once and lets them choose a new password.
      </ShownOnce>
    )
  }
  return (
    <FormDialog
      title={`Reset access for ${person.name}`}
      action="Create link"
      isBusy={reset.isBusy}
      error={reset.error}
      submit={() => void reset.run()}
      close={close}
    >
      <p>Make sure that they really asked for it: anyone who opens the link can choose a new password.</p>
      <label>
        <input
          type="checkbox"
          checked={removesFactor}
          onChange={(event) => setRemovesFactor(event.currentTarget.checked)}
        />{' '}
        They have also lost their second factor
      </label>
    </FormDialog>
  )
}
