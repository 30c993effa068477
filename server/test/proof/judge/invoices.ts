// Judges invoices: at most one unresolved per account at any time, and none is completed without its payment or a decision.
import { type Decision, decisionsOf, groupBy, scopeName } from './scopes.ts'
import type { EventRow, InvoiceRow, PaymentRow, Snapshot } from './snapshot.ts'

const ENDS = new Set(['invoice.completed', 'invoice.failed', 'invoice.expired'])
const UNRESOLVED = new Set(['creating', 'pending', 'manual_review'])

export function judgeInvoices(snapshot: Snapshot): string[] {
  const decisions = decisionsOf(snapshot)
  const events = groupBy(snapshot.events, ({ object_id }) => object_id)
  const payments = groupBy(snapshot.payments, ({ invoice_id }) => invoice_id)
  return [...groupBy(snapshot.invoices, scopeName)].flatMap(([name, invoices]) => [
    ...judgeUnresolved(name, invoices, events),
    ...invoices.flatMap((invoice) =>
      judgeCompletion(invoice, payments.get(invoice.id) ?? [], {
        decided: decisions.get(invoice.id) ?? [],
        events: events.get(invoice.id) ?? [],
      }),
    ),
  ])
}

function judgeUnresolved(
  name: string,
  invoices: readonly InvoiceRow[],
  events: ReadonlyMap<string, EventRow[]>,
): string[] {
  const open = invoices.filter(({ status, reopened }) => UNRESOLVED.has(status) && !reopened)
  const problems =
    open.length > 1 ? [`${name} has ${open.length} unresolved invoices: ${open.map(({ id }) => id).join(', ')}`] : []
  // A process may be suspended between making the id, from which the time of creation comes, and storing the invoice. It is
  // certainly stored when it has an event.
  const stored = invoices
    .flatMap(({ id }) => (events.get(id) ?? []).slice(0, 1).map(({ created_at }) => ({ id, at: created_at })))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  for (const [index, { id, at }] of stored.entries()) {
    const before = stored[index - 1]
    if (before === undefined) continue
    const hasEnded = (events.get(before.id) ?? []).some(({ type, created_at }) => ENDS.has(type) && created_at <= at)
    if (!hasEnded) problems.push(`invoice ${id} of ${name} began while invoice ${before.id} was unresolved`)
  }
  return problems
}

function judgeCompletion(
  { id, status, pay_amount }: InvoiceRow,
  payments: readonly PaymentRow[],
  { decided, events }: { decided: readonly Decision[]; events: readonly EventRow[] },
): string[] {
  const isDecided = decided.some(({ outcome }) => outcome === status)
  const isExact = payments.some(({ amount }) => pay_amount === null || amount === pay_amount)
  if (status === 'completed' && !isDecided && !isExact)
    return [`invoice ${id} is completed without its payment and without a decision`]
  const wasInReview = events.some(({ type }) => type === 'invoice.manual_review')
  if (wasInReview && (status === 'failed' || status === 'expired') && !isDecided) {
    return [`invoice ${id} left manual review as ${status} without a decision`]
  }
  return []
}
