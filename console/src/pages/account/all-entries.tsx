// The entries of days that have more than a statement can contain: a long list, without totals, files and proof.
import { Filters } from '~/ui/filters.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Stack } from '~/ui/page.tsx'
import { ENTRY_FILTERS, EntryList } from './entries.tsx'
import type { Range } from '~/lib/ranges.ts'

export function AllEntries({ range, message }: { range: Range; message: string }) {
  return (
    <Stack>
      <Notice tone="amber" title="These days have too many entries for a statement">
        <p>{message}</p>
        <p>All entries are listed below. Choose fewer days to see figures, files and the proof.</p>
      </Notice>
      <div>
        <Filters filters={ENTRY_FILTERS} list="Entries" />
        <EntryList range={range} />
      </div>
    </Stack>
  )
}
