// Lithic as a card provider of the adapter. Each card has a balance of its own at Lithic, or a limit on what may be spent.
import { loadClient } from '../../../issuer/http/transmit.ts'
import type { CardProvider, CardRequest, ProviderAbout, ProviderCard } from '../../provider.ts'
import { pageOf, parseAvailable, parseCard } from './answers.ts'
import { createApi } from './api.ts'
import { CARDS_PATH, PAGE_SIZE, pathOf } from './cards.ts'
import { balancesPathOf, checkLithic } from './check.ts'
import { HOLDER_FIELDS } from './holder-fields.ts'
import type { Kit } from './kit.ts'
import { numberPageOf } from './number-page.ts'
import { planNext } from './plan.ts'
import { createPoll } from './poll.ts'
import { type LithicSettings, PRODUCTION_URL, SANDBOX_URL } from './settings.ts'
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
    listCards: () => listCards(kit),
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

/** A holder who is not enrolled yet is enrolled by one request only. */
function subjectsOf({ token, body, holder }: CardRequest): readonly string[] {
  if (body.kind !== 'issue') return [`card:${body.cardId}`]
  const card = `card:${body.cardId ?? token}`
  return holder === undefined ? [card, `holder:${body.holderId}`] : [card]
}

async function* listCards({ api, settings }: Kit): AsyncIterable<ProviderCard> {
  let after: string | undefined
  do {
    const read = await api.read(CARDS_PATH, pageOf(parseCard), { page_size: PAGE_SIZE, starting_after: after })
    if (read.kind !== 'read') throw new Error(`The cards of Lithic cannot be read: ${read.reason}`)
    for (const card of read.value.items) {
      const amount = settings.mode === 'limit' ? card.limit : await readAmount(api, card.token)
      // A physical card on its way is active for the server since it was issued.
      yield { providerId: card.token, status: findStatus(card) ?? 'active', amount }
    }
    after = read.value.hasMore ? read.value.items.at(-1)?.token : undefined
  } while (after !== undefined)
}

async function readAmount(api: Kit['api'], cardToken: string): Promise<bigint> {
  const read = await api.read(`${pathOf(cardToken)}/balances`, parseAvailable)
  if (read.kind === 'read') return read.value
  throw new Error(`The balance of the card ${cardToken} cannot be read at Lithic: ${read.reason}`)
}
