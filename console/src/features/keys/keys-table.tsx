// Keys in a table, with what can be done to each. The keys themselves are never there.
import { Button } from '@mantine/core'
import type { ApiKey, CreatedApiKey } from '@cardstock/sdk'
import { useState } from 'react'
import { now } from '~/lib/clock.ts'
import { ShownOnce } from '~/ui/shown-once.tsx'
import { Status } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { RevokeKey, RotateKey } from './change-key.tsx'
import { KEY_SCOPES } from './scopes.ts'
import { endOf, type KeySource } from './source.ts'
import styles from './keys.module.css'

const NONE: readonly Column<ApiKey>[] = []

interface Props {
  readonly source: KeySource
  readonly keys: readonly ApiKey[]
  readonly mayChange: boolean
  /** Columns that only some pages need, such as the environment. */
  readonly extra?: readonly Column<ApiKey>[]
}

export function KeysTable({ source, keys, mayChange, extra = NONE }: Props) {
  const [change, setChange] = useState<{ kind: 'rotate' | 'revoke'; key: ApiKey }>()
  const [created, setCreated] = useState<CreatedApiKey>()
  const close = () => setChange(undefined)
  const columns: readonly Column<ApiKey>[] = [
    {
      title: 'Key',
      role: 'name',
      show: (key) => <KeyName apiKey={key} keys={keys} />,
    },
    ...extra,
    { title: 'Created', show: ({ createdAt }) => <Time value={createdAt} /> },
    { title: 'Status', show: (key) => <Status value={endOf(key, now()) ?? 'active'} /> },
    { title: 'Permissions', show: ({ scopes }) => <Scopes scopes={scopes} /> },
    {
      title: 'IP addresses',
      show: ({ allowedCidrs }) => (allowedCidrs.length === 0 ? 'All' : allowedCidrs.join(', ')),
    },
    {
      title: 'Last used',
      show: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time value={lastUsedAt} />),
    },
    {
      title: 'Expires',
      show: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time value={expiresAt} />),
    },
    ...(mayChange ? [actionsColumn(source, setChange)] : []),
  ]
  return (
    <>
      <Table label="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />
      {change?.kind === 'rotate' ? (
        <RotateKey
          source={source}
          apiKey={change.key}
          close={close}
          onCreated={(key) => {
            close()
            setCreated(key)
          }}
        />
      ) : null}
      {change?.kind === 'revoke' ? <RevokeKey source={source} apiKey={change.key} close={close} /> : null}
      {created === undefined ? null : <CreatedKey created={created} close={() => setCreated(undefined)} />}
    </>
  )
}

/** A rotated key and its successor have the same name, so each names the other by its last characters. */
function KeyName({ apiKey, keys }: { apiKey: ApiKey; keys: readonly ApiKey[] }) {
  const { id, name, prefix, last4, replacedBy } = apiKey
  const successor = keys.find((other) => other.id === replacedBy)
  const replaced = keys.find((other) => other.replacedBy === id)
  return (
    <>
      <span className={styles.name}>{name}</span>
      <code className={styles.key}>
        {prefix}…{last4}
      </code>
      {replacedBy === null ? null : (
        <span className={styles.relation}>Replaced by …{successor?.last4 ?? replacedBy}</span>
      )}
      {replaced === undefined ? null : <span className={styles.relation}>Replaces …{replaced.last4}</span>}
    </>
  )
}

export function CreatedKey({ created, close }: { created: CreatedApiKey; close: () => void }) {
  return (
    <ShownOnce title={`API key “${created.name}”`} secret={created.key} close={close}>
      Set it on your server as the environment variable <code>CARDSTOCK_API_KEY</code>. Never put it in a web page, an
      app or a repository.
    </ShownOnce>
  )
}

/** People cannot rotate a key that may do more than they may, because they would see the new key. */
function actionsColumn(
  { mayGive }: KeySource,
  set: (change: { kind: 'rotate' | 'revoke'; key: ApiKey }) => void,
): Column<ApiKey> {
  return {
    title: 'Actions',
    show: (key) =>
      endOf(key, now()) === undefined ? (
        <span className={styles.buttons}>
          <Button
            size="xs"
            variant="default"
            aria-label={`Rotate ${key.name}`}
            disabled={!key.scopes.every(mayGive)}
            title={
              key.scopes.every(mayGive) ? undefined : 'This key can do more than your role. Ask an owner to rotate it.'
            }
            onClick={() => set({ kind: 'rotate', key })}
          >
            Rotate
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Revoke ${key.name}`}
            onClick={() => set({ kind: 'revoke', key })}
          >
            Revoke
          </Button>
        </span>
      ) : null,
  }
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  if (scopes.length >= KEY_SCOPES.length) return <span>Everything</span>
  return (
    <span className={styles.chips}>
      {scopes.map((scope) => (
        <code key={scope} className={styles.chip}>
          {scope}
        </code>
      ))}
    </span>
  )
}
