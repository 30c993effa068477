// Reads what is left of the limit of a card. Stripe does not say it, so what was spent is added up: what was captured, less what was refunded, and
// what open authorizations hold.
import { cents, formatCents, parseCents } from '../../../lib/money.ts'
import type { ProviderObject, Reading } from '../../provider.ts'
import { done, refuse, textFact, toReading } from '../../provider-kit/outcomes.ts'
import type { Kit } from './kit.ts'
import { readList } from './pages.ts'
import { type Authorization, parseAuthorization, parseTransaction, type Transaction } from './transactions.ts'

export const AUTHORIZATIONS_PATH = '/v1/issuing/authorizations'
export const TRANSACTIONS_PATH = '/v1/issuing/transactions'
/** Pages of one card's payments at Stripe that are added up when it is closed: up to 50,000 payments. */
const PAGES_MAX = 500

/**
 * Reads what is left. The authorizations are read first: one that is captured meanwhile is then counted once, as what was captured. A capture
 * can exceed the limit: then nothing is left.
 */
export function readRemaining({ api }: Kit, card: ProviderObject): Reading {
  return {
    type: 'reading',
    name: 'balance',
    async read() {
      const limit = parseCents(textFact(card.facts, 'limit') ?? '0')
      const held = await readList(api, {
        path: AUTHORIZATIONS_PATH,
        parse: parseAuthorization,
        query: { card: card.providerId, status: 'pending' },
        pagesMax: PAGES_MAX,
      })
      if (held.kind === 'too_many') return tooMany(held.reason)
      if (held.kind !== 'read') return toReading(held, () => done({}))
      const moved = await readList(api, {
        path: TRANSACTIONS_PATH,
        parse: parseTransaction,
        query: { card: card.providerId },
        pagesMax: PAGES_MAX,
      })
      if (moved.kind === 'too_many') return tooMany(moved.reason)
      return toReading(moved, (transactions) => {
        const left = limit - sumUp(held.value, transactions)
        return done({ available: formatCents(cents(left < 0n ? 0n : left > limit ? limit : left)) })
      })
    },
  }
}

function tooMany(reason: string) {
  return refuse(
    'too_many_payments',
    `What is left on the card cannot be added up (${reason}). Ask Stripe, and close the card by hand.`,
  )
}

/** Returns what is spent and held, in cents. */
export function sumUp(held: readonly Authorization[], transactions: readonly Transaction[]): bigint {
  const captured = new Set(transactions.map(({ authorization }) => authorization))
  const open = held.filter(
    ({ id, approved, transactions: known }) => approved && (known.length > 0 || !captured.has(id)),
  )
  // A capture is negative in Stripe's books, and an authorization is positive.
  return open.reduce((sum, { amount }) => sum + amount, 0n) - transactions.reduce((sum, { amount }) => sum + amount, 0n)
}
