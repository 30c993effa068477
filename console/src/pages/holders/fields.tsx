// The fields of a holder. What is typed survives a reload.
import { useKeptText } from '~/api/use-kept-text.ts'
import { SelectField, TextField } from '~/ui/fields.tsx'
import { KINDS } from './words.ts'
import styles from './holders.module.css'

export const FORM = 'add holder'
const LENGTH_MAX = 255
const EMAIL_LENGTH_MAX = 320

type Draft = ReturnType<typeof useHolderDraft>

export function useHolderDraft() {
  const [name, setName] = useKeptText(`${FORM} name`)
  const [email, setEmail] = useKeptText(`${FORM} email`)
  const [kind, setKind] = useKeptText(`${FORM} kind`, 'individual')
  const [externalId, setExternalId] = useKeptText(`${FORM} external id`)
  const clear = () => {
    for (const set of [setName, setEmail, setExternalId]) set('')
  }
  return { name, setName, email, setEmail, kind, setKind, externalId, setExternalId, clear }
}

export function HolderFields({ draft }: { draft: Draft }) {
  return (
    <div className={styles.fields}>
      <TextField
        param="name"
        label="Name"
        description="The full name of the person, or the registered name of the company."
        required
        maxLength={LENGTH_MAX}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => draft.setName(event.currentTarget.value)}
      />
      <TextField
        param="email"
        label="E-mail"
        type="email"
        required
        maxLength={EMAIL_LENGTH_MAX}
        autoComplete="off"
        value={draft.email}
        onChange={(event) => draft.setEmail(event.currentTarget.value)}
      />
      <SelectField
        param="kind"
        label="Kind"
        value={draft.kind}
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        onChange={(event) => draft.setKind(event.currentTarget.value)}
      />
      <TextField
        param="externalId"
        label="Your id"
        description="Optional. The id of this holder in your own system."
        maxLength={LENGTH_MAX}
        autoComplete="off"
        value={draft.externalId}
        onChange={(event) => draft.setExternalId(event.currentTarget.value)}
      />
    </div>
  )
}
