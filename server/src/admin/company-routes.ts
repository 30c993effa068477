// /admin/v1/companies: creates companies, and decides their verification and activations.
import {
  type AccessDeps,
  changeCapabilities,
  changeSuspension,
  createCompany,
  decideVerification,
  getCompany,
} from '../access/companies.ts'
import { listCompanies } from '../access/queries.ts'
import { answerPage } from '../http/page.ts'
import { requireId } from '../errors.ts'
import { created, ok, operatorRoute, type Route } from '../http/route.ts'
import { IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { CapabilityChange, Company, NewCompany, Suspension, toCompany, Verification } from './schema.ts'

export function companyRoutes(deps: AccessDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  const tag = 'admin'
  return [
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies',
      tag,
      summary: 'Create a company',
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
      summary: 'List companies',
      query: object(pageQuery),
      responses: { 200: pageOf(Company) },
      handle: async ({ query }) =>
        answerPage({
          cursors,
          name: 'companies',
          query,
          fetch: (page) => listCompanies(db, page),
          idOf: (row) => row.id,
          toWire: toCompany,
        }),
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/companies/:id',
      tag,
      summary: 'Read one company',
      params: IdParams,
      responses: { 200: Company },
      handle: async ({ params }) => ok(toCompany(await getCompany(db, requireId('co', params.id)))),
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies/:id/verification',
      tag,
      summary: 'Approve or reject a company',
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
      summary: 'Suspend a company, or resume it',
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
      summary: 'Activate live services or direct invoices',
      params: IdParams,
      body: CapabilityChange,
      responses: { 200: Company },
      handle: async ({ actor, params, body }) =>
        ok(toCompany(await changeCapabilities(deps, actor, requireId('co', params.id), body))),
    }),
  ]
}
