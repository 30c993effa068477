// /admin/v1/reconciliation compares our records with the live issuer's. It only reads, but for the record of the comparison.
import { auditRecord } from '../access/audit.ts'
import { nameCompaniesOf } from '../access/company-names.ts'
import { keepResult } from '../access/keep-result.ts'
import type { Audits, Db } from '../db/pool.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import type { HttpIssuer } from '../issuer/http/issuer.ts'
import type { Clock } from '../lib/clock.ts'
import { reconcile } from './reconcile.ts'
import { ReconciliationSchema } from './schema.ts'

interface Deps {
  db: Db
  clock: Clock
  audits: Audits
  issuers: { live: HttpIssuer | undefined }
}

export function reconciliationOperatorRoutes({ db, clock, audits, issuers }: Deps): Route[] {
  const tag = 'ledger'
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/reconciliation',
      tag,
      id: 'reconcile',
      refusals: ['issuer_not_configured'],
      summary: 'Reconcile with the live issuer',
      description:
        "Compares the operations, invoices and card changes of this server with the issuer's records and names each difference. The result is kept in the audit log.",
      responses: { 200: ReconciliationSchema },
      handle: async ({ actor, log }) => {
        const result = await reconcile({ db: audits.db, issuer: issuers.live })
        const details = { ...result, differences: result.differences.length }
        const record = auditRecord(clock, actor, { action: 'ledger.reconciled', object: 'ledger', details })
        await keepResult(db, record, log)
        return ok({ ...result, differences: await nameCompaniesOf(db, result.differences) })
      },
    }),
  ]
}
