// The calls that the simulated Stripe answers, with what each accepts.
import type { Static, TSchema } from 'typebox'
import * as calls from './api-calls.ts'
import type { RouteId } from './behaviour.ts'
import { renderAuthorization, renderCard, renderHolder, renderTransaction } from './render.ts'
import * as schemas from './schemas.ts'
import type { World } from './world.ts'

export interface ApiRoute {
  readonly id: RouteId
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** What the form or the query has to match. */
  readonly schema: TSchema
  handle(world: World, request: { readonly id: string; readonly fields: unknown }): object
}

/** The server has checked the fields against the schema. */
function route<Schema extends TSchema>(
  id: RouteId,
  call: `${'GET' | 'POST'} ${string}`,
  schema: Schema,
  handle: (world: World, fields: Static<Schema>, id: string) => object,
): ApiRoute {
  const [method, path] = call.split(' ') as ['GET' | 'POST', string]
  return {
    id,
    method,
    path,
    schema,
    handle: (world, request) => handle(world, request.fields as Static<Schema>, request.id),
  }
}

const { NoQuery } = schemas

export const API_ROUTES: readonly ApiRoute[] = [
  route('createHolder', 'POST /v1/issuing/cardholders', schemas.NewHolder, calls.createHolder),
  route('listHolders', 'GET /v1/issuing/cardholders', schemas.HoldersQuery, calls.listHolders),
  route('readHolder', 'GET /v1/issuing/cardholders/:id', NoQuery, (world, _, id) =>
    renderHolder(calls.requireHolder(world, id)),
  ),
  route('createCard', 'POST /v1/issuing/cards', schemas.NewCard, calls.createCard),
  route('listCards', 'GET /v1/issuing/cards', schemas.CardsQuery, calls.listCards),
  route('readCard', 'GET /v1/issuing/cards/:id', NoQuery, (world, _, id) => renderCard(calls.requireCard(world, id))),
  route('updateCard', 'POST /v1/issuing/cards/:id', schemas.CardUpdate, (world, fields, id) =>
    renderCard(calls.updateCard(world, id, fields)),
  ),
  route('listAuthorizations', 'GET /v1/issuing/authorizations', schemas.AuthorizationsQuery, calls.listAuthorizations),
  route('readAuthorization', 'GET /v1/issuing/authorizations/:id', NoQuery, (world, _, id) =>
    renderAuthorization(calls.requireAuthorization(world, id)),
  ),
  route('listTransactions', 'GET /v1/issuing/transactions', schemas.TransactionsQuery, calls.listTransactions),
  route('readTransaction', 'GET /v1/issuing/transactions/:id', NoQuery, (world, _, id) =>
    renderTransaction(calls.requireTransaction(world, id)),
  ),
  route('readBalance', 'GET /v1/balance', NoQuery, calls.readBalance),
  route('listEvents', 'GET /v1/events', schemas.EventsQuery, calls.listEvents),
]
