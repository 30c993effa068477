// What each call of the simulated Lithic does. What a call may not do, it refuses with the status that Lithic documents.
import type { Static } from 'typebox'
import { renderBalances, renderCard, renderEvent, renderHolder, renderNewHolder, renderTransfer } from './render.ts'
import type * as schemas from './schemas.ts'
import {
  addEvent,
  Failure,
  PROGRAM_TOKEN,
  requireAccount,
  type SimulatedCard,
  type SimulatedEvent,
  type SimulatedTransfer,
  type World,
} from './world.ts'

type Query = Readonly<Record<string, string>>

export function createHolder(world: World, request: Static<typeof schemas.NewHolder>): object {
  const holder = {
    token: world.newToken(),
    accountToken: world.newToken(),
    created: world.clock.now(),
    status: 'ACCEPTED',
    request,
  }
  world.holders.push(holder)
  return renderNewHolder(holder)
}

export function listHolders(world: World, { external_id: id, limit = '50' }: Query): object {
  const found = world.holders.filter(({ request }) => id === undefined || request['external_id'] === id).toReversed()
  return { data: found.slice(0, Number(limit)).map(renderHolder), has_more: found.length > Number(limit) }
}

export function readHolder(world: World, token: string): object {
  const holder = world.holders.find((one) => one.token === token)
  if (holder === undefined) throw new Failure(404, 'Could not find account holder.')
  return renderHolder(holder)
}

type NewCard = Static<typeof schemas.NewVirtualCard> | Static<typeof schemas.NewPhysicalCard>

/** The same key with the same body gives the same card; with another body it is an error. */
export function createCard(world: World, request: NewCard, key: string | undefined): object {
  const text = JSON.stringify(request)
  const kept = key === undefined ? undefined : world.keys.get(key)
  if (kept !== undefined && kept.request !== text) {
    throw new Failure(422, 'The idempotency key was used with other parameters.')
  }
  const card = kept === undefined ? makeCard(world, request) : requireCard(world, kept.token)
  if (key !== undefined) world.keys.set(key, { request: text, token: card.token })
  return renderCard(card, { hasNumber: true })
}

function makeCard(world: World, request: NewCard): SimulatedCard {
  if (!world.holders.some(({ accountToken }) => accountToken === request.account_token)) {
    throw new Failure(400, 'Could not find account.')
  }
  const isPhysical = request.type === 'PHYSICAL'
  const number = String(world.cards.size + 1).padStart(9, '0')
  const card: SimulatedCard = {
    token: world.newToken(),
    accountToken: request.account_token,
    created: world.clock.now(),
    type: request.type,
    pan: `4111111${number}`,
    cvv: '776',
    programToken: request.card_program_token ?? PROGRAM_TOKEN,
    productId: isPhysical ? request.product_id : null,
    memo: request.memo ?? '',
    state: isPhysical ? 'PENDING_FULFILLMENT' : (request.state ?? 'OPEN'),
    substatus: null,
    limit: BigInt(request.spend_limit ?? 0),
    duration: request.spend_limit_duration ?? 'TRANSACTION',
    spent: 0n,
  }
  world.cards.set(card.token, card)
  if (world.mode === 'balance') world.accounts.set(card.token, { total: 0n, held: 0n })
  addEvent(world, 'card.created', { card_token: card.token, replacement_for: null })
  return card
}

export function requireCard(world: World, token: string): SimulatedCard {
  const card = world.cards.get(token)
  if (card === undefined) throw new Failure(404, 'Could not find card.')
  return card
}

/** Finds memos that contain the text, as Lithic does. */
export function listCards(world: World, query: Query): object {
  const { memo = '', account_token: account } = query
  const found = [...world.cards.values()].filter(
    (card) => card.memo.includes(memo) && (account === undefined || card.accountToken === account),
  )
  return pageOf(found, query, (card) => renderCard(card, { hasNumber: false }))
}

