// Checks the key and the settings against Stripe when the adapter starts. It only reads.
import { toCheckError } from '../../provider-kit/check.ts'
import { SetUpError } from '../../set-up-error.ts'
import { pageOf, type Parse } from '../../provider-kit/parse.ts'
import { parseBalance, parseCard, parseCardholder, parseEvent } from './answers.ts'
import { CARDS_PATH } from './cards.ts'
import type { Kit } from './kit.ts'
import { findMode } from './settings.ts'
import { AUTHORIZATIONS_PATH, TRANSACTIONS_PATH } from './spent.ts'
import { parseAuthorization, parseTransaction } from './transactions.ts'

/** What the adapter reads later. A restricted key may have no permission for one of them. */
const LISTS: readonly (readonly [path: string, parse: Parse<unknown>])[] = [
  [CARDS_PATH, pageOf(parseCard)],
  ['/v1/issuing/cardholders', pageOf(parseCardholder)],
  [AUTHORIZATIONS_PATH, pageOf(parseAuthorization)],
  [TRANSACTIONS_PATH, pageOf(parseTransaction)],
  ['/v1/events', pageOf(parseAnyItem)],
]

export async function checkStripe({ api, settings }: Kit): Promise<void> {
  const { url, secretKey } = settings
  const balance = await api.read('/v1/balance', parseBalance)
  if (balance.kind !== 'read') throw toCheckError(balance, `Stripe cannot be used at ${url}: ${balance.reason}.`)
  const { isLive, available } = balance.value
  if (isLive !== (findMode(secretKey) === 'live')) {
    throw new SetUpError(`STRIPE_SECRET_KEY is not a key of the side of Stripe that answers at ${url}.`)
  }
  if (available === undefined) {
    throw new SetUpError(
      'The Stripe account has no Issuing balance in USD. Ask Stripe for Issuing in the United States.',
    )
  }
  for (const [path, parse] of LISTS) {
    const read = await api.read(path, parse, { limit: 1 })
    if (read.kind !== 'read') throw toCheckError(read, `Stripe's ${path} cannot be read: ${read.reason}.`)
  }
}

/** The newest event may be about anything that the account does. */
function parseAnyItem(answer: unknown): object | undefined {
  return typeof answer === 'object' && answer !== null ? (parseEvent(answer) ?? answer) : undefined
}
