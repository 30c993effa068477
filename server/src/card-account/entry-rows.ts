// Entries of the card account as rows of a list. Statements write theirs with entries.ts, thousands at a time.
import type { AccountEntry, StatementEntry } from '@cardstock/sdk'
import { describeEntry, entryIds } from '@cardstock/sdk/statements'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import type { EntryRow } from './queries.ts'
import { type Subjects, titleOf } from './subjects.ts'

/** The largest number that the database can hold. The start of a list is above every number. */
const NUMBER_MAX = 2n ** 63n - 1n

/** A cursor holds an id. An entry's key is its number, so it stands in the last digits of one. */
export function idOfNumber(number: bigint): string {
  const hex = number.toString(16).padStart(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function numberOfId(id: string): bigint {
  const number = BigInt(`0x${id.replaceAll('-', '')}`)
  return number > NUMBER_MAX ? NUMBER_MAX : number
}

export function toEntry(scope: Scope): (row: EntryRow) => StatementEntry {
  const idOf = entryIds(formatId('co', scope.companyId), scope.environment)
  return (row) => ({
    id: idOf(Number(row.number)),
    reference: formatId(row.reference_type, row.reference),
    kind: row.kind,
    description: describeEntry(row.kind, row.reference_type) ?? '',
    amount: formatCents(row.available_delta + row.held_delta),
    balance: formatCents(row.balance),
    availableDelta: formatCents(row.available_delta),
    heldDelta: formatCents(row.held_delta),
    createdAt: row.created_at.toISOString(),
  })
}

/** Returns an entry with the card and the holder that it concerns. */
export function toNamedEntry(scope: Scope): (row: EntryRow & { subjects: Subjects }) => AccountEntry {
  const toPlain = toEntry(scope)
  return (row) => {
    const entry = toPlain(row)
    const { card, holder } = row.subjects.get(row.reference.replaceAll('-', '')) ?? {}
    return { ...entry, title: titleOf(entry, row.subjects), ...(card && { card }), ...(holder && { holder }) }
  }
}
