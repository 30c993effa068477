// Lithic as a card provider of the adapter. Each card has a balance of its own at Lithic, or a limit on what may be spent.
import { loadClient } from '../../../issuer/http/transmit.ts'
import {
  type CardProvider,
  type CardRequest,
  holderSubject,
  moneySubject,
  type ProviderAbout,
  type ProviderCard,
  type ProviderObject,
  type ReadCard,
  statusSubject,
} from '../../provider.ts'
import { pageOf } from '../../provider-kit/parse.ts'
import { type Card, parseAvailable, parseCard } from './answers.ts'
import { createApi } from './api.ts'
import { CARDS_PATH, PAGE_SIZE, pathOf } from './cards.ts'
import { balancesPathOf, checkLithic } from './check.ts'
import { HOLDER_FIELDS } from './holder-fields.ts'
import { type Kit, modeOf } from './kit.ts'
import { numberPageOf } from './number-page.ts'
import { planNext } from './plan.ts'
import { createPoll } from './poll.ts'
import { type CardMode, type LithicSettings, PRODUCTION_URL, SANDBOX_URL } from './settings.ts'
import { findStatus } from './states.ts'

/** How long Lithic certainly remembers an idempotency key. It has said 24 hours; the rest is the margin. */
const KEY_LIFETIME_MS = 20 * 3_600_000

export function createLithic(settings: LithicSettings): CardProvider {
  void loadClient()
  const kit: Kit = { api: createApi(settings), settings }
  return {
    about: aboutOf(settings),
    holderFields: HOLDER_FIELDS,
    keyLifetimeMs: KEY_LIFETIME_MS,
    check: () => checkLithic(kit),
    subjectsOf,
    next: (request, history) => planNext(kit, request, history),
    poll: createPoll(kit),
    readCard: (card) => readCard(kit, card),
    listCards: (cardModeOf) => listCards(kit, cardModeOf),
    async readFloat() {
      const { fundingAccount } = settings
      if (fundingAccount === undefined) return undefined
      const read = await kit.api.read(balancesPathOf(fundingAccount), parseAvailable)
      if (read.kind === 'read') return read.value
      throw new Error(`The balance of LITHIC_FUNDING_ACCOUNT cannot be read: ${read.reason}`)
    },
    numberPage: async (card) => numberPageOf(settings, card.providerId),
    close: async () => undefined,
  }
}

function aboutOf({ url, mode }: LithicSettings): ProviderAbout {
  const { origin, host } = new URL(url)
  const place = origin === PRODUCTION_URL ? undefined : origin === SANDBOX_URL ? 'sandbox' : host
  return {
    provider: place === undefined ? 'Lithic' : `Lithic (${place})`,
    mode: place === undefined ? 'live' : 'test',
    cardMode: mode,
    kinds: ['issue', 'topup', 'card_status'],
  }
}

/** A holder who is not enrolled yet is enrolled by one request only. A freeze does not wait for a top-up. */
function subjectsOf({ body, holder }: CardRequest): readonly string[] {
  if (body.kind === 'issue') return holder === undefined ? [holderSubject(body.holderId)] : []
  if (body.kind === 'topup') return [moneySubject(body.cardId)]
  const status = statusSubject(body.cardId)
  return body.status === 'closed' ? [status, moneySubject(body.cardId)] : [status]
}

async function readCard(kit: Kit, card: ProviderObject): Promise<ReadCard> {
  const { providerId } = card
  const mode = modeOf(kit, card)
  const read = await kit.api.read(pathOf(providerId), parseCard)
  if (read.kind === 'read') return { ...(await toProviderCard(kit, read.value, mode)), mode }
  throw new Error(`The card ${providerId} cannot be read at Lithic: ${read.reason}`)
}

async function* listCards(kit: Kit, cardModeOf: (providerId: string) => CardMode): AsyncIterable<ProviderCard> {
  let after: string | undefined
  do {
    const read = await kit.api.read(CARDS_PATH, pageOf(parseCard), { page_size: PAGE_SIZE, starting_after: after })
    if (read.kind !== 'read') throw new Error(`The cards of Lithic cannot be read: ${read.reason}`)
    for (const card of read.value.items) yield await toProviderCard(kit, card, cardModeOf(card.token))
    after = read.value.hasMore ? read.value.items.at(-1)?.token : undefined
  } while (after !== undefined)
}

async function toProviderCard({ api }: Kit, card: Card, mode: CardMode): Promise<ProviderCard> {
  const amount = mode === 'limit' ? card.limit : await readAmount(api, card.token)
  // A physical card on its way is active for the server since it was issued.
  return { providerId: card.token, status: findStatus(card) ?? 'active', amount }
}

async function readAmount(api: Kit['api'], cardToken: string): Promise<bigint> {
  const read = await api.read(`${pathOf(cardToken)}/balances`, parseAvailable)
  if (read.kind === 'read') return read.value
  throw new Error(`The balance of the card ${cardToken} cannot be read at Lithic: ${read.reason}`)
}
