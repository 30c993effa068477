// /admin/v1/ledger/audit checks the ledger against itself; /admin/v1/reconciliation compares it with the live issuer's
// records. Both only read.
import { Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import { EnvironmentSchema, object } from '../lib/wire.ts'
import type { HttpIssuer } from '../issuer/http/issuer.ts'
import { auditLedger } from '../ledger/audit.ts'
import { reconcile } from './reconcile.ts'

const AuditSchema = object(
  {
    accounts: Type.Integer(),
    entries: Type.Integer(),
    differences: Type.Array(
      object({ companyId: Type.String(), environment: EnvironmentSchema, difference: Type.String() }),
    ),
  },
  'LedgerAudit',
)

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

interface Deps {
  auditDb: Db
  issuers: { live: HttpIssuer | undefined }
}

export function ledgerRoutes({ auditDb, issuers }: Deps): Route[] {
  const tag = 'admin'
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/ledger/audit',
      tag,
      summary: 'Recompute every balance from its entries and list differences',
      responses: { 200: AuditSchema },
      handle: async () => ok(await auditLedger(auditDb)),
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/reconciliation',
      tag,
      summary: "Compare the ledger with the live issuer's records and list differences",
      responses: { 200: ReconciliationSchema },
      handle: async () => ok(await reconcile({ db: auditDb, issuer: issuers.live })),
    }),
  ]
}
