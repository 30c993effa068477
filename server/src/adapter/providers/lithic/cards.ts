// The steps that make a card at Lithic and change its state, and the readings of a card.
import { cents, formatCents } from '../../../lib/money.ts'
import type { Action, Done, Found, ProviderObject, Reading } from '../../provider.ts'
import { pageOf } from '../../provider-kit/parse.ts'
import { type Card, parseAvailable, parseCard } from './answers.ts'
import { confirmRefusal, done, refuse, toFound, toReading, toSent } from '../../provider-kit/outcomes.ts'
import { type Kit, toInteger } from './kit.ts'
import type { CardMode } from './settings.ts'

export interface CardToMake {
  readonly token: string
  /** Ours, card_…. */
  readonly id: string
  readonly account: string
  readonly mode: CardMode
  readonly program: string | undefined
  /** In cents. In the limit mode it is the limit of the card. */
  readonly amount: bigint
  /** Of a physical card. */
  readonly physical: { readonly design: string; readonly address: object } | undefined
}

export const CARDS_PATH = '/v1/cards'
/** The most that Lithic gives in one page. */
export const PAGE_SIZE = 100
/** Pages of Lithic's cards that are searched for a memo. Memos that contain one of our tokens are at most a few. */
const SEARCH_PAGES_MAX = 20
const CARD_REFUSALS = [400, 422]
const STATE_REFUSALS = [400, 404, 422]

/** `token` is the idempotency key, and the memo by which the card is found. */
export function makeCard(kit: Kit, card: CardToMake): Action {
  const lookUp = () => findMade(kit, card)
  return {
    type: 'action',
    name: 'card',
    shows: {
      memo: card.token,
      account: card.account,
      type: card.physical === undefined ? 'VIRTUAL' : 'PHYSICAL',
      ...(card.mode === 'limit' ? { limit: formatCents(card.amount) } : {}),
    },
    isRepeatable: true,
    async send() {
      const changed = await kit.api.change({
        method: 'POST',
        path: CARDS_PATH,
        body: bodyOf(card),
        idempotencyKey: card.token,
        refusals: CARD_REFUSALS,
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

function bodyOf({ token, account, mode, program, amount, physical }: CardToMake): object {
  return {
    type: physical === undefined ? 'VIRTUAL' : 'PHYSICAL',
    account_token: account,
    memo: token,
    state: 'OPEN',
    ...(program === undefined ? {} : { card_program_token: program }),
    // A limit of 0 would be no limit. Our protocol has no amount of 0, and bodyOf is not called with one.
    ...(mode === 'limit' ? { spend_limit: toInteger(amount), spend_limit_duration: 'FOREVER' } : {}),
    ...(physical === undefined
      ? {}
      : { product_id: physical.design, shipping_address: physical.address, shipping_method: 'STANDARD' }),
  }
}

/** A card with another limit than was asked for is not the answer to the request. */
function findOwn(made: Card | undefined, { token, account, mode, amount }: CardToMake): Card | undefined {
  if (made?.memo !== token || made.accountToken !== account) return undefined
  return mode === 'limit' && (made.limit !== amount || made.limitDuration !== 'FOREVER') ? undefined : made
}

/** Lithic also finds memos that only contain the text, and gives them in pages. */
async function findMade({ api }: Kit, card: CardToMake): Promise<Found> {
  const own: Card[] = []
  let after: string | undefined
  for (let page = 0; page < SEARCH_PAGES_MAX; page += 1) {
    const query = { memo: card.token, page_size: PAGE_SIZE, starting_after: after }
    const read = await api.read(CARDS_PATH, pageOf(parseCard), query)
    if (read.kind !== 'read') return { kind: 'unknown', reason: read.reason }
    const { items, hasMore } = read.value
    own.push(...items.filter(({ memo }) => memo === card.token))
    after = items.at(-1)?.token
    if (!hasMore) return toOnly(card, own)
    if (after === undefined) break
  }
  return { kind: 'unknown', reason: 'Lithic has too many cards with this memo to look through' }
}

function toOnly(card: CardToMake, own: readonly Card[]): Found {
  const [first, ...others] = own
  if (first === undefined) return { kind: 'absent', reason: 'Lithic has no card with this memo' }
  if (findOwn(first, card) === undefined) {
    return { kind: 'unknown', reason: `the card ${first.token} has another account or limit than was asked for` }
  }
  if (others.length > 0)
    return { kind: 'unknown', reason: `Lithic has ${own.length} cards with the memo ${card.token}` }
  return asMade(card, first)
}

/** The limit is the one that was asked for, so that a change by hand is noticed before the next one. */
function asMade({ id, mode, amount }: CardToMake, made: Card): Done {
  const facts = { mode, last4: made.last4, ...(mode === 'limit' ? { limit: formatCents(amount) } : {}) }
  return done({ ...facts, card: made.token }, [{ kind: 'card', id, providerId: made.token, facts }])
}

export type WantedState = 'OPEN' | 'PAUSED' | 'CLOSED'

export function setState({ api }: Kit, name: string, cardToken: string, state: WantedState): Action {
  const path = pathOf(cardToken)
  const lookUp = async (): Promise<Found> =>
    toFound(await api.read(path, parseCard), (card) =>
      card.state === state ? done({ state }) : { kind: 'absent', reason: `the card is ${card.state}` },
    )
  return {
    type: 'action',
    name,
    shows: { card: cardToken, state },
    // Closing is final, so a second one changes nothing. A late second change to another state might undo somebody's later one.
    isRepeatable: state === 'CLOSED' ? 'always' : false,
    async send() {
      const changed = await api.change({
        method: 'PATCH',
        path,
        body: { state },
        refusals: STATE_REFUSALS,
        parse: (answer) => {
          const card = parseCard(answer)
          return card?.token === cardToken && card.state === state ? card : undefined
        },
      })
      return confirmRefusal(
        toSent(changed, () => done({ state })),
        lookUp,
      )
    },
    lookUp,
  }
}

export function pathOf(cardToken: string): string {
  return `${CARDS_PATH}/${encodeURIComponent(cardToken)}`
}

/** Reads the state and the limit, for a decision that follows. */
export function readCard({ api }: Kit, name: string, card: ProviderObject): Reading {
  return {
    type: 'reading',
    name,
    async read() {
      const read = await api.read(pathOf(card.providerId), parseCard)
      if (read.kind === 'absent') return refuse('card_unknown', 'Lithic does not know the card.')
      return toReading(read, ({ state, limit, limitDuration }) =>
        done({ state, limit: formatCents(limit), limit_duration: limitDuration }),
      )
    },
  }
}

/** Reads what can be taken from a card. A card that owes money has nothing. */
export function readBalance({ api }: Kit, name: string, cardToken: string): Reading {
  return {
    type: 'reading',
    name,
    async read() {
      const read = await api.read(`${pathOf(cardToken)}/balances`, parseAvailable)
      return toReading(read, (available) => done({ available: formatCents(cents(available < 0n ? 0n : available)) }))
    },
  }
}
