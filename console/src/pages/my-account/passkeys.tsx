// Your passkeys: adding, renaming and removing them.
import { Button, Menu } from '@mantine/core'
import type { Passkey } from '@cardstock/sdk/console'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { hasPasskeys } from '~/features/passkeys/device.ts'
import { asBatch, ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel, PanelActions } from '~/ui/page.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { AddPasskey, RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx'

type Change = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

const WHAT =
  'A passkey is stored on your phone, computer or security key. You unlock it with your fingerprint, face or PIN, without a password.'

export function Passkeys() {
  const [change, setChange] = useState<Change>()
  const query = useData('passkeys', [], (_client, options) => api.account.passkeys(options))
  const close = () => setChange(undefined)
  const add = hasPasskeys() ? (
    <Button size="xs" onClick={() => setChange({ kind: 'add' })}>
      Add passkey
    </Button>
  ) : null
  return (
    <Panel
      title="Passkeys"
      isFlush
      actions={
        <PanelActions>
          <ExportCsv
            title="Passkeys"
            size="xs"
            read={async (_client, _filter, options) => asBatch((await api.account.passkeys(options)).data)}
            filter={{}}
          />
          {add}
        </PanelActions>
      }
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="key" title="No passkeys yet">
              {WHAT}
              {add === null
                ? ' You cannot add one at this address: passkeys need HTTPS and a domain name, or localhost.'
                : ''}
            </Empty>
          ) : (
            <Table label="Passkeys" columns={columnsOf(setChange)} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {change?.kind === 'add' ? <AddPasskey close={close} /> : null}
      {change?.kind === 'rename' ? <RenamePasskey passkey={change.passkey} close={close} /> : null}
      {change?.kind === 'remove' ? <RemovePasskey passkey={change.passkey} close={close} /> : null}
    </Panel>
  )
}

function columnsOf(set: (change: Change) => void): readonly Column<Passkey>[] {
  return [
    { title: 'Passkey', role: 'name', show: ({ name }) => name },
    { title: 'Stored', show: ({ isSynced }) => (isSynced ? 'On several devices' : 'On one device') },
    { title: 'Works at', show: ({ domain }) => domain },
    { title: 'Added', show: ({ createdAt }) => <Time value={createdAt} /> },
    { title: 'Last used', show: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time value={lastUsedAt} />) },
    {
      title: 'Actions',
      show: (passkey) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" aria-label={`Change ${passkey.name}`}>
              Change
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => set({ kind: 'rename', passkey })}>Rename</Menu.Item>
            <Menu.Item onClick={() => set({ kind: 'remove', passkey })}>Remove</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ]
}
