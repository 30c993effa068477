// Creates a key: what it is for, what it may do, until when, and from where. The key itself is shown once.
import { Button } from '@mantine/core'
import type { CreatedApiKey, Environment, NewApiKey, Scope } from '@cardstock/sdk'
import { useId, useState } from 'react'
import { useAction } from '~/api/use-action.ts'
import { now } from '~/lib/clock.ts'
import { SelectField, TextAreaField, TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { useRefused } from '~/ui/refusal.tsx'
import { KEY_SCOPES, READ_SCOPES, SCOPE_MEANINGS } from './scopes.ts'
import type { KeySource } from './source.ts'
import form from '~/ui/form.module.css'
import styles from './keys.module.css'

interface Props {
  readonly source: KeySource
  /** Left out: the form asks for it. */
  readonly environment?: Environment
  onCreated(key: CreatedApiKey): void
  close(): void
}

const DAY_MS = 86_400_000
/** Days until a key expires. An empty value never expires. */
const EXPIRIES = [
  { value: '', label: 'Does not expire' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

export function CreateKey({ source, environment: fixed, onCreated, close }: Props) {
  const [name, setName] = useState('')
  const [environment, setEnvironment] = useState<Environment>(fixed ?? 'sandbox')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [days, setDays] = useState('')
  const [networks, setNetworks] = useState('')
  const create = useAction((key: NewApiKey) => source.create(key), { refreshes: ['keys'], onDone: onCreated })
  const submit = () => {
    const allowedCidrs = networks.split(/[\s,]+/).filter((network) => network !== '')
    void create.run({
      environment,
      name: name.trim(),
      scopes,
      ...(days === '' ? {} : { expiresAt: new Date(now() + Number(days) * DAY_MS).toISOString() }),
      ...(allowedCidrs.length === 0 ? {} : { allowedCidrs }),
    })
  }
  return (
    <FormDialog
      title="Create API key"
      action="Create key"
      isReady={name.trim() !== '' && scopes.length > 0}
      isBusy={create.isBusy}
      error={create.error}
      submit={submit}
      close={close}
    >
      <TextField
        param="name"
        label="Name"
        description="What the key is for, such as “Back office”."
        required
        maxLength={255}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {fixed === undefined ? <EnvironmentField value={environment} onChange={setEnvironment} /> : null}
      <ScopeFields value={scopes} offered={KEY_SCOPES.filter(source.mayGive)} onChange={setScopes} />
      <SelectField
        param="expiresAt"
        label="Expiry"
        description="The event api_key.expiring is sent seven days before."
        data={EXPIRIES}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <NetworksField value={networks} onChange={setNetworks} />
    </FormDialog>
  )
}

function EnvironmentField({ value, onChange }: { value: Environment; onChange: (value: Environment) => void }) {
  return (
    <SelectField
      param="environment"
      label="Environment"
      description="A sandbox key cannot move real money."
      data={[
        { value: 'sandbox', label: 'Sandbox' },
        { value: 'live', label: 'Live' },
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Environment)}
    />
  )
}

function NetworksField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextAreaField
      param="allowedCidrs"
      label="IP addresses"
      description="The networks that can use the key, one per line, such as 203.0.113.0/24. Leave it empty to allow all."
      rows={2}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ScopeFieldsProps {
  readonly value: readonly Scope[]
  readonly offered: readonly Scope[]
  onChange(scopes: readonly Scope[]): void
}

function ScopeFields({ value, offered, onChange }: ScopeFieldsProps) {
  const label = 'Permissions'
  const { error, onChange: choose } = useRefused('scopes', { label, onChange })
  const errorId = useId()
  const isWrong = error !== undefined
  const toggle = (scope: Scope) =>
    choose(value.includes(scope) ? value.filter((other) => other !== scope) : [...value, scope])
  const missing = KEY_SCOPES.filter((scope) => !offered.includes(scope))
  return (
    <fieldset className={styles.scopes} {...(isWrong ? { 'aria-describedby': errorId } : {})}>
      <legend>{label}</legend>
      <div className={styles.presets}>
        <Button
          size="xs"
          variant="default"
          onClick={() => choose(READ_SCOPES.filter((scope) => offered.includes(scope)))}
        >
          Read only
        </Button>
        <Button size="xs" variant="default" onClick={() => choose(offered)}>
          {missing.length === 0 ? 'Everything' : 'Everything you can give'}
        </Button>
      </div>
      <div className={styles.scopeGrid}>
        {offered.map((scope) => (
          <label key={scope} className={styles.scope}>
            <input
              type="checkbox"
              aria-invalid={isWrong}
              checked={value.includes(scope)}
              onChange={() => toggle(scope)}
            />
            <span className={styles.scopeTitle}>{SCOPE_MEANINGS[scope]?.title ?? scope}</span>
            <span className={styles.scopeText}>{SCOPE_MEANINGS[scope]?.text}</span>
            <code className={styles.scopeName}>{scope}</code>
          </label>
        ))}
      </div>
      {isWrong ? (
        <p id={errorId} className={form.fieldError}>
          {error}
        </p>
      ) : null}
      {missing.length === 0 ? null : (
        <p className={styles.scopeText}>
          A key can do no more than its creator. Your role does not include {missing.join(', ')} here. Ask an owner to
          create a key that does.
        </p>
      )}
    </fieldset>
  )
}
