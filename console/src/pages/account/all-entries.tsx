// The entries of days that have more than a statement can contain: a long list, without totals, files and proof.
import { Notice } from '~/ui/notice.tsx'
import { Stack } from '~/ui/page.tsx'
import { EntryList } from './entries.tsx'
import type { Range } from '~/lib/ranges.ts'

export function AllEntries({ range, message }: { range: Range; message: string }) {
  return (
    <Stack>
      <Notice tone="amber" title="Too many entries for one statement">
        <p>{message}</p>
        <p>All entries are listed below. For totals, downloads and the proof, choose a shorter period.</p>
      </Notice>
      <EntryList range={range} />
    </Stack>
  )
}
