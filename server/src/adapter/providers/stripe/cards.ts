// The steps that make a card at Stripe and change its status and its limit, and the reading of a card.
import { formatCents } from '../../../lib/money.ts'
import type { Action, Done, Found, ProviderObject, Reading } from '../../provider.ts'
import { type Card, parseCard } from './answers.ts'
import type { Form } from './api.ts'
import { confirmRefusal, done, refuse, toFound, toReading, toSent } from '../../provider-kit/outcomes.ts'
import { keyOf, type Kit } from './kit.ts'
import { readList } from './pages.ts'

export interface CardToMake {
  readonly token: string
  /** Ours, card_…. */
  readonly id: string
  readonly cardholder: string
  /** In cents. It is the limit of the card. */
  readonly amount: bigint
  /** When the order began, in seconds. Only cards that were made after it are searched. */
  readonly since: number
}

export const CARDS_PATH = '/v1/issuing/cards'
/** Pages of Stripe's cards of one cardholder that are searched for a token: those of one order's time are a few. */
const SEARCH_PAGES_MAX = 20
/** Cards at Stripe are searched from this long before the order began, in case the clocks differ. */
const CLOCK_MARGIN_S = 3_600

/** `token` is in the idempotency key, and in the metadata by which the card is found. */
export function makeCard(kit: Kit, card: CardToMake): Action {
  const lookUp = () => findMade(kit, card)
  return {
    type: 'action',
    name: 'card',
    shows: { token: card.token, cardholder: card.cardholder, limit: formatCents(card.amount) },
    isRepeatable: true,
    async send() {
      const changed = await kit.api.change({
        path: CARDS_PATH,
        form: {
          cardholder: card.cardholder,
          currency: 'usd',
          type: 'virtual',
          // Without it Stripe makes a card that cannot pay.
          status: 'active',
          ...limitForm(card.amount),
          'metadata[token]': card.token,
        },
        idempotencyKey: keyOf(card.token, 'card'),
        parse: (answer) => findOwn(parseCard(answer), card),
      })
      return confirmRefusal(
        toSent(changed, (made) => asMade(card, made)),
        lookUp,
      )
    },
    lookUp,
  }
}

/** Stripe replaces all limits of a card by those that are sent. */
function limitForm(amount: bigint): Form {
  const limit = 'spending_controls[spending_limits][0]'
  return { [`${limit}[amount]`]: String(amount), [`${limit}[interval]`]: 'all_time' }
}

/** A card with another limit than was asked for is not the answer to the request. */
function findOwn(made: Card | undefined, { token, cardholder, amount }: CardToMake): Card | undefined {
  return made?.token === token && made.cardholder === cardholder && made.limit === amount ? made : undefined
}

/** Stripe does not search metadata, so the cardholder's cards since the order are looked at. */
async function findMade({ api }: Kit, card: CardToMake): Promise<Found> {
  const query = { cardholder: card.cardholder, 'created[gte]': card.since - CLOCK_MARGIN_S }
  const read = await readList(api, { path: CARDS_PATH, parse: parseCard, query, pagesMax: SEARCH_PAGES_MAX })
  if (read.kind !== 'read') return { kind: 'unknown', reason: read.reason }
  const own = read.value.filter(({ token }) => token === card.token)
  const [first, ...others] = own
  if (first === undefined) return { kind: 'absent', reason: 'Stripe has no card with this token' }
  if (others.length > 0)
    return { kind: 'unknown', reason: `Stripe has ${own.length} cards with the token ${card.token}` }
  if (findOwn(first, card) === undefined) {
    return { kind: 'unknown', reason: `the card ${first.id} has another limit than was asked for` }
  }
  return asMade(card, first)
}

/** The limit is the one that was asked for, so that a change by hand is noticed before the next one. */
function asMade({ id, amount }: CardToMake, made: Card): Done {
  const facts = { last4: made.last4, limit: formatCents(amount) }
  return done({ ...facts, card: made.id }, [{ kind: 'card', id, providerId: made.id, facts }])
}

interface StatusChange {
  readonly requestToken: string
  readonly name: string
  readonly cardId: string
  readonly status: Card['status']
}

export function setStatus({ api }: Kit, { requestToken, name, cardId, status }: StatusChange): Action {
  const path = pathOf(cardId)
  return {
    type: 'action',
    name,
    shows: { card: cardId, status },
    isRepeatable: true,
    async send() {
      const changed = await api.change({
        path,
        form: { status },
        idempotencyKey: keyOf(requestToken, name),
        parse: (answer) => {
          const card = parseCard(answer)
          return card?.id === cardId && card.status === status ? card : undefined
        },
      })
      return toSent(changed, () => done({ status }))
    },
    async lookUp() {
      return toFound(await api.read(path, parseCard), (card) =>
        card.status === status ? done({ status }) : { kind: 'absent', reason: `the card is ${card.status}` },
      )
    },
  }
}

interface Raise {
  readonly requestToken: string
  readonly card: ProviderObject
  /** The limit that was read before. */
  readonly from: bigint
  readonly to: bigint
}

/** Sets a new limit, which Stripe takes as an absolute amount. */
export function raiseLimit({ api }: Kit, { requestToken, card, from, to }: Raise): Action {
  const path = pathOf(card.providerId)
  const asRaised = (): Done => {
    const facts = { ...card.facts, limit: formatCents(to) }
    return done({ limit: formatCents(to) }, [{ ...card, facts }])
  }
  return {
    type: 'action',
    name: 'raise',
    shows: { card: card.providerId, from: formatCents(from), to: formatCents(to) },
    isRepeatable: true,
    async send() {
      const changed = await api.change({
        path,
        form: limitForm(to),
        idempotencyKey: keyOf(requestToken, 'raise'),
        parse: (answer) => {
          const read = parseCard(answer)
          return read?.id === card.providerId && read.limit === to ? read : undefined
        },
      })
      return toSent(changed, asRaised)
    },
    async lookUp() {
      return toFound(await api.read(path, parseCard), (read) => {
        if (read.limit === to) return asRaised()
        if (read.limit === from) return { kind: 'absent', reason: `the limit is still ${formatCents(from)}` }
        return { kind: 'unknown', reason: `the limits are ${read.limits}, which nobody here asked for` }
      })
    },
  }
}

export function pathOf(cardId: string): string {
  return `${CARDS_PATH}/${encodeURIComponent(cardId)}`
}

/** Reads the status and the limit, for a decision that follows. */
export function readCard({ api }: Kit, name: string, card: ProviderObject): Reading {
  return {
    type: 'reading',
    name,
    async read() {
      const read = await api.read(pathOf(card.providerId), parseCard)
      if (read.kind === 'absent') return refuse('card_unknown', 'Stripe does not know the card.')
      return toReading(read, ({ status, limit, limits }) =>
        done({ status, limit: limit === undefined ? null : formatCents(limit), limits }),
      )
    },
  }
}
