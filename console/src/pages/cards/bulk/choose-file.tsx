// Chooses the file, and gives out templates of it.
import { Button, TextInput } from '@mantine/core'
import { BULK_BATCH_LENGTH_MAX, BULK_ROWS_MAX, type BulkType, bulkTemplate } from '@cardstock/sdk/bulk'
import { type FormEvent, useId, useState } from 'react'
import { saveFile } from '~/lib/save-file.ts'
import { FormColumn, Panel } from '~/ui/page.tsx'
import styles from './bulk.module.css'

interface Props {
  readonly isBusy: boolean
  check(chosen: File, batch: string): void
}

export function ChooseFile({ isBusy, check }: Props) {
  const [chosen, setChosen] = useState<File>()
  const [batch, setBatch] = useState('')
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen !== undefined) check(chosen, batch.trim())
  }
  const save = (type: BulkType, name: string) =>
    saveFile(new Blob([bulkTemplate(type)], { type: 'text/csv;charset=utf-8' }), name)
  return (
    <FormColumn>
      <Panel title="Template">
        <div className={styles.fields}>
          <p>
            One row for each card, at most {BULK_ROWS_MAX.toLocaleString('en')}. The ids are on the pages of holders,
            cards and services, and in the lists of the API.
          </p>
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => save('issue', 'issue-cards.csv')}>
              Template to issue cards
            </Button>
            <Button variant="default" onClick={() => save('topup', 'top-up-cards.csv')}>
              Template to top up
            </Button>
          </div>
        </div>
      </Panel>
      <Panel title="File">
        <form onSubmit={submit} className={styles.fields}>
          <div className={styles.file}>
            <label htmlFor={id}>CSV file</label>
            <input
              id={id}
              type="file"
              accept=".csv,text/csv"
              onChange={(event) => setChosen(event.currentTarget.files?.[0])}
            />
          </div>
          <TextInput
            label="Batch"
            description="Leave it empty. To send the same file again on purpose, name the batch, such as August."
            maxLength={BULK_BATCH_LENGTH_MAX}
            value={batch}
            onChange={(event) => setBatch(event.currentTarget.value)}
          />
          <p className="muted">Checking sends nothing. You see the price of every row first.</p>
          <div>
            <Button type="submit" disabled={chosen === undefined} loading={isBusy}>
              Check file
            </Button>
          </div>
        </form>
      </Panel>
    </FormColumn>
  )
}
