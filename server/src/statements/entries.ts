// From the ledger's lines to the entries' JSON. Ten thousand of them are most of a statement's time, and nearly all of that
// would be garbage collection: so no object and no text per entry, but the pieces of all entries, joined once.
import { formatCents } from '../lib/money.ts'
import { describeEntry } from './document.ts'
import { DAY_MS } from './range.ts'

const pad = (length: number) => (_: unknown, value: number) => value.toString().padStart(length, '0')
const TWO_DIGITS = Array.from({ length: 60 }, pad(2))
const THREE_DIGITS = Array.from({ length: 1000 }, pad(3))

/** See account_statement for the cells of a line. */
export function writeEntries(lines: string | null, idOf: (number: number) => string, firstNumber: number): string {
  if (lines === null) return ''
  const pieces: string[] = []
  const pushInstant = createInstantWriter(pieces)
  let number = firstNumber
  for (const line of lines.split('\n')) {
    const cells = line.split('|')
    const [kind, prefix] = [cells[0] ?? '', cells[1] ?? '']
    pieces.push(
      number === firstNumber ? '{"id":"' : ',{"id":"',
      idOf(number),
      '","reference":"',
      prefix,
      '_',
      cells[2] ?? '',
    )
    pieces.push('","kind":"', kind, '","description":"', describeEntry(kind, prefix) ?? '', '","amount":"')
    pushAmount(pieces, cells[5] ?? '')
    pieces.push('","balance":"')
    pushAmount(pieces, cells[6] ?? '')
    pieces.push('","availableDelta":"')
    pushAmount(pieces, cells[3] ?? '')
    pieces.push('","heldDelta":"')
    pushAmount(pieces, cells[4] ?? '')
    pieces.push('","createdAt":"')
    pushInstant(Math.round(Number(cells[7]) * 1000))
    pieces.push('"}')
    number += 1
  }
  return pieces.join('')
}

/** Cents as the database wrote them, "-5", as "-0.05": what formatCents does, without a bigint per figure. */
function pushAmount(pieces: string[], cents: string): void {
  if (cents.length > 3) pieces.push(cents.slice(0, -2), '.', cents.slice(-2))
  else pieces.push(cents === '0' ? '0.00' : formatCents(BigInt(cents)))
}

/** What toISOString writes, for instants in order: the date once a day, which is most of its work. */
function createInstantWriter(pieces: string[]): (ms: number) => void {
  let day = Number.NaN
  let date = ''
  const two = (value: number) => TWO_DIGITS[Math.floor(value) % 60] ?? ''
  return (ms) => {
    const today = Math.floor(ms / DAY_MS)
    if (today !== day) {
      day = today
      date = new Date(today * DAY_MS).toISOString().slice(0, 11)
    }
    const rest = ms - today * DAY_MS
    pieces.push(date, two(rest / 3_600_000), ':', two(rest / 60_000), ':', two(rest / 1000), '.')
    pieces.push(THREE_DIGITS[rest % 1000] ?? '', 'Z')
  }
}
