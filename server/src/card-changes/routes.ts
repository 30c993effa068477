// POST /cards/{id}/freeze, unfreeze and close, and GET /cards/{id}/changes.
import { withHolder } from '../cards/names.ts'
import { findCard } from '../cards/queries.ts'
import { Card, toCard } from '../cards/schema.ts'
import { requireFound, requireId } from '../errors.ts'
import { answerPage } from '../http/page.ts'
import { companyRoute, type Route } from '../http/route.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import { type ChangeDeps, changeCard } from './change.ts'
import { createChangePlaces } from './places.ts'
import { listChangesOfCard } from './queries.ts'
import { CardChange, toCardChange } from './schema.ts'
import { CARD_ACTIONS, type CardAction } from './states.ts'

const TEXTS: Readonly<Record<CardAction, { summary: string; description: string }>> = {
  freeze: { summary: 'Freeze a card', description: 'Stops every payment with the card until you unfreeze it.' },
  unfreeze: {
    summary: 'Unfreeze a card',
    description: 'Makes a card usable again that the company froze. A card that the issuer blocked stays blocked.',
  },
  close: {
    summary: 'Close a card',
    description: 'Closes the card for good. Its balance returns to the card account when the issuer confirms.',
  },
}
const OPEN =
  'The answer is 202 while the outcome is not known: the card is as before, and `pendingStatus` is the status that was asked for.'

export function cardChangeRoutes(deps: ChangeDeps & { cursors: CursorCodec }): Route[] {
  return [...changingRoutes(deps), historyRoute(deps)]
}

/** A stolen card must be stoppable: only unfreezing needs an activation and a company that is not suspended. */
function changingRoutes(deps: ChangeDeps): Route[] {
  const takePlace = createChangePlaces(deps.gates)
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
        id: `${action}Card`,
        summary: TEXTS[action].summary,
        description: `${TEXTS[action].description} ${OPEN}`,
        refusals: ['card_status_not_allowed', 'card_topup_open', 'card_change_declined', 'card_change_open'],
        params: IdParams,
        // 202 means that the issuer's answer is not known yet: the card is unchanged and has `pendingStatus`.
        responses: { 200: Card, 202: Card },
        handle: async ({ caller, params }) => {
          const { card, open } = await changeCard({ ...deps, takePlace }, caller, requireId('card', params.id), action)
          const [named] = await withHolder(deps.db, caller.scope, [card])
          return { status: open ? 202 : 200, body: toCard(named ?? card) }
        },
      },
    ),
  )
}

function historyRoute({ db, cursors }: ChangeDeps & { cursors: CursorCodec }): Route {
  return companyRoute(
    { anyOf: ['cards:read'] },
    {
      method: 'GET',
      path: '/api/v1/cards/:id/changes',
      tag: 'cards',
      id: 'listCardChanges',
      summary: 'List the changes of a card',
      description:
        'Lists who froze, unfroze or closed the card, when, and what became of it, newest first. A closed card says what returned to the card account.',
      params: IdParams,
      query: object(pageQuery),
      responses: { 200: pageOf(CardChange) },
      handle: async ({ caller, params, query }) => {
        const cardId = requireId('card', params.id)
        requireFound(await findCard(db, caller.scope, cardId))
        return answerPage({
          cursors,
          name: `changes of ${cardId}`,
          scope: caller.scope,
          query,
          fetch: (slice) => listChangesOfCard(db, caller.scope, cardId, slice),
          idOf: (row) => row.id,
          toWire: toCardChange,
        })
      },
    },
  )
}
