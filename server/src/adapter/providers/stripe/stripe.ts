// Stripe Issuing as a card provider of the adapter. The money of a card is a limit on what may be spent over its whole life; the operator's
// Issuing balance pays.
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
import { type Card, parseBalance, parseCard } from './answers.ts'
import { createApi } from './api.ts'
import { CARDS_PATH, pathOf } from './cards.ts'
import { checkStripe } from './check.ts'
import { HOLDER_FIELDS } from './holder-fields.ts'
import type { Kit } from './kit.ts'
import { readPage } from './pages.ts'
import { planNext } from './plan.ts'
import { createPoll } from './poll.ts'
import { findMode, STRIPE_URL, type StripeSettings } from './settings.ts'

/** How long Stripe certainly remembers an idempotency key. It says 24 hours at least; the rest is the margin. */
const KEY_LIFETIME_MS = 20 * 3_600_000

const STATUSES = { active: 'active', inactive: 'frozen', canceled: 'closed' } as const

export function createStripe(settings: StripeSettings): CardProvider {
  void loadClient()
  const kit: Kit = { api: createApi(settings), settings }
  return {
    about: aboutOf(settings),
    holderFields: HOLDER_FIELDS,
    keyLifetimeMs: KEY_LIFETIME_MS,
    check: () => checkStripe(kit),
    subjectsOf,
    next: (request, history) => planNext(kit, request, history),
    poll: createPoll(kit),
    readCard: (card) => readCard(kit, card),
    listCards: () => listCards(kit),
    async readFloat() {
      const read = await kit.api.read('/v1/balance', parseBalance)
      if (read.kind === 'read') return read.value.available
      throw new Error(`The Issuing balance cannot be read at Stripe: ${read.reason}`)
    },
    close: async () => undefined,
  }
}

function aboutOf({ url, secretKey }: StripeSettings): ProviderAbout {
  const { origin, host } = new URL(url)
  // A key that is not Stripe's can only be one of a trial.
  const mode = findMode(secretKey) ?? 'test'
  const place = origin === STRIPE_URL ? (mode === 'live' ? undefined : 'test') : host
  return {
    provider: place === undefined ? 'Stripe' : `Stripe (${place})`,
    mode,
    cardMode: 'limit',
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

async function readCard({ api }: Kit, { providerId }: ProviderObject): Promise<ReadCard> {
  const read = await api.read(pathOf(providerId), parseCard)
  if (read.kind === 'read') return { ...toProviderCard(read.value), mode: 'limit' }
  throw new Error(`The card ${providerId} cannot be read at Stripe: ${read.reason}`)
}

async function* listCards({ api }: Kit): AsyncIterable<ProviderCard> {
  let after: string | undefined
  do {
    const read = await readPage(api, CARDS_PATH, parseCard, { starting_after: after })
    if (read.kind !== 'read') throw new Error(`The cards of Stripe cannot be read: ${read.reason}`)
    for (const card of read.value.items) yield toProviderCard(card)
    after = read.value.hasMore ? read.value.items.at(-1)?.id : undefined
  } while (after !== undefined)
}

/** A card without a limit of ours has nothing that we gave it. */
function toProviderCard({ id, status, limit }: Card): ProviderCard {
  return { providerId: id, status: STATUSES[status], amount: limit ?? 0n }
}
