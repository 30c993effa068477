// /admin/v1/companies: creates companies, and decides their verification and activations.
import { Type } from 'typebox'
import type { AccessDeps } from '../access/deps.ts'
import { changeCapabilities, changeSuspension, createCompany, decideVerification, getCompany } from './companies.ts'
import { type BalanceRow, type CompanyRow, listBalances, listCompanies } from './queries.ts'
import type { Db } from '../db/pool.ts'
import { must } from '../lib/invariant.ts'
import { answerPage } from '../http/page.ts'
import { requireId } from '../errors.ts'
import { created, ok, operatorRoute, type Route } from '../http/route.ts'
import { field, IdParams, object, pageOf, pageQuery, searchQuery } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import {
  CapabilityChange,
  Company,
  NewCompany,
  Suspension,
  toCompany,
  Verification,
  VerificationStatus,
} from './schema.ts'

export function companyOperatorRoutes(deps: AccessDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  const tag = 'companies'
  return [
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies',
      tag,
      id: 'createCompany',
      summary: 'Create a company',
      description:
        'Creates a company with an empty card account in both environments. Its keys answer 403 until its verification is approved.',
      body: NewCompany,
      responses: { 201: Company },
      handle: async ({ actor, body }) => {
        const company = toCompany(await createCompany(deps, actor, body))
        return created(`/admin/v1/companies/${company.id}`, company)
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/companies',
      tag,
      id: 'listCompanies',
      summary: 'List companies',
      description: 'Lists all companies, newest first.',
      query: object({
        ...pageQuery,
        verification: Type.Optional(field(VerificationStatus, 'Only companies whose verification is so.')),
        q: Type.Optional(
          field(
            searchQuery,
            'Only companies whose name begins with this. At least two characters; upper and lower case are the same.',
          ),
        ),
      }),
      responses: { 200: pageOf(Company) },
      handle: async ({ query }) =>
        answerPage({
          cursors,
          name: 'companies',
          query,
          fetch: async (slice) => withBalances(db, await listCompanies(db, query, slice)),
          idOf: (row) => row.id,
          toWire: toCompany,
        }),
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/companies/:id',
      tag,
      id: 'getCompany',
      summary: 'Read a company',
      description: 'Returns one company.',
      params: IdParams,
      responses: { 200: Company },
      handle: async ({ params }) => {
        const [company] = await withBalances(db, [await getCompany(db, requireId('co', params.id))])
        return ok(toCompany(must(company)))
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies/:id/verification',
      tag,
      id: 'decideVerification',
      summary: 'Decide the verification of a company',
      description:
        'Approves or rejects the company. The decision can be changed later and is written to the audit log.',
      params: IdParams,
      body: Verification,
      responses: { 200: Company },
      handle: async ({ actor, params, body }) =>
        ok(toCompany(await decideVerification(deps, actor, requireId('co', params.id), body))),
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies/:id/suspension',
      tag,
      id: 'setSuspension',
      summary: 'Suspend or resume a company',
      description:
        'Suspends the company or lifts its suspension. A suspended company can read, and freeze and close cards; every other write is refused.',
      params: IdParams,
      body: Suspension,
      responses: { 200: Company },
      handle: async ({ actor, params, body }) =>
        ok(toCompany(await changeSuspension(deps, actor, requireId('co', params.id), body))),
    }),
    operatorRoute({
      method: 'PATCH',
      path: '/admin/v1/companies/:id/capabilities',
      tag,
      id: 'updateCapabilities',
      summary: 'Activate live capabilities',
      description:
        'Activates or deactivates live operations and live invoices for the company. What is left out stays as it is.',
      params: IdParams,
      body: CapabilityChange,
      responses: { 200: Company },
      handle: async ({ actor, params, body }) =>
        ok(toCompany(await changeCapabilities(deps, actor, requireId('co', params.id), body))),
    }),
  ]
}

async function withBalances(db: Db, rows: readonly CompanyRow[]): Promise<(CompanyRow & { balances: BalanceRow[] })[]> {
  const balances = await listBalances(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, balances: balances.filter(({ company_id: companyId }) => companyId === row.id) }))
}
