// Says which rows and columns of the ledger a step changed, with names instead of ids, for tests that allow no other change.
import type { Book } from './book.ts'

/** The tables that are compared, and what tells the rows of an account apart. */
const KEYS: Record<string, readonly string[]> = {
  account: [],
  operation: ['id'],
  issuer_request: ['id'],
  card_operation: ['card_id', 'id'],
  card: ['id'],
  entry: ['number'],
  event: ['object_id', 'sequence'],
  event_counter: ['object_id'],
  delivery: ['event_id'],
}

type Row = Readonly<Record<string, unknown>>
/** The values of a new row, 'before → after' for each changed column, or that the row is gone. */
export type Change = Row | 'gone'

/** `12:00:05` for a time of the test's day. */
export const timeOf = (at: Date): string => at.toISOString().slice(11, 19)

export class Watch {
  readonly #book: Book
  readonly #names = new Map<string, string>()

  constructor(book: Book) {
    this.#book = book
  }

  /** Gives an id the name under which it is shown. What had this name before is shown by its id again. */
  name(id: string, name: string): string {
    for (const [former, its] of this.#names) if (its === name) this.#names.delete(former)
    this.#names.set(id, name)
    // As the API writes it.
    this.#names.set(id.replaceAll('-', ''), name)
    return id
  }

  /** Returns every change that the step makes, by the account, the table and the key of the row. */
  async changesOf(step: () => Promise<unknown>): Promise<Record<string, Change>> {
    const before = await this.#read()
    await step()
    const after = await this.#read()
    const changes: Record<string, Change> = {}
    for (const [key, row] of after) {
      const old = before.get(key)
      const change = old === undefined ? row : compare(old, row)
      if (Object.keys(change).length > 0 || old === undefined) changes[this.#show(key)] = this.#showRow(change)
    }
    for (const key of before.keys()) if (!after.has(key)) changes[this.#show(key)] = 'gone'
    return changes
  }

  async #read(): Promise<Map<string, Row>> {
    const rows = new Map<string, Row>()
    for (const [table, columns] of Object.entries(KEYS)) {
      for (const { row } of await this.#book.many<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`)) {
        const { company_id: company, environment, ...others } = row
        const key = columns.map((column) => String(others[column]))
        const kept = Object.entries(others).filter(([column, value]) => !columns.includes(column) && value !== null)
        rows.set([`${String(company)} ${String(environment)}: ${table}`, ...key].join(' '), Object.fromEntries(kept))
        if (table === 'event') this.#names.set(String(others['id']), `${key.join(' ')} event`)
      }
    }
    // The id of an event follows from its object, its number and its time.
    const wrong = 'select from event where id <> event_id(event_time(created_at), object_id, sequence)'
    if ((await this.#book.many(wrong)).length > 0) throw new Error('an event has a wrong id')
    return rows
  }

  #show(text: string): string {
    let shown = text
    // A name may contain an id: that of an event contains that of its object.
    for (let last = ''; last !== shown;) {
      last = shown
      for (const [id, name] of this.#names) shown = shown.replaceAll(id, name)
    }
    return shown.replaceAll(/\b\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d)(?:\.000Z|\+00:00)/g, '$1')
  }

  #showRow(row: Row): Row {
    return JSON.parse(this.#show(JSON.stringify(row))) as Row
  }
}

function compare(before: Row, after: Row): Row {
  const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = columns.filter((column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]))
  return Object.fromEntries(changed.map((column) => [column, `${show(before[column])} → ${show(after[column])}`]))
}

const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
