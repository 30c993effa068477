// Operations and entries in words that name what they are about. `title` of operations and entries, the CSV and the PDF of a statement
// use them, so that one movement has one name. The JSON form of a statement has `describeEntry` instead: a name can change, and what a
// proof covers must not.
import type { StatementEntry } from '@cardstock/sdk'
import { describeEntry } from '@cardstock/sdk/statements'
import type { WantedStatus } from './states.ts'

/** What an entry is about. All is optional: a service has no card, and an invoice has neither. */
export interface EntrySubject {
  type?: 'issue' | 'topup' | 'service'
  product?: { id: string; name: string }
  recipient?: string
  card?: { id: string; name: string; last4: string }
  holder?: { id: string; name: string }
  /** The invoice that a deposit, or its fee, came from. */
  invoice?: { amount: string; createdAt: string }
}

/** Returns an operation in words, such as "Virtual card for Ada Lovelace ·· 5112"; undefined when too little is known. */
export function operationTitle({ type, product, recipient, card, holder }: EntrySubject): string | undefined {
  const number = card === undefined ? '' : ` ·· ${card.last4}`
  if (type === undefined) return undefined
  switch (type) {
    case 'issue':
      return `${product?.name ?? 'Card'}${holder === undefined ? '' : ` for ${holder.name}`}${number}`
    case 'topup':
      return card === undefined ? undefined : `Top-up of${number}`
    case 'service':
      return `${product?.name ?? 'Service'}${recipient === undefined ? '' : ` for ${recipient}`}`
  }
}

const CHANGES: Readonly<Record<WantedStatus, string>> = { active: 'Unfreeze', frozen: 'Freeze', closed: 'Close' }

/** Returns a change of a card in words, such as "Freeze card of Ada Lovelace ·· 5112". */
export function cardChangeTitle(wanted: WantedStatus, { card, holder }: Pick<EntrySubject, 'card' | 'holder'>): string {
  const owner = holder === undefined ? '' : ` of ${holder.name}`
  return `${CHANGES[wanted]} card${owner}${card === undefined ? '' : ` ·· ${card.last4}`}`
}

/** Returns an entry in words. `prefix` is that of its reference. */
export function entryTitle(kind: StatementEntry['kind'], prefix: string, subject: EntrySubject = {}): string {
  const plain = describeEntry(kind, prefix) ?? ''
  const { card, invoice } = subject
  if (card !== undefined && (prefix === 'card' || prefix === 'txn')) {
    return `${prefix === 'card' ? 'Balance' : 'Later credit'} of closed card ·· ${card.last4}`
  }
  if (invoice !== undefined) return `${plain}: ${invoice.amount} USD, ${invoice.createdAt.slice(0, 10)}`
  const operation = operationTitle(subject)
  return operation === undefined ? plain : `${OPERATION_STARTS[kind] ?? ''}${operation}`
}

/** What stands before the operation. A capture is the operation itself. */
const OPERATION_STARTS: Readonly<Partial<Record<StatementEntry['kind'], string>>> = {
  fee: 'Fee: ',
  reservation: 'Reserved: ',
  release: 'Released: ',
  adjustment: 'Returned: ',
}
