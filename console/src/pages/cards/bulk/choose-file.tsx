// Chooses the file, and gives out templates of it.
import { Button } from '@mantine/core'
import { BULK_BATCH_LENGTH_MAX, BULK_ROWS_MAX, type BulkType, bulkTemplate } from '@cardstock/sdk/bulk'
import { useId, useState } from 'react'
import { saveFile } from '~/lib/save-file.ts'
import { TextField } from '~/ui/fields.tsx'
import { Form } from '~/ui/form.tsx'
import { FormColumn, Panel } from '~/ui/page.tsx'
import { Refused, useRefused } from '~/ui/refusal.tsx'
import { FILE } from './use-bulk.ts'
import form from '~/ui/form.module.css'
import styles from './bulk.module.css'

interface Props {
  readonly isBusy: boolean
  readonly error: unknown
  check(chosen: File, batch: string): void
}

export function ChooseFile({ isBusy, error, check }: Props) {
  const [chosen, setChosen] = useState<File>()
  const [batch, setBatch] = useState('')
  const submit = () => {
    if (chosen !== undefined) check(chosen, batch.trim())
  }
  const save = (type: BulkType, name: string) =>
    saveFile(new Blob([bulkTemplate(type)], { type: 'text/csv;charset=utf-8' }), name)
  return (
    <FormColumn>
      <Panel title="Template">
        <div className={styles.fields}>
          <p>
            One row for each card, at most {BULK_ROWS_MAX.toLocaleString('en')}. The ids of holders and cards are on
            their pages. The CSV file of the card list has them too, with the ids of products.
          </p>
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => save('issue', 'issue-cards.csv')}>
              Download issue template
            </Button>
            <Button variant="default" onClick={() => save('topup', 'top-up-cards.csv')}>
              Download top-up template
            </Button>
          </div>
        </div>
      </Panel>
      <Panel title="File">
        <Form error={error} submit={submit} className={styles.fields}>
          <FileField onChange={setChosen} />
          <TextField
            param="batch"
            label="Batch"
            description="Usually empty. To send the same file again on purpose, name the batch, such as August."
            maxLength={BULK_BATCH_LENGTH_MAX}
            value={batch}
            onChange={(event) => setBatch(event.currentTarget.value)}
          />
          <Refused />
          <p className="muted">Checking does not send anything. You see the price of every row first.</p>
          <div>
            <Button type="submit" disabled={chosen === undefined} loading={isBusy}>
              Check file
            </Button>
          </div>
        </Form>
      </Panel>
    </FormColumn>
  )
}

function FileField({ onChange }: { onChange: (file: File | undefined) => void }) {
  const id = useId()
  const label = 'CSV file'
  const refused = useRefused(FILE, { label, onChange })
  const isWrong = refused.error !== undefined
  return (
    <div className={styles.file}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        aria-invalid={isWrong}
        {...(isWrong ? { 'aria-describedby': `${id}-error` } : {})}
        onChange={(event) => refused.onChange(event.currentTarget.files?.[0])}
      />
      {isWrong ? (
        <p id={`${id}-error`} className={form.fieldError}>
          {refused.error}
        </p>
      ) : null}
    </div>
  )
}
