// Finds the invoice behind a payment link. Anybody can ask, so under load the database is asked for many links at once, and
// readers of the same page share an answer that is at most a second old.
import { createDeferredLookUps } from '../lib/deferred-look-ups.ts'
import { dropOldest } from '../lib/drop-oldest.ts'
import { createBudget } from '../lib/shared-value.ts'
import type { FundingDeps } from './deps.ts'
import { findLinkedInvoices, findPayLinks, type InvoiceRow } from './queries.ts'
import { asOfNow } from './read.ts'

export interface Payable {
  row: InvoiceRow
  companyName: string
}

/** Requests per second that get a query of their own; the others wait a tenth of a second for one together. */
const FRESH_PER_SECOND = 10
/** A payer does not notice an answer that is a second old. */
const AGE_MAX_MS = 1000
/** Answers that are remembered for a second. When full, the oldest is forgotten. */
const RECENT_MAX = 1000

type Deps = Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>

export function createPayLookUps(deps: Deps): (token: string) => Promise<Payable | undefined> {
  const fetch = async (hexes: readonly string[]) => {
    const links = await findPayLinks(
      deps.db,
      hexes.map((hex) => Buffer.from(hex, 'hex')),
    )
    const rows = links.length === 0 ? [] : await findLinkedInvoices(deps.db, links)
    const invoices = new Map(rows.map((row) => [`${row.company_id} ${row.environment} ${row.id}`, row]))
    return new Map(
      links.flatMap((link) => {
        const row = invoices.get(`${link.company_id} ${link.environment} ${link.invoice_id}`)
        return row === undefined
          ? []
          : [[link.digest.toString('hex'), { row, companyName: link.company_name }] as const]
      }),
    )
  }
  const fetchLater = createDeferredLookUps(fetch)
  const takeBudget = createBudget(FRESH_PER_SECOND)
  const recent = new Map<string, { found: Payable | undefined; atMs: number }>()

  return async (token) => {
    const hex = deps.payLinks.findDigest(token)?.toString('hex')
    if (hex === undefined) return undefined
    const isFresh = takeBudget()
    const known = recent.get(hex)
    const atMs = performance.now()
    if (!isFresh && known !== undefined && atMs - known.atMs <= AGE_MAX_MS) return known.found
    const linked = isFresh ? (await fetch([hex])).get(hex) : await fetchLater(hex)
    const found = linked && { row: await asOfNow(deps, linked.row), companyName: linked.companyName }
    if (recent.size >= RECENT_MAX) dropOldest(recent)
    recent.delete(hex)
    recent.set(hex, { found, atMs })
    return found
  }
}
