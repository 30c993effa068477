// /admin/v1/ledger/audit checks the ledger against itself, and /admin/v1/ledger/seals lists its seals. Both only read, but for the record of the audit.
import { type Static, Type } from 'typebox'
import { auditRecord } from '../access/audit.ts'
import { type CompanyNamed, nameCompaniesOf, withCompanyNames } from '../access/company-names.ts'
import { keepResult } from '../access/keep-result.ts'
import type { Audits, Db } from '../db/pool.ts'
import { answerPage } from '../http/page.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { findId, formatId, ZERO_ID } from '../lib/ids.ts'
import { EnvironmentSchema, field, object, pageOf, pageQuery, Timestamp } from '../lib/wire.ts'
import { type Audit, auditLedger } from './audit.ts'
import { listSeals, type SealRow } from './queries.ts'

const LedgerDifference = object(
  {
    companyId: field(Type.String(), 'The company of the account.'),
    companyName: Type.Optional(field(Type.String(), 'The name of the company, as it is now.')),
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

const Seal = object(
  {
    companyId: field(Type.String(), 'The company of the account.'),
    companyName: Type.Optional(field(Type.String(), 'The name of the company, as it is now. Only in lists.')),
    environment: EnvironmentSchema,
    number: field(
      Type.Integer(),
      'The number of the last entry that the seal covers. It covers those since the seal before it.',
    ),
    hash: field(Type.String({ pattern: '^[0-9a-f]{64}$' }), 'The hash chain after that entry.'),
    sealedAt: field(Timestamp, 'When the entries were sealed.'),
  },
  'Seal',
  "A value of an account's hash chain, stored with its time. Whoever keeps a copy can prove later that no earlier entry was changed.",
)

const SealQuery = object({
  ...pageQuery,
  companyId: Type.Optional(field(Type.String({ maxLength: 100 }), 'Only seals of this company.')),
  environment: Type.Optional(field(EnvironmentSchema, 'Only seals of this environment.')),
})

export function toSeal(row: SealRow & CompanyNamed): Static<typeof Seal> {
  return {
    companyId: formatId('co', row.company_id),
    ...(row.company_name === undefined ? {} : { companyName: row.company_name }),
    environment: row.environment,
    number: Number(row.number),
    hash: row.hash.toString('hex'),
    sealedAt: row.sealed_at.toISOString(),
  }
}

/** A seal has no id of its own. The first half of its hash is different for every seal, so a cursor holds that. */
export function idOfSeal({ hash }: SealRow): string {
  const hex = hash.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

interface Deps {
  db: Db
  clock: Clock
  cursors: CursorCodec
  audits: Audits
}

/** What the audit log keeps of a run. The first differences are enough to know what it was about. */
const DIFFERENCES_KEPT_MAX = 20

function summaryOf({ accounts, entries, differences }: Audit): Record<string, unknown> {
  const kept = differences.slice(0, DIFFERENCES_KEPT_MAX)
  return { accounts, entries, differences: differences.length, ...(kept.length === 0 ? {} : { first: kept }) }
}

export function ledgerOperatorRoutes({ db, clock, cursors, audits }: Deps): Route[] {
  const tag = 'ledger'
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/ledger/audit',
      tag,
      id: 'auditLedger',
      summary: 'Audit the ledger',
      description:
        'Derives every balance again from its entries, checks the hash chain and the held amounts, and names each difference. An empty list means that the books are right. The result is kept in the audit log.',
      responses: { 200: AuditSchema },
      handle: async ({ actor, log }) => {
        const result = await auditLedger(audits.db, audits.atATime)
        const details = summaryOf(result)
        await keepResult(db, auditRecord(clock, actor, { action: 'ledger.audited', object: 'ledger', details }), log)
        return ok({ ...result, differences: await nameCompaniesOf(db, result.differences) })
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/ledger/seals',
      tag,
      id: 'listSeals',
      summary: 'List seals',
      description: 'Lists the seals of the ledger, newest first: of all accounts, or of one company or environment.',
      query: SealQuery,
      responses: { 200: pageOf(Seal) },
      handle: async ({ query }) => {
        const companyId = query.companyId === undefined ? undefined : (findId('co', query.companyId) ?? ZERO_ID)
        const filter = { companyId, environment: query.environment }
        return answerPage({
          cursors,
          name: 'seals',
          query,
          fetch: async (slice) => withCompanyNames(db, await listSeals(db, filter, slice)),
          idOf: idOfSeal,
          timeOf: (row) => row.sealed_at,
          toWire: toSeal,
        })
      },
    }),
  ]
}
