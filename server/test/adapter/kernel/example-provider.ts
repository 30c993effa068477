// A provider in one file, for the bank in bank.ts. docs/issuer-adapters.md explains it, and the tests of the kernel run it.
import {
  type Action,
  type CardProvider,
  type CardRequest,
  type Done,
  type Facts,
  type Found,
  type History,
  holderSubject,
  moneySubject,
  type Next,
  type ProviderCard,
  type Reading,
  type Refused,
  type Sent,
  statusSubject,
} from '../../../src/adapter/provider.ts'
import { formatCents, parseCents } from '../../../src/lib/money.ts'
import { type Bank, type BankCard, BankRefusal, LostAnswer, Unreachable } from './bank.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

export function createExampleProvider(bank: Bank): CardProvider {
  return {
    about: { provider: 'Example Bank', mode: 'test', cardMode: 'balance', kinds: ['issue', 'topup', 'card_status'] },
    holderFields: [],
    keyLifetimeMs: DAY_MS,
    check: async () => undefined,
    numberPage: async ({ providerId }) => ({
      url: `https://bank.example/cards/${providerId}/number`,
      expiresAt: new Date('2026-03-10T12:01:00.000Z'),
    }),
    subjectsOf,
    next: (request, history) => next(bank, request, history),
    async poll(cursor) {
      const from = cursor === undefined ? bank.events.length : Number(cursor)
      const events = bank.events.slice(from, from + 2).map(({ id, providerCardId, kind, amount }) => {
        const createdAt = '2026-03-10T12:00:00.000Z'
        if (kind === 'status') return { kind: 'card_status', id, providerCardId, createdAt } as const
        const transaction = {
          transactionId: `pay_${id}`,
          type: 'purchase',
          status: 'settled',
          amount: formatCents(-amount),
          currency: 'USD',
          occurredAt: createdAt,
        } as const
        return { kind: 'transaction', id, providerCardId, transaction, createdAt } as const
      })
      const end = from + events.length
      return { events, cursor: String(end), isMore: end < bank.events.length }
    },
    readCard: async ({ providerId }) => ({ ...toCard(bank.card(providerId)), mode: 'balance' }),
    async *listCards() {
      for (const card of bank.cards.values()) yield toCard(card)
    },
    readFloat: async () => bank.float,
    close: async () => undefined,
  }
}

function subjectsOf({ body }: CardRequest): string[] {
  switch (body.kind) {
    case 'issue':
      return [holderSubject(body.holderId)]
    case 'topup':
      return [moneySubject(body.cardId)]
    case 'card_status':
      return body.status === 'closed'
        ? [moneySubject(body.cardId), statusSubject(body.cardId)]
        : [statusSubject(body.cardId)]
  }
}

function next(bank: Bank, request: CardRequest, history: History): Next {
  const { body, card } = request
  if (body.kind === 'issue') return nextOfIssue(bank, request, history)
  if (card === undefined) return { kind: 'refused', code: 'unknown_card', message: 'The card was not issued here.' }
  const receipt = card.providerId
  if (body.kind === 'topup') {
    const { transfer } = history
    if (transfer === undefined) return take(transferStep(bank, request.token, card.providerId, parseCents(body.amount)))
    return transfer.outcome === 'done' ? { kind: 'done', receipt } : refusal(transfer)
  }
  if (body.status !== 'closed') {
    const { status } = history
    if (status === undefined) return take(statusStep(bank, 'status', card.providerId, body.status))
    return status.outcome === 'done' ? { kind: 'done', receipt } : refusal(status)
  }
  return nextOfClose(bank, request, history)
}

function nextOfIssue(bank: Bank, { token, body, holder: known }: CardRequest, history: History): Next {
  if (body.kind !== 'issue' || body.cardId === undefined) throw new Error('An issue names its card.')
  const { holder, card, transfer, discard } = history
  if (known === undefined && holder === undefined) return take(holderStep(bank, body.holderId))
  if (holder?.outcome === 'refused') return refusal(holder)
  if (card === undefined) return take(cardStep(bank, token, body.cardId, known?.providerId ?? factOf(holder, 'id')))
  if (card.outcome === 'refused') return refusal(card)
  const cardId = factOf(card, 'id')
  if (transfer === undefined) return take(transferStep(bank, token, cardId, parseCents(body.amount)))
  if (transfer.outcome === 'done') return { kind: 'done', receipt: cardId, last4: factOf(card, 'last4') }
  // The card exists and has no money, so it must not stay.
  if (discard === undefined) return take(statusStep(bank, 'discard', cardId, 'closed'))
  return refusal(transfer)
}

