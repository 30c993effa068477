// The worker's jobs about invoices: looks up those whose creation is unknown, and expires unpaid ones.
import { scopeOf } from '../issuer/requests/ask.ts'
import { lookUpJob } from '../issuer/requests/look-up.ts'
import type { Log } from '../lib/log.ts'
import type { Job } from '../worker/loop.ts'
import type { FundingDeps } from './deps.ts'
import { claimInvoiceLookUps, expireInvoice, listOverdueInvoices } from './queries.ts'
import { invoiceKind } from './request-kind.ts'

/** The most that one run expires. */
const EXPIRIES_MAX = 100
const INTERVAL_MS = 250

export function fundingJobs(deps: FundingDeps & { log: Log }): Job[] {
  const { db, clock, payLinks } = deps
  return [
    lookUpJob(deps, invoiceKind(deps), {
      name: 'invoice look-ups',
      intervalMs: INTERVAL_MS,
      failure: 'An invoice could not be settled and will be tried again.',
      claim: (due) => claimInvoiceLookUps(db, due),
    }),
    {
      name: 'invoice expiry',
      intervalMs: INTERVAL_MS,
      async run() {
        const now = clock.now()
        const rows = await listOverdueInvoices(db, now, EXPIRIES_MAX)
        for (const row of rows) await expireInvoice(db, scopeOf(row), row.id, now, payLinks.urlOf(scopeOf(row), row.id))
        return rows.length === EXPIRIES_MAX
      },
    },
  ]
}
