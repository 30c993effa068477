// Saves the audit log, as far as the filters choose it, as a CSV file.
import { Button } from '@mantine/core'
import type { AuditEntry } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { utcDay } from '~/lib/clock.ts'
import { useSearch } from '~/lib/use-search.ts'
import { Problem } from '~/ui/notice.tsx'
import { toast } from '~/ui/toast.ts'
import { toCsv } from './csv.ts'

const ROWS_PER_BATCH = 100
/** About ten seconds of reading. Longer exports belong to `cardstock admin audit-log`, which does not hold them in a page. */
const ROWS_MAX = 10_000

export function ExportAuditLog() {
  const { companyId, object, actorId } = useSearch()
  const [count, setCount] = useState(0)
  const save = useAction(
    async () => {
      const entries: AuditEntry[] = []
      for await (const entry of api.admin.auditLog.list({ companyId, object, actorId, limit: ROWS_PER_BATCH })) {
        entries.push(entry)
        if (entries.length % ROWS_PER_BATCH === 0) setCount(entries.length)
        if (entries.length === ROWS_MAX) break
      }
      download(`audit-log-${utcDay()}.csv`, toCsv(entries))
      return entries.length
    },
    {
      onDone: (saved: number) =>
        toast(
          saved === ROWS_MAX
            ? `The newest ${ROWS_MAX} records are saved. Use cardstock admin audit-log for the rest.`
            : `${saved} ${saved === 1 ? 'record is' : 'records are'} saved.`,
        ),
    },
  )
  return (
    <>
      <Button variant="default" disabled={save.isBusy} onClick={() => void save.run()}>
        {save.isBusy ? `Reading … ${count}` : 'Export as CSV'}
      </Button>
      <Problem error={save.error} />
    </>
  )
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
