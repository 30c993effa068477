// How operations look in a table.
import type { Operation } from '@cardstock/sdk'
import { Money } from '~/ui/money.tsx'
import { BY_TIME } from '~/ui/sort.ts'
import { Status } from '~/ui/status.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { describeCreator, titleOf } from './words.ts'

export const OPERATION_COLUMNS: readonly Column<Operation>[] = [
  { title: 'Operation', role: 'name', show: titleOf },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Created', sort: BY_TIME, show: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Ordered by', show: ({ createdBy }) => (createdBy === undefined ? '–' : describeCreator(createdBy)) },
  { title: 'Amount', role: 'figure', show: ({ amount }) => <Money value={amount} /> },
  { title: 'Total', role: 'amount', show: ({ total }) => <Money value={total} /> },
]
