// Compares the cards at the provider with the books of the adapter. It changes nothing.
import type { Db } from '../../../db/pool.ts'
import type { CardProvider, ProviderAbout, ProviderCard } from '../../provider.ts'
import { type CardSum, listCardSums, listCardsOfMode } from './queries.ts'

/** Cards of the books that are read at once. */
const CARDS_PER_PAGE = 1_000
/** More differences than a person reads. They are counted beyond that. */
const DIFFERENCES_MAX = 1_000

export interface CardDifference {
  /** Null: a card that the adapter did not make. */
  readonly cardId: string | null
  readonly providerId: string
  readonly what: 'unknown_here' | 'missing_at_provider' | 'status' | 'amount'
  readonly books: string | null
  readonly provider: string | null
}

export interface CardReconciliation {
  readonly cards: number
  readonly differenceCount: number
  readonly differences: readonly CardDifference[]
  /** Cents: what the cards have according to our books and according to the provider. */
  readonly owed: bigint
  readonly atProvider: bigint
}

export async function reconcileCards(db: Db, provider: CardProvider): Promise<CardReconciliation> {
  const modeOf = await readModes(db, provider.about.cardMode)
  const theirs = new Map<string, ProviderCard>()
  for await (const card of provider.listCards(modeOf)) theirs.set(card.providerId, card)
  const differences: CardDifference[] = []
  let [cards, owed, atProvider] = [0, 0n, 0n]
  for await (const sum of readSums(db)) {
    cards += 1
    const card = theirs.get(sum.provider_id)
    theirs.delete(sum.provider_id)
    const books = expectedAmount(sum, modeOf(sum.provider_id))
    owed += books
    atProvider += card?.amount ?? 0n
    differences.push(...compare(sum, books, card))
  }
  for (const card of theirs.values()) {
    differences.push(difference(null, card.providerId, 'unknown_here', null, card.status))
  }
  return {
    cards,
    differenceCount: differences.length,
    differences: differences.slice(0, DIFFERENCES_MAX),
    owed,
    atProvider,
  }
}

type CardMode = ProviderAbout['cardMode']

/** A card keeps the mode in which it was made when the setting is changed. */
async function readModes(db: Db, present: CardMode): Promise<(providerId: string) => CardMode> {
  const former = present === 'balance' ? 'limit' : 'balance'
  const ids = new Set((await listCardsOfMode(db, former)).map(({ provider_id }) => provider_id))
  return (providerId) => (ids.has(providerId) ? former : present)
}

/** A limit is what was put on the card; a balance is what is left of it. */
function expectedAmount({ status, loaded, returned, paid }: CardSum, mode: CardMode): bigint {
  if (mode === 'balance') return loaded - returned + paid
  return status === 'closed' ? 0n : loaded
}

function compare(sum: CardSum, books: bigint, card: ProviderCard | undefined): CardDifference[] {
  if (card === undefined) return [difference(sum.id, sum.provider_id, 'missing_at_provider', sum.status, null)]
  const found: CardDifference[] = []
  if (card.status !== sum.status) found.push(difference(sum.id, sum.provider_id, 'status', sum.status, card.status))
  const isOver = sum.status === 'closed' && card.status === 'closed'
  // A closed card may keep a limit, which nobody can use.
  if (card.amount !== books && !(isOver && books === 0n)) {
    found.push(difference(sum.id, sum.provider_id, 'amount', books.toString(), card.amount.toString()))
  }
  return found
}

function difference(
  cardId: string | null,
  providerId: string,
  what: CardDifference['what'],
  books: string | null,
  provider: string | null,
): CardDifference {
  return { cardId, providerId, what, books, provider }
}

async function* readSums(db: Db): AsyncGenerator<CardSum> {
  for (let after = ''; ;) {
    const page = await listCardSums(db, after, CARDS_PER_PAGE)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < CARDS_PER_PAGE) return
    after = last.id
  }
}
