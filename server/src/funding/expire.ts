// The worker's job that expires unpaid invoices.
import { scopeOf } from '../issuer/requests/ask.ts'
import type { Job } from '../worker/loop.ts'
import type { FundingDeps } from './deps.ts'
import { expireInvoice, listOverdueInvoices } from './queries.ts'

/** The most that one run expires. */
const EXPIRIES_MAX = 100
/** An invoice expires within a moment of its time, and looking costs one index look-up. */
const INTERVAL_MS = 250

export function invoiceExpiryJob({ db, clock, payLinks }: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): Job {
  return {
    name: 'invoice expiry',
    intervalMs: INTERVAL_MS,
    async run() {
      const now = clock.now()
      const rows = await listOverdueInvoices(db, now, EXPIRIES_MAX)
      for (const row of rows) await expireInvoice(db, scopeOf(row), row.id, now, payLinks.urlOf(scopeOf(row), row.id))
      return rows.length === EXPIRIES_MAX
    },
  }
}
