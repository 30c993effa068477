// Saves a list, as far as the filters choose it, as a CSV file.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Batch } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { utcDay } from '~/lib/clock.ts'
import { saveFile } from '~/lib/save-file.ts'
import { toCsv } from './csv-rows.ts'
import { Notice, Problem } from './notice.tsx'
import { toast } from './toast.ts'
import { type ReadBatch, ROWS_PER_BATCH } from './use-long-list.ts'

/** About ten seconds of reading. Longer exports belong to the command line, which does not hold them in a page. */
const ROWS_MAX = 10_000
const LABEL = 'Download CSV'

interface Props<Row> {
  /** Names the file. */
  readonly title: string
  /** Small in the head of a panel. */
  readonly size?: 'xs'
  readonly read: ReadBatch<Row>
  readonly filter: Readonly<Record<string, string>>
}

export function ExportCsv<Row extends object>({ title, size, read, filter }: Props<Row>) {
  const { client } = useWorkplace()
  const [count, setCount] = useState(0)
  const [cutAt, setCutAt] = useState<number>()
  const save = useAction(
    async () => {
      setCutAt(undefined)
      const rows: Row[] = []
      let cursor: string | null | undefined
      do {
        const query = { ...filter, limit: ROWS_PER_BATCH, ...(cursor === undefined ? {} : { cursor }) }
        const batch = await read(client, query, { signal: new AbortController().signal })
        rows.push(...batch.data)
        setCount(rows.length)
        cursor = batch.nextCursor
      } while (cursor !== null && rows.length < ROWS_MAX)
      const isCut = cursor !== null
      const part = isCut ? `-first-${rows.length}` : ''
      const name = `${title.toLowerCase().replaceAll(' ', '-')}-${utcDay()}${part}.csv`
      saveFile(new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' }), name)
      return { count: rows.length, isCut }
    },
    {
      onDone: (saved) => {
        // That a file is incomplete must not disappear as a toast does.
        if (saved.isCut) setCutAt(saved.count)
        else toast(`${saved.count.toLocaleString('en')} ${saved.count === 1 ? 'row' : 'rows'} saved.`)
      },
    },
  )
  return (
    <>
      <Button
        variant="default"
        {...(size === undefined ? {} : { size })}
        // A page may have several lists.
        aria-label={save.isBusy ? undefined : `${LABEL}: ${title}`}
        disabled={save.isBusy}
        onClick={() => void save.run()}
      >
        {save.isBusy ? `Reading… ${count.toLocaleString('en')}` : LABEL}
      </Button>
      {cutAt === undefined ? null : (
        <div role="alert">
          <Notice tone="amber">
            <p>
              The file is incomplete: only the first {cutAt.toLocaleString('en')} rows were saved. For the rest, use
              filters or the cardstock command.
            </p>
          </Notice>
        </div>
      )}
      <Problem error={save.error} />
    </>
  )
}

/** For a list that the API returns whole. */
export const asBatch = <Row,>(rows: readonly Row[]): Batch<Row> => ({ data: [...rows], nextCursor: null })
