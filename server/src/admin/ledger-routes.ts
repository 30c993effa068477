// /admin/v1/ledger/audit checks the ledger against itself; /admin/v1/reconciliation compares it with the live issuer's
// records. Both only read.
import { Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import { EnvironmentSchema, field, object } from '../lib/wire.ts'
import type { HttpIssuer } from '../issuer/http/issuer.ts'
import { auditLedger } from '../ledger/audit.ts'
import { reconcile } from './reconcile.ts'

const LedgerDifference = object(
  {
    companyId: field(Type.String(), 'The company of the account.'),
    environment: EnvironmentSchema,
    difference: field(Type.String(), 'What does not agree.'),
  },
  'LedgerDifference',
  'Something in the books of an account that does not agree.',
)

const AuditSchema = object(
  {
    accounts: field(Type.Integer(), 'How many accounts were audited.'),
    entries: field(Type.Integer(), 'How many entries were read.'),
    differences: field(Type.Array(LedgerDifference), 'What is wrong. Empty when the books are right.'),
  },
  'LedgerAudit',
  'The result of an audit of the ledger.',
)

const ReconciliationDifference = object(
  {
    companyId: field(Type.String(), 'The company.'),
    id: field(Type.String(), 'The operation, invoice or card change.'),
    kind: field(Type.String(), 'What kind of request it is.'),
    difference: field(Type.String(), 'What does not agree.'),
  },
  'ReconciliationDifference',
  'A request on which this server and the issuer do not agree.',
)

const ReconciliationSchema = object(
  {
    companies: field(Type.Integer(), 'How many companies were compared.'),
    compared: field(Type.Integer(), 'How many requests were compared.'),
    differences: field(Type.Array(ReconciliationDifference), 'What does not agree. Empty when the two agree.'),
  },
  'Reconciliation',
  "A comparison of this server's records with those of the live issuer.",
)

interface Deps {
  auditDb: Db
  issuers: { live: HttpIssuer | undefined }
}

export function ledgerRoutes({ auditDb, issuers }: Deps): Route[] {
  const tag = 'ledger'
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/ledger/audit',
      tag,
      id: 'auditLedger',
      summary: 'Audit the ledger',
      description:
        'Derives every balance again from its entries, checks the hash chain and the held amounts, and names each difference. An empty list means that the books are right.',
      responses: { 200: AuditSchema },
      handle: async () => ok(await auditLedger(auditDb)),
    }),
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
      handle: async () => ok(await reconcile({ db: auditDb, issuer: issuers.live })),
    }),
  ]
}
