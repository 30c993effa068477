// A statement as CSV (RFC 4180): a header, the opening balance, the entries, the totals, the closing balance.
import { ENTRY_FIELDS, type Statement } from './document.ts'

/** Spreadsheets read a cell that begins like this as a formula, unless it is a number. */
const FORMULA = /^[=+\-@\t\r\n|%＝＋－＠]/
const NUMBER = /^-?\d+(\.\d+)?$/

export function writeCsv(statement: Statement): string {
  const { company, environment, from, to } = statement
  const scope = `${company.name} (${company.id}), ${environment}`
  const summary = (
    kind: string,
    description: string,
    figures: { amount?: string; balance?: string; createdAt: string },
  ) => toLine(['', '', kind, description, figures.amount ?? '', figures.balance ?? '', '', '', figures.createdAt])
  const [start, end] = [`${from}T00:00:00.000Z`, `${to}T23:59:59.999Z`]
  const lines = [
    toLine(ENTRY_FIELDS),
    summary('opening_balance', `Opening balance of ${scope}`, { balance: statement.openingBalance, createdAt: start }),
    ...statement.data.map((entry) => toLine(ENTRY_FIELDS.map((field) => entry[field]))),
    summary('incoming', 'Sum of the positive amounts', { amount: statement.incoming, createdAt: end }),
    summary('outgoing', 'Sum of the negative amounts', { amount: negative(statement.outgoing), createdAt: end }),
    summary('closing_balance', `Closing balance of ${scope}`, { balance: statement.closingBalance, createdAt: end }),
  ]
  return `${lines.join('\r\n')}\r\n`
}

function negative(amount: string): string {
  return amount === '0.00' ? amount : `-${amount}`
}

function toLine(cells: readonly string[]): string {
  return cells.map(toCell).join(',')
}

export function toCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
