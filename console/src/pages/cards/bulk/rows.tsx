// Every row of the file with its price and what became of it.
import type { BulkItem, BulkState } from '@cardstock/sdk/bulk'
import { paths } from '~/paths.ts'
import { Money } from '~/ui/money.tsx'
import { Panel } from '~/ui/page.tsx'
import { Badge, Status } from '~/ui/status.tsx'
import type { Shape, Tone } from '~/ui/statuses.ts'
import type { Column } from '~/ui/table.tsx'
import { LongTable } from '~/ui/windowed-table.tsx'

const STATES: Readonly<Record<BulkState, readonly [word: string, tone: Tone, shape: Shape]>> = {
  ready: ['Ready', 'grey', 'ring'],
  refused: ['Refused', 'red', 'cross'],
  'sent before': ['Sent before', 'grey', 'check'],
  accepted: ['Accepted', 'green', 'check'],
  unknown: ['No answer', 'amber', 'triangle'],
}

const COLUMNS: readonly Column<BulkItem>[] = [
  { title: 'Row', role: 'name', show: ({ row }) => `Row ${row.number}` },
  {
    title: 'Status',
    show: ({ state }) => {
      const [word, tone, shape] = STATES[state]
      return (
        <Badge tone={tone} shape={shape}>
          {word}
        </Badge>
      )
    },
  },
  { title: 'Operation', show: ({ status }) => (status === undefined ? '–' : <Status value={status} />) },
  { title: 'For', show: ({ row }) => row.cells['holderId'] ?? row.cells['cardId'] ?? '–' },
  { title: 'Name', show: ({ row }) => row.cells['name'] || '–' },
  { title: 'Amount', role: 'figure', show: ({ row }) => row.cells['amount'] || '–' },
  { title: 'Fee', role: 'figure', show: ({ fee }) => (fee === undefined ? '–' : <Money value={fee} />) },
  { title: 'Total', role: 'amount', show: ({ total }) => (total === undefined ? '–' : <Money value={total} />) },
  { title: 'Message', show: ({ message }) => message ?? '–' },
]

export function BulkRows({ items }: { items: readonly BulkItem[] }) {
  return (
    <Panel title="Rows" isFlush>
      <LongTable
        label="Rows of the file"
        columns={COLUMNS}
        rows={items}
        keyOf={({ row }) => row.idempotencyKey}
        hrefOf={({ operationId }) => (operationId === undefined ? undefined : paths.operation(operationId))}
      />
    </Panel>
  )
}
