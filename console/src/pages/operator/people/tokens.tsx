// Operator tokens: what the command line and scripts use. A token can do everything that an operator can.
import { Button, TextInput } from '@mantine/core'
import type { CreatedOperatorToken, OperatorToken } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, OnlyNewest } from '~/ui/notice.tsx'
import { Panel, PanelActions } from '~/ui/page.tsx'
import { ShownOnce } from '~/ui/shown-once.tsx'
import { Status } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { toast } from '~/ui/toast.ts'
import { Time } from '~/ui/time.tsx'

const TOKENS_MAX = 100

export function Tokens({ isOperator }: { isOperator: boolean }) {
  const query = useData('operator-tokens', [], (_client, options) =>
    api.admin.operatorTokens.list({ limit: TOKENS_MAX }, options),
  )
  const [revoked, setRevoked] = useState<OperatorToken>()
  const columns: readonly Column<OperatorToken>[] = [
    { title: 'Name', role: 'name', show: ({ name }) => name },
    {
      title: 'Token',
      show: ({ prefix, last4 }) => (
        <code>
          {prefix}…{last4 ?? ''}
        </code>
      ),
    },
    { title: 'Status', show: ({ revokedAt }) => <Status value={revokedAt === null ? 'active' : 'revoked'} /> },
    { title: 'Created', show: ({ createdAt }) => <Time value={createdAt} /> },
    { title: 'Last used', show: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time value={lastUsedAt} />) },
    ...(isOperator ? [revokeColumn(setRevoked)] : []),
  ]
  return (
    <Panel
      title="Operator tokens"
      isFlush
      actions={
        <PanelActions>
          <ExportCsv
            title="Operator tokens"
            size="xs"
            read={(_client, filter, options) => api.admin.operatorTokens.list(filter, options)}
            filter={{}}
          />
          {isOperator ? <CreateToken /> : null}
        </PanelActions>
      }
    >
      <Loaded query={query}>
        {({ data, nextCursor }) =>
          data.length === 0 ? (
            <Empty icon="key" title="No tokens yet">
              The command line and scripts use a token instead of signing in.
            </Empty>
          ) : (
            <>
              <Table label="Operator tokens" columns={columns} rows={data} keyOf={({ id }) => id} />
              {nextCursor === null ? null : <OnlyNewest count={TOKENS_MAX} />}
            </>
          )
        }
      </Loaded>
      {revoked === undefined ? null : <RevokeToken token={revoked} close={() => setRevoked(undefined)} />}
    </Panel>
  )
}

function revokeColumn(set: (token: OperatorToken) => void): Column<OperatorToken> {
  return {
    title: 'Actions',
    show: (token) =>
      token.revokedAt === null ? (
        <Button size="xs" variant="default" aria-label={`Revoke ${token.name}`} onClick={() => set(token)}>
          Revoke
        </Button>
      ) : null,
  }
}

function CreateToken() {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [created, setCreated] = useState<CreatedOperatorToken>()
  const create = useAction(() => api.admin.operatorTokens.create({ name: name.trim() }), {
    refreshes: ['operator-tokens', 'audit-log'],
    onDone: (token: CreatedOperatorToken) => {
      setOpen(false)
      setName('')
      setCreated(token)
    },
  })
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Create token
      </Button>
      {isOpen ? (
        <FormDialog
          title="Create operator token"
          action="Create token"
          isReady={name.trim() !== ''}
          isBusy={create.isBusy}
          error={create.error}
          submit={() => void create.run()}
          close={() => setOpen(false)}
        >
          <p>
            An operator token can do everything an operator can. Create one for each script, so that you can revoke each
            on its own.
          </p>
          <TextField
            param="name"
            label="Name"
            description="Who or what will use it."
            required
            maxLength={255}
            value={name}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </FormDialog>
      ) : null}
      {created === undefined ? null : (
        <ShownOnce
          title={`Operator token “${created.name}”`}
          secret={created.token}
          close={() => setCreated(undefined)}
        >
          Set it as the environment variable <code>CARDSTOCK_OPERATOR_TOKEN</code>.
        </ShownOnce>
      )}
    </>
  )
}

/** A token gives access to live money, so its name must be typed in either environment. */
function RevokeToken({ token, close }: { token: OperatorToken; close: () => void }) {
  const [typed, setTyped] = useState('')
  const revoke = useAction(() => api.admin.operatorTokens.revoke(token.id), {
    refreshes: ['operator-tokens', 'audit-log'],
    onDone: () => {
      toast('Token revoked.')
      close()
    },
  })
  return (
    <FormDialog
      title={`Revoke “${token.name}”?`}
      action="Revoke token"
      isReady={typed.trim() === token.name}
      isBusy={revoke.isBusy}
      isDestructive
      error={revoke.error}
      submit={() => void revoke.run()}
      close={close}
    >
      <p>Requests with this token are refused within a second. This cannot be undone.</p>
      <TextInput
        label={`Type ${token.name} to confirm`}
        autoComplete="off"
        value={typed}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
