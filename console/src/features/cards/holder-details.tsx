// What the issuer of live cards needs to know of a holder: a form made of the fields that the issuer asks for. What was entered goes to the
// issuer and is never shown again.
import { Button } from '@mantine/core'
import type { CallOptions, HolderDetails, HolderDetailsEntry } from '@cardstock/sdk'
import { useState } from 'react'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Time } from '~/ui/time.tsx'
import { toast } from '~/ui/toast.ts'
import styles from '~/ui/form.module.css'

/** What the API allows for one detail. */
const VALUE_LENGTH_MAX = 200

export interface DetailsSource {
  readonly holder: { readonly id: string; readonly name: string }
  readonly mayEnter: boolean
  read(options: CallOptions): Promise<HolderDetails>
  enter(entry: HolderDetailsEntry): Promise<HolderDetails>
}

export function HolderDetailsBody({ source }: { source: DetailsSource }) {
  const query = useData('holders', ['details', source.holder.id], (_client, options) => source.read(options))
  return <Loaded query={query}>{(details) => <Shown details={details} source={source} />}</Loaded>
}

function Shown({ details, source }: { details: HolderDetails; source: DetailsSource }) {
  const [isOpen, setOpen] = useState(false)
  const { isOffered, reason, fields, enteredAt, isEnrolled } = details
  if (!isOffered) return <p>{reason}</p>
  if (fields.length === 0) return <p>The issuer needs nothing beyond the name and the e-mail address.</p>
  const isMissing = enteredAt === null && !isEnrolled && fields.some(({ isRequired }) => isRequired)
  return (
    <>
      <p>
        {enteredAt === null ? (
          isMissing ? (
            'This holder can get a card once these details are entered.'
          ) : (
            'These details have not been entered.'
          )
        ) : (
          <>
            Entered <Time value={enteredAt} precision="long" />. The issuer keeps them; they are not shown again.
          </>
        )}
      </p>
      {isEnrolled ? (
        <p>This holder is already registered with the card provider. New details do not change that registration.</p>
      ) : null}
      <p>{fields.map(({ label }) => label).join(' · ')}</p>
      {source.mayEnter ? (
        <div className={styles.buttons}>
          <Button variant="default" onClick={() => setOpen(true)}>
            {enteredAt === null ? 'Enter details' : 'Enter details again'}
          </Button>
          {enteredAt === null ? null : <RemoveDetails source={source} />}
        </div>
      ) : null}
      {isOpen ? <DetailsForm details={details} source={source} close={() => setOpen(false)} /> : null}
    </>
  )
}

/** The details of a holder who gets no more cards need not stay with the issuer. */
function RemoveDetails({ source }: { source: DetailsSource }) {
  const [isOpen, setOpen] = useState(false)
  const remove = useAction(() => source.enter({ values: [] }), {
    refreshes: ['holders', 'audit-log'],
    onDone: () => {
      toast('Details removed.')
      setOpen(false)
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Remove details
      </Button>
      {isOpen ? (
        <FormDialog
          title={`Remove the details of ${source.holder.name}?`}
          action="Remove details"
          isDestructive
          isBusy={remove.isBusy}
          error={remove.error}
          submit={() => void remove.run()}
          close={() => setOpen(false)}
        >
          <p>The issuer deletes them. Details that the card provider already has remain there.</p>
        </FormDialog>
      ) : null}
    </>
  )
}

function DetailsForm({ details, source, close }: { details: HolderDetails; source: DetailsSource; close: () => void }) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const { fields } = details
  const textOf = (name: string) => (texts[name] ?? '').trim()
  const values = fields.flatMap(({ name }) => (textOf(name) === '' ? [] : [{ field: name, value: textOf(name) }]))
  const save = useAction(() => source.enter({ values }), {
    refreshes: ['holders', 'audit-log'],
    onDone: () => {
      toast('Details sent.')
      close()
    },
  })
  return (
    <FormDialog
      title={`Details of ${source.holder.name}`}
      action="Send details"
      isReady={fields.every(({ name, isRequired }) => !isRequired || textOf(name) !== '') && values.length > 0}
      isBusy={save.isBusy}
      error={save.error}
      submit={() => void save.run()}
      close={close}
    >
      <p>
        The details go to the card issuer; this server does not store them. Enter all of them: they replace any earlier
        details.
      </p>
      {fields.map(({ name, label, isRequired }) => (
        <TextField
          key={name}
          param={name}
          label={label}
          required={isRequired}
          maxLength={VALUE_LENGTH_MAX}
          autoComplete="off"
          value={texts[name] ?? ''}
          onChange={({ currentTarget: { value } }) => setTexts((former) => ({ ...former, [name]: value }))}
        />
      ))}
    </FormDialog>
  )
}
