// /admin/v1/reconciliation compares our records with the live issuer's. It only reads.
import type { Audits } from '../db/pool.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import type { HttpIssuer } from '../issuer/http/issuer.ts'
import { reconcile } from './reconcile.ts'
import { ReconciliationSchema } from './schema.ts'

interface Deps {
  audits: Audits
  issuers: { live: HttpIssuer | undefined }
}

export function reconciliationOperatorRoutes({ audits, issuers }: Deps): Route[] {
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
        "Compares the operations, invoices and card changes of this server with the issuer's records and names each difference.",
      responses: { 200: ReconciliationSchema },
      handle: async () => ok(await reconcile({ db: audits.db, issuer: issuers.live })),
    }),
  ]
}
