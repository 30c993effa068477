// Judges that nothing refers to another company or another environment.
import { scopeName } from './scopes.ts'
import type { Snapshot } from './snapshot.ts'

export function judgeIsolation(snapshot: Snapshot): string[] {
  const { operations, invoices, cards, holders, changes, deposits, endpoints, events, entries, deliveries, exchanges } =
    snapshot
  const scopes = new Map<string, string>()
  for (const row of [...operations, ...invoices, ...cards, ...holders, ...changes, ...deposits, ...endpoints]) {
    scopes.set(row.id, scopeName(row))
  }
  const eventScopes = new Map(events.map((row) => [row.id, scopeName(row)]))
  const problems: string[] = []
  const compare = (what: string, row: Parameters<typeof scopeName>[0], other: string | null, known = scopes) => {
    const found = other === null ? undefined : known.get(other)
    if (found !== undefined && found !== scopeName(row))
      problems.push(`${what} belongs to ${scopeName(row)}, but refers to ${other} of ${found}`)
  }
  for (const row of operations) {
    compare(`operation ${row.id}`, row, row.card_id)
    compare(`operation ${row.id}`, row, row.holder_id)
  }
  for (const row of cards) compare(`card ${row.id}`, row, row.holder_id)
  for (const row of changes) compare(`card change ${row.id}`, row, row.card_id)
  for (const row of entries) compare(`entry ${row.number}`, row, row.reference)
  for (const row of events) compare(`event ${row.id}`, row, row.object_id)
  for (const row of exchanges) compare(`an exchange`, row, row.object_id)
  for (const row of deliveries) {
    compare(`the delivery of event ${row.event_id}`, row, row.endpoint_id)
    compare(`the delivery of event ${row.event_id}`, row, row.event_id, eventScopes)
  }
  return problems
}
