// POST /cards/{id}/freeze, unfreeze and close.
import { Card, toCard } from '../cards/schema.ts'
import { requireId } from '../errors.ts'
import { companyRoute, type Route } from '../http/route.ts'
import { IdParams } from '../lib/wire.ts'
import { type ChangeDeps, changeCard } from './change.ts'
import { CARD_ACTIONS, type CardAction } from './states.ts'

const SUMMARIES: Readonly<Record<CardAction, string>> = {
  freeze: 'Freeze a card',
  unfreeze: 'Make a frozen card usable again',
  close: 'Close a card for good; its balance returns to the card account',
}

/** A stolen card must be stoppable: only unfreezing needs an activation and a company that is not suspended. */
export function cardChangeRoutes(deps: ChangeDeps): Route[] {
  return (Object.keys(CARD_ACTIONS) as CardAction[]).map((action) =>
    companyRoute(
      {
        anyOf: ['cards:write'],
        ...(action === 'unfreeze' ? { liveNeeds: 'liveServices' } : { openWhileSuspended: true }),
      },
      {
        method: 'POST',
        path: `/api/v1/cards/:id/${action}`,
        tag: 'cards',
        summary: SUMMARIES[action],
        params: IdParams,
        // 202: the issuer's answer is not known yet. The card is as before, with `pendingStatus`.
        responses: { 200: Card, 202: Card },
        handle: async ({ caller, params }) => {
          const { card, open } = await changeCard(deps, caller.scope, requireId('card', params.id), action)
          return { status: open ? 202 : 200, body: toCard(card) }
        },
      },
    ),
  )
}