export function updateCard(world: World, token: string, update: Static<typeof schemas.CardUpdate>): SimulatedCard {
  const card = requireCard(world, token)
  if (card.state === 'CLOSED') throw new Failure(400, 'The card is closed.')
  const before = { state: card.state, memo: card.memo, spend_limit: Number(card.limit) }
  if (update.memo !== undefined) card.memo = update.memo
  if (update.spend_limit !== undefined) card.limit = BigInt(update.spend_limit)
  if (update.spend_limit_duration !== undefined) card.duration = update.spend_limit_duration
  if (update.state !== undefined) card.state = update.state
  addEvent(world, 'card.updated', { card_token: card.token, state: card.state, previous_fields: before })
  return card
}

export function createTransfer(world: World, request: Static<typeof schemas.NewTransfer>): object {
  const text = JSON.stringify(request)
  const known = request.token === undefined ? undefined : world.transfers.get(request.token)
  if (known !== undefined) {
    if (known.request === text) return renderTransfer(known)
    throw new Failure(400, 'A transfer with this token and other parameters exists.')
  }
  const { from_financial_account_token: from, to_financial_account_token: to } = request
  if (from === to) throw new Failure(400, 'The two accounts are the same.')
  const [payer, payee] = [requireAccount(world, from), requireAccount(world, to)]
  if (world.cards.get(to)?.state === 'CLOSED') throw new Failure(400, 'The account is closed.')
  const amount = BigInt(request.amount)
  const isDeclined = payer.total - payer.held < amount
  if (!isDeclined) {
    payer.total -= amount
    payee.total += amount
  }
  const { category, type, subtype, memo = '' } = request
  const now = world.clock.now()
  const transfer: SimulatedTransfer = {
    token: request.token ?? world.newToken(),
    status: isDeclined ? 'DECLINED' : 'SETTLED',
    from,
    to,
    amount,
    category,
    type,
    subtype,
    memo,
    created: now,
    updated: now,
    request: text,
  }
  world.transfers.set(transfer.token, transfer)
  addEvent(world, 'book_transfer_transaction.created', renderTransfer(transfer))
  return renderTransfer(transfer)
}

export function readTransfer(world: World, token: string): object {
  const transfer = world.transfers.get(token)
  if (transfer === undefined) throw new Failure(404, 'Could not find book transfer.')
  return renderTransfer(transfer)
}

export function readCardBalances(world: World, token: string): object {
  return renderBalances(world, requireCard(world, token).token)
}

export function listEvents(world: World, query: Query): object {
  const { mode } = world.eventSettings
  const types = query['event_types']?.split(',')
  const found = world.events.filter(({ type }) => types === undefined || types.includes(type))
  const hasContent = query['with_content'] === 'true'
  const render = (event: SimulatedEvent) => renderEvent(event, { hasContent })
  if (mode === 'reordered') return pageOf(found.toReversed(), query, render)
  const page = pageOf(found, query, render)
  return mode === 'repeated' ? { ...page, data: page.data.flatMap((event) => [event, event]) } : page
}

interface Listed {
  readonly token: string
  readonly created: Date
}

/** The newest come first. Times are exclusive. */
function pageOf<Item extends Listed>(
  oldestFirst: readonly Item[],
  query: Query,
  render: (item: Item) => object,
): { data: object[]; has_more: boolean } {
  const { begin, end, starting_after: after, ending_before: before, page_size: size = '50' } = query
  const all = oldestFirst.toReversed()
  const items = all.filter(
    ({ created }) =>
      (begin === undefined || created > new Date(begin)) && (end === undefined || created < new Date(end)),
  )
  const place = (token: string) => {
    const found = items.findIndex((item) => item.token === token)
    if (found === -1) throw new Failure(400, 'The cursor is not in the list.')
    return found
  }
  const start = after === undefined ? 0 : place(after) + 1
  const stop = before === undefined ? items.length : place(before)
  const count = Number(size)
  const page = before === undefined ? items.slice(start, start + count) : items.slice(Math.max(0, stop - count), stop)
  const hasMore = before === undefined ? items.length > start + count : stop > count
  return { data: page.map(render), has_more: hasMore }
}
