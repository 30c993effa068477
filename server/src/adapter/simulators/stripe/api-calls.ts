// What each call of the simulated Stripe does. What a call may not do, it refuses with the status that Stripe documents.
import type { Static } from 'typebox'
import { renderAuthorization, renderCard, renderEvent, renderHolder, renderTransaction, whole } from './render.ts'
import type * as schemas from './schemas.ts'
import {
  addEvent,
  Failure,
  notFound,
  type SimulatedAuthorization,
  type SimulatedCard,
  type SimulatedHolder,
  type SimulatedTransaction,
  type World,
} from './world.ts'

export function createHolder(world: World, request: Static<typeof schemas.NewHolder>): object {
  const holder: SimulatedHolder = {
    id: world.newId('ich'),
    created: world.now(),
    request,
    status: 'active',
    disabledReason: null,
    pastDue: [],
  }
  world.holders.push(holder)
  return renderHolder(holder)
}

export function listHolders(world: World, query: Static<typeof schemas.HoldersQuery>): object {
  const { email } = query
  const found = world.holders.filter(({ request }) => email === undefined || request['email'] === email)
  return pageOf('/v1/issuing/cardholders', found, query, renderHolder)
}

export function requireHolder(world: World, id: string): SimulatedHolder {
  const holder = world.holders.find((one) => one.id === id)
  if (holder === undefined) throw notFound('cardholder', id)
  return holder
}

type Controls = Static<typeof schemas.NewCard>['spending_controls']

export function createCard(world: World, request: Static<typeof schemas.NewCard>): object {
  const cardholder = requireHolder(world, request.cardholder)
  const { status = 'inactive', spending_controls: controls, metadata = {} } = request
  requireEnabled(cardholder, status)
  const card: SimulatedCard = {
    id: world.newId('ic'),
    cardholder,
    created: world.now(),
    last4: String(world.cards.size % 10_000).padStart(4, '0'),
    metadata,
    status,
    limits: limitsOf(controls),
  }
  world.cards.set(card.id, card)
  addEvent(world, 'issuing_card.created', renderCard(card))
  return renderCard(card)
}

function requireEnabled({ disabledReason }: SimulatedHolder, status: SimulatedCard['status']): void {
  if (status !== 'active' || disabledReason === null) return
  throw new Failure(400, 'This cardholder has outstanding requirements preventing them from activating a card.')
}

function limitsOf(controls: Controls): SimulatedCard['limits'] {
  const limits = controls?.spending_limits ?? []
  return limits.map(({ amount, interval }) => ({ amount: BigInt(amount), interval }))
}

export function requireCard(world: World, id: string): SimulatedCard {
  const card = world.cards.get(id)
  if (card === undefined) throw notFound('card', id)
  return card
}

export function listCards(world: World, query: Static<typeof schemas.CardsQuery>): object {
  const { cardholder, status } = query
  const found = [...world.cards.values()].filter(
    (card) =>
      (cardholder === undefined || card.cardholder.id === cardholder) &&
      (status === undefined || card.status === status),
  )
  return pageOf('/v1/issuing/cards', found, query, renderCard)
}

export function updateCard(world: World, id: string, update: Static<typeof schemas.CardUpdate>): SimulatedCard {
  const card = requireCard(world, id)
  const { status, spending_controls: controls } = update
  if (card.status === 'canceled') throw new Failure(400, 'You cannot update a canceled card.')
  if (status !== undefined) {
    requireEnabled(card.cardholder, status)
    card.status = status
  }
  // Stripe replaces the whole list.
  if (controls !== undefined) card.limits = limitsOf(controls)
  addEvent(world, 'issuing_card.updated', renderCard(card))
  return card
}

export function requireAuthorization(world: World, id: string): SimulatedAuthorization {
  const authorization = world.authorizations.get(id)
  if (authorization === undefined) throw notFound('issuing authorization', id)
  return authorization
}

export function listAuthorizations(world: World, query: Static<typeof schemas.AuthorizationsQuery>): object {
  const { card, status } = query
  const found = [...world.authorizations.values()].filter(
    (one) => (card === undefined || one.card.id === card) && (status === undefined || one.status === status),
  )
  return pageOf('/v1/issuing/authorizations', found, query, renderAuthorization)
}

export function requireTransaction(world: World, id: string): SimulatedTransaction {
  const transaction = world.transactions.get(id)
  if (transaction === undefined) throw notFound('issuing transaction', id)
  return transaction
}

export function listTransactions(world: World, query: Static<typeof schemas.TransactionsQuery>): object {
  const { card, type } = query
  const found = [...world.transactions.values()].filter(
    (one) => (card === undefined || one.card.id === card) && (type === undefined || one.type === type),
  )
  return pageOf('/v1/issuing/transactions', found, query, renderTransaction)
}

export function readBalance({ balance }: World): object {
  const amounts = (amount: bigint) => [{ amount: whole(amount), currency: 'usd', source_types: { card: 0 } }]
  return {
    object: 'balance',
    available: amounts(0n),
    issuing: { available: amounts(balance) },
    livemode: false,
    pending: amounts(0n),
  }
}

/** How long Stripe keeps events, in seconds. */
const EVENTS_KEPT_S = 30 * 86_400

export function listEvents(world: World, query: Static<typeof schemas.EventsQuery>): object {
  const { mode } = world.eventSettings
  const { types } = query
  const found = world.events.filter(
    ({ type, created }) => (types === undefined || types.includes(type)) && created >= world.now() - EVENTS_KEPT_S,
  )
  if (mode === 'reordered') return pageOf('/v1/events', found.toReversed(), query, renderEvent)
  const page = pageOf('/v1/events', found, query, renderEvent)
  return mode === 'repeated' ? { ...page, data: page.data.flatMap((event) => [event, event]) } : page
}

interface Paging {
  readonly limit?: string
  readonly starting_after?: string
  readonly ending_before?: string
  readonly created?: { readonly gt?: string; readonly gte?: string; readonly lt?: string; readonly lte?: string }
}

/** The newest come first. */
function pageOf<Item extends { readonly id: string; readonly created: number }>(
  url: string,
  oldestFirst: readonly Item[],
  { limit = '10', starting_after: after, ending_before: before, created: range = {} }: Paging,
  render: (item: Item) => object,
): { object: 'list'; url: string; data: object[]; has_more: boolean } {
  const items = oldestFirst
    .toReversed()
    .filter(
      ({ created }) =>
        (range.gt === undefined || created > Number(range.gt)) &&
        (range.gte === undefined || created >= Number(range.gte)) &&
        (range.lt === undefined || created < Number(range.lt)) &&
        (range.lte === undefined || created <= Number(range.lte)),
    )
  const place = (id: string) => {
    const found = items.findIndex((item) => item.id === id)
    if (found === -1) throw notFound('object in the list', id)
    return found
  }
  const count = Number(limit)
  if (before !== undefined) {
    const stop = place(before)
    const page = items.slice(Math.max(0, stop - count), stop)
    return { object: 'list', url, data: page.map(render), has_more: stop > count }
  }
  const start = after === undefined ? 0 : place(after) + 1
  const page = items.slice(start, start + count)
  return { object: 'list', url, data: page.map(render), has_more: items.length > start + count }
}
