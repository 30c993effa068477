// The calls that the simulated Lithic answers, with what each accepts.
import type { Static, TSchema } from 'typebox'
import * as calls from './api-calls.ts'
import type { RouteId } from './behaviour.ts'
import { requirePayment } from './payments.ts'
import { renderBalances, renderCard, renderPayment, renderSpendLimits } from './render.ts'
import * as schemas from './schemas.ts'
import { Failure, type World } from './world.ts'

export interface ApiRequest {
  /** What stands in the place of `:token`. */
  readonly token: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly key: string | undefined
}

export interface ApiRoute {
  readonly id: RouteId
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly isPublic?: boolean
  readonly query: TSchema
  /** A body has to match one of them. */
  readonly bodies: readonly TSchema[]
  handle(world: World, request: ApiRequest): object
}

type Handle = ApiRoute['handle']

function get(id: RouteId, path: string, handle: Handle, query: TSchema = schemas.NoQuery): ApiRoute {
  return { id, method: 'GET', path, query, bodies: [], handle }
}

function send<Body extends TSchema>(
  id: RouteId,
  call: `${'POST' | 'PATCH'} ${string}`,
  bodies: readonly Body[],
  handle: (world: World, request: ApiRequest & { readonly body: Static<Body> }) => object,
): ApiRoute {
  const [method, path] = call.split(' ') as ['POST' | 'PATCH', string]
  // The server has checked the body against the schemas.
  return { id, method, path, query: schemas.NoQuery, bodies, handle }
}

export const API_ROUTES: readonly ApiRoute[] = [
  { ...get('status', '/v1/status', () => ({ message: 'OK' })), isPublic: true },
  send('createHolder', 'POST /v1/account_holders', [schemas.NewHolder], (world, { body }) =>
    calls.createHolder(world, body),
  ),
  get(
    'listHolders',
    '/v1/account_holders',
    (world, { query }) => calls.listHolders(world, query),
    schemas.HoldersQuery,
  ),
  get('readHolder', '/v1/account_holders/:token', (world, { token }) => calls.readHolder(world, token)),
  send('createCard', 'POST /v1/cards', [schemas.NewVirtualCard, schemas.NewPhysicalCard], (world, { body, key }) =>
    calls.createCard(world, body, key),
  ),
  get('listCards', '/v1/cards', (world, { query }) => calls.listCards(world, query), schemas.CardsQuery),
  get('readCard', '/v1/cards/:token', (world, { token }) =>
    renderCard(calls.requireCard(world, token), { hasNumber: true }),
  ),
  send('updateCard', 'PATCH /v1/cards/:token', [schemas.CardUpdate], (world, { token, body }) =>
    renderCard(calls.updateCard(world, token, body), { hasNumber: true }),
  ),
  get('readCardBalances', '/v1/cards/:token/balances', (world, { token }) => calls.readCardBalances(world, token)),
  get('readSpendLimits', '/v1/cards/:token/spend_limits', (world, { token }) =>
    renderSpendLimits(calls.requireCard(world, token)),
  ),
  send('createTransfer', 'POST /v1/book_transfers', [schemas.NewTransfer], (world, { body }) =>
    calls.createTransfer(world, body),
  ),
  get('readTransfer', '/v1/book_transfers/:token', (world, { token }) => calls.readTransfer(world, token)),
  get('readAccountBalances', '/v1/financial_accounts/:token/balances', (world, { token }) => {
    if (world.cards.has(token)) throw new Failure(404, 'Could not find financial account.')
    return renderBalances(world, token)
  }),
  get('listEvents', '/v1/events', (world, { query }) => calls.listEvents(world, query), schemas.EventsQuery),
  get('readTransaction', '/v1/transactions/:token', (world, { token }) => renderPayment(requirePayment(world, token))),
]
