// GET /admin/v1/reconciliation: our book against the live issuer's.
import { Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import { object } from '../http/wire.ts'
import type { HttpIssuer } from '../issuer/http/issuer.ts'
import { reconcile } from './reconcile.ts'

const ReconciliationSchema = object(
  {
    companies: Type.Integer(),
    compared: Type.Integer(),
    differences: Type.Array(
      object({ companyId: Type.String(), id: Type.String(), kind: Type.String(), difference: Type.String() }),
    ),
  },
  'Reconciliation',
)

export function reconcileRoutes({
  auditDb,
  issuers,
}: {
  auditDb: Db
  issuers: { live: HttpIssuer | undefined }
}): Route[] {
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/reconciliation',
      tag: 'admin',
      summary: "Compare this book with the live issuer's and name differences",
      responses: { 200: ReconciliationSchema },
      handle: async () => ok(await reconcile({ db: auditDb, issuer: issuers.live })),
    }),
  ]
}
