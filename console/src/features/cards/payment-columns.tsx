// How payments look in a table.
import type { Transaction } from '@cardstock/sdk'
import { Money } from '~/ui/money.tsx'
import { Status } from '~/ui/status.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'

export const PAYMENT_COLUMNS: readonly Column<Transaction>[] = [
  { title: 'Merchant', role: 'name', show: ({ merchant, type }) => (merchant === '' ? type : merchant) },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Time', show: ({ occurredAt }) => <Time value={occurredAt} /> },
  {
    title: 'Amount',
    role: 'amount',
    show: ({ amount, currency }) => <Money value={amount} currency={currency} isMovement />,
  },
]