/** The card is frozen first, so that nothing is spent between reading the balance and taking it back. */
function nextOfClose(bank: Bank, { token, card }: CardRequest, history: History): Next {
  const cardId = card?.providerId ?? ''
  const { freeze, balance, transfer, close } = history
  if (freeze === undefined) return take(statusStep(bank, 'freeze', cardId, 'frozen'))
  if (freeze.outcome === 'refused') return refusal(freeze)
  if (balance === undefined) {
    const read = async () => done({ cents: bank.card(cardId).balance.toString() })
    return take({ type: 'reading', name: 'balance', read })
  }
  const left = BigInt(factOf(balance, 'cents'))
  if (left > 0n && transfer === undefined) return take(transferStep(bank, token, cardId, -left))
  if (transfer?.outcome === 'refused') return refusal(transfer)
  if (close === undefined) return take(statusStep(bank, 'close', cardId, 'closed'))
  return close.outcome === 'done' ? { kind: 'done', receipt: cardId, balance: formatCents(left) } : refusal(close)
}

function holderStep(bank: Bank, reference: string): Action {
  const found = (providerId: string): Done => ({
    ...done({ id: providerId }),
    objects: [{ kind: 'holder', id: reference, providerId, facts: {} }],
  })
  return {
    type: 'action',
    name: 'holder',
    shows: { reference },
    isRepeatable: false,
    send: () => attempt(() => found(bank.createHolder(reference))),
    async lookUp() {
      const id = bank.look([...bank.holders].find(([, other]) => other === reference)?.[0])
      return id === undefined ? absent() : found(id)
    },
  }
}

function cardStep(bank: Bank, key: string, cardId: string, holder: string): Action {
  const found = ({ id, last4 }: BankCard): Done => ({
    ...done({ id, last4 }),
    objects: [{ kind: 'card', id: cardId, providerId: id, facts: {} }],
  })
  return {
    type: 'action',
    name: 'card',
    shows: { holder, key },
    isRepeatable: true,
    send: () => attempt(() => found(bank.createCard(key, holder))),
    async lookUp() {
      const card = bank.look([...bank.cards.values()].find(({ reference }) => reference === key))
      return card === undefined ? absent() : found(card)
    },
  }
}

function transferStep(bank: Bank, key: string, cardId: string, amount: bigint): Action {
  return {
    type: 'action',
    name: 'transfer',
    shows: { key, cardId, amount: formatCents(amount) },
    isRepeatable: true,
    send: () =>
      attempt(() => {
        bank.transfer(key, cardId, amount)
        return done({})
      }),
    lookUp: async () => (bank.look(bank.transfers.get(key)) === undefined ? absent() : done({})),
  }
}

function statusStep(bank: Bank, name: string, cardId: string, status: BankCard['status']): Action {
  return {
    type: 'action',
    name,
    shows: { cardId, status },
    isRepeatable: true,
    send: () =>
      attempt(() => {
        bank.changeStatus(cardId, status)
        return done({})
      }),
    lookUp: async () => (bank.look(bank.card(cardId).status) === status ? done({}) : absent()),
  }
}

/** What an answer proves: only a connection that was not made proves that nothing happened. */
async function attempt(call: () => Done): Promise<Sent> {
  try {
    return call()
  } catch (error) {
    if (error instanceof BankRefusal) return { kind: 'refused', code: error.code, message: 'The bank refused.' }
    if (error instanceof Unreachable) return { kind: 'not_sent', reason: error.message }
    if (error instanceof LostAnswer) return { kind: 'unknown', reason: error.message }
    throw error
  }
}

function take(step: Action | Reading): Next {
  return { kind: 'step', step }
}

function done(facts: Facts): Done {
  return { kind: 'done', facts }
}

function absent(): Found {
  return { kind: 'absent', reason: 'The bank does not know it.' }
}

function refusal({
  code,
  message,
}: Omit<Refused, 'kind'> | { outcome: 'done'; code?: string; message?: string }): Refused {
  return { kind: 'refused', code: code ?? '', message: message ?? '' }
}

function factOf(step: History[string] | undefined, name: string): string {
  return String(step?.outcome === 'done' ? step.facts[name] : '')
}

function toCard({ id, status, balance }: BankCard): ProviderCard {
  return { providerId: id, status, amount: balance }
}
