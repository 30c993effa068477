// How payments look in a table. The first columns say what and with which card.
import type { Transaction } from '@cardstock/sdk'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { CardNumber } from './card-number.tsx'
import { PaymentAmount } from './payment-amount.tsx'
import { PaymentStatus } from './payment-status.tsx'

const MERCHANT: Column<Transaction> = {
  title: 'Merchant',
  role: 'name',
  show: ({ merchant, type }) => (merchant === '' ? type : merchant),
}
const CARD: Column<Transaction> = {
  title: 'Card',
  show: ({ card }) => (card === undefined ? '–' : <CardNumber last4={card.last4} />),
}
const HOLDER: Column<Transaction> = { title: 'Holder', show: ({ holder }) => holder?.name ?? '–' }

const OTHERS: readonly Column<Transaction>[] = [
  { title: 'Status', show: (payment) => <PaymentStatus payment={payment} /> },
  { title: 'Time', show: ({ occurredAt }) => <Time value={occurredAt} /> },
  {
    title: 'Amount',
    role: 'amount',
    show: (payment) => <PaymentAmount payment={payment} />,
  },
]

export const PAYMENT_COLUMNS: readonly Column<Transaction>[] = [MERCHANT, CARD, HOLDER, ...OTHERS]
/** For the page of a card, which says which card it is. */
export const PAYMENT_COLUMNS_OF_CARD: readonly Column<Transaction>[] = [MERCHANT, ...OTHERS]
