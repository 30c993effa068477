// The entries of days that have more than a statement can contain: a long list, without totals, files and proof.
import type { StatementEntry } from '@cardstock/sdk'
import { useSearch } from '~/lib/use-search.ts'
import { findObjectPath } from '~/paths.ts'
import { Filters, pickFilters } from '~/ui/filters.tsx'
import { LongList } from '~/ui/long-list.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Stack } from '~/ui/page.tsx'
import { ENTRY_COLUMNS, ENTRY_FILTERS } from './entries.tsx'
import type { Range } from './ranges.ts'

export function AllEntries({ range, message }: { range: Range; message: string }) {
  const chosen = pickFilters(ENTRY_FILTERS, useSearch())
  return (
    <Stack>
      <Notice tone="amber" title="These days have too many entries for a statement">
        <p>{message}</p>
        <p>All entries are listed below. Choose fewer days to see figures, files and the proof.</p>
      </Notice>
      <div>
        <Filters filters={ENTRY_FILTERS} />
        <LongList<StatementEntry>
          title="Entries"
          topic="statements"
          base={{ from: range.from, to: range.to }}
          chosen={chosen}
          read={(client, filter, options) => client.balance.entries(filter, options)}
          columns={ENTRY_COLUMNS}
          keyOf={({ id }) => id}
          hrefOf={({ reference }) => findObjectPath(reference)}
          empty={null}
        />
      </div>
    </Stack>
  )
}
