// GET and PUT /admin/v1/companies/{id}/holders/{holderId}/details: an operator enters what the issuer needs to know of a live cardholder.
import { Type } from 'typebox'
import { requireId } from '../errors.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import { field, object } from '../lib/wire.ts'
import { createHolderDetails, type HolderDetailsDeps } from './details.ts'
import { ENTER_DESCRIPTION, HolderDetails, HolderDetailsEntry, READ_DESCRIPTION } from './schema.ts'

const HolderParams = object({
  id: field(Type.String(), 'The id of the company.'),
  holderId: field(Type.String(), 'The id of the cardholder.'),
})

export function holderDetailsOperatorRoutes(deps: HolderDetailsDeps): Route[] {
  const details = createHolderDetails(deps)
  const path = '/admin/v1/companies/:id/holders/:holderId/details'
  // Cards of the sandbox need no details.
  const liveScope = (id: string) => ({ companyId: requireId('co', id, 'id'), environment: 'live' }) as const
  return [
    operatorRoute({
      method: 'GET',
      path,
      tag: 'holders',
      id: 'getCompanyHolderDetails',
      summary: 'Read what the issuer needs to know of a live cardholder',
      description: READ_DESCRIPTION,
      params: HolderParams,
      responses: { 200: HolderDetails },
      handle: async ({ params }) => ok(await details.read(liveScope(params.id), requireId('hld', params.holderId))),
    }),
    operatorRoute({
      method: 'PUT',
      path,
      tag: 'holders',
      id: 'enterCompanyHolderDetails',
      summary: 'Enter what the issuer needs to know of a live cardholder',
      description: ENTER_DESCRIPTION,
      refusals: ['not_offered', 'holder_erased'],
      params: HolderParams,
      body: HolderDetailsEntry,
      responses: { 200: HolderDetails },
      handle: async ({ actor, params, body }) =>
        ok(await details.enter(liveScope(params.id), requireId('hld', params.holderId), body.values, actor)),
    }),
  ]
}
