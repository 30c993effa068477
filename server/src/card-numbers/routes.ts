// POST /cards/{id}/number-page.
import { callerActor } from '../access/audit.ts'
import { requireId } from '../errors.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { field, IdParams, object, Timestamp } from '../lib/wire.ts'
import { Type } from 'typebox'
import { createMakeNumberPage, type NumberPageDeps } from './number-page.ts'

const CardNumberPage = object(
  {
    url: field(Type.String(), 'The address of the page. Whoever opens it in time sees the number of the card.'),
    expiresAt: field(Timestamp, 'When the address stops working.'),
  },
  'CardNumberPage',
  "A page of the card's provider on which the holder sees the number of the card.",
)

export function cardNumberRoutes(deps: NumberPageDeps): Route[] {
  const makeNumberPage = createMakeNumberPage(deps)
  return [
    companyRoute(
      { anyOf: ['cards:write'] },
      {
        method: 'POST',
        path: '/api/v1/cards/:id/number-page',
        tag: 'cards',
        id: 'makeCardNumberPage',
        summary: 'Make a page that shows the number of a card',
        description:
          'Returns the address of a page of the provider, which works for a short time. The number never passes through this server. Each call is recorded in the audit log.',
        refusals: ['number_page_not_offered', 'card_status_not_allowed'],
        params: IdParams,
        responses: { 200: CardNumberPage },
        handle: async ({ caller, params, address, requestId }) => {
          const actor = callerActor(caller, { address, requestId })
          return ok(await makeNumberPage(caller.scope, requireId('card', params.id), actor))
        },
      },
    ),
  ]
}
