// GET and PUT /holders/{id}/details.
import { callerActor } from '../access/audit.ts'
import { requireId } from '../errors.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { IdParams } from '../lib/wire.ts'
import { createHolderDetails, type HolderDetailsDeps } from './details.ts'
import { ENTER_DESCRIPTION, HolderDetails, HolderDetailsEntry, READ_DESCRIPTION } from './schema.ts'

export function holderDetailsRoutes(deps: HolderDetailsDeps): Route[] {
  const details = createHolderDetails(deps)
  const path = '/api/v1/holders/:id/details'
  return [
    companyRoute(
      { anyOf: ['holders:read'] },
      {
        method: 'GET',
        path,
        tag: 'holders',
        id: 'getHolderDetails',
        summary: 'Read what the issuer needs to know of a cardholder',
        description: READ_DESCRIPTION,
        params: IdParams,
        responses: { 200: HolderDetails },
        handle: async ({ caller, params }) => ok(await details.read(caller.scope, requireId('hld', params.id))),
      },
    ),
    companyRoute(
      { anyOf: ['holders:write'] },
      {
        method: 'PUT',
        path,
        tag: 'holders',
        id: 'enterHolderDetails',
        summary: 'Enter what the issuer needs to know of a cardholder',
        description: ENTER_DESCRIPTION,
        refusals: ['not_offered', 'holder_erased'],
        params: IdParams,
        body: HolderDetailsEntry,
        responses: { 200: HolderDetails },
        handle: async ({ caller, params, body, address, requestId }) => {
          const actor = callerActor(caller, { address, requestId })
          return ok(await details.enter(caller.scope, requireId('hld', params.id), body.values, actor))
        },
      },
    ),
  ]
}
