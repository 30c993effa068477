// A statement as CSV (RFC 4180): a header, the opening balance, the entries, the totals, the closing balance. The description of an
// entry names its card or invoice, as the PDF does.
import { toCsvCell } from '@cardstock/sdk/csv'
import { ENTRY_FIELDS } from '@cardstock/sdk/statements'
import type { Steps } from '../lib/steps.ts'
import { readEntries, type StatementSource } from './source.ts'
import { type Subjects, titleOf } from './subjects.ts'

const LINE_END = '\r\n'

export function* writeCsv(source: StatementSource, subjects: Subjects): Steps<string> {
  const { frame: statement } = source
  const { company, environment, from, to } = statement
  const scope = `${company.name} (${company.id}), ${environment}`
  const summary = (
    kind: string,
    description: string,
    figures: { amount?: string; balance?: string; createdAt: string },
  ) => toLine(['', '', kind, description, figures.amount ?? '', figures.balance ?? '', '', '', figures.createdAt])
  const [start, end] = [`${from}T00:00:00.000Z`, `${to}T23:59:59.999Z`]
  const parts = [
    toLine(ENTRY_FIELDS),
    summary('opening_balance', `Opening balance of ${scope}`, { balance: statement.openingBalance, createdAt: start }),
  ]
  for (const entries of readEntries(source)) {
    const lines = entries.map((entry) => {
      const shown = { ...entry, description: titleOf(entry, subjects) }
      return toLine(ENTRY_FIELDS.map((field) => shown[field]))
    })
    parts.push(lines.join(LINE_END))
    yield
  }
  parts.push(
    summary('incoming', 'Sum of the positive amounts', { amount: statement.incoming, createdAt: end }),
    summary('outgoing', 'Sum of the negative amounts', { amount: negative(statement.outgoing), createdAt: end }),
    summary('closing_balance', `Closing balance of ${scope}`, { balance: statement.closingBalance, createdAt: end }),
  )
  return parts.join(LINE_END) + LINE_END
}

function negative(amount: string): string {
  return amount === '0.00' ? amount : `-${amount}`
}

function toLine(cells: readonly string[]): string {
  return cells.map(toCsvCell).join(',')
}
